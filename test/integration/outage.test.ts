import { expect, test } from 'vitest';
import { type OutageFacts, runOutage, type Trouble } from '../../bench/support/outage-run.ts';

const none = { all: 0, unmarked: 0 };
const right = { admitted: 20, known: 40, marked: 0, waiting: 0 };
const all_wait = { admitted: 0, known: 0, marked: 0, waiting: 60 };

/** 20 that are new, 20 that are covered, 20 that say what the first do; each needs the judge. */
const EXPECTED: [Trouble, OutageFacts][] = [
  [
    'no trouble',
    {
      at_end: right,
      at_last: right,
      judge: { answered: 60, in_vain: 0 },
      embeds: 80,
      longest_wait_minutes: 0,
      doubles: none,
    },
  ],
  [
    'judge away for 10 minutes',
    {
      at_end: all_wait,
      at_last: right,
      judge: { answered: 60, in_vain: 235 },
      embeds: 80,
      longest_wait_minutes: 16,
      doubles: none,
    },
  ],
  [
    'judge away for 2 hours',
    {
      at_end: { admitted: 53, known: 0, marked: 53, waiting: 7 },
      at_last: { admitted: 53, known: 7, marked: 53, waiting: 0 },
      judge: { answered: 7, in_vain: 405 },
      embeds: 113,
      longest_wait_minutes: 15,
      // Those of the last 20 that were let in unjudged say what the first 20 say.
      doubles: { all: 13, unmarked: 0 },
    },
  ],
  [
    'judge and embedder away for 2 hours',
    {
      at_end: all_wait,
      at_last: right,
      judge: { answered: 60, in_vain: 0 },
      embeds: 3700,
      longest_wait_minutes: 120,
      doubles: none,
    },
  ],
  [
    'judge declines every third call',
    {
      at_end: right,
      at_last: right,
      judge: { answered: 60, in_vain: 29 },
      embeds: 80,
      longest_wait_minutes: 0,
      doubles: none,
    },
  ],
  [
    'judge blocks every third call',
    {
      at_end: { admitted: 34, known: 26, marked: 20, waiting: 0 },
      at_last: { admitted: 34, known: 26, marked: 20, waiting: 0 },
      judge: { answered: 40, in_vain: 20 },
      embeds: 94,
      longest_wait_minutes: 0,
      doubles: { all: 7, unmarked: 0 },
    },
  ],
];

test.each(EXPECTED)(
  'R4.5 R4.8 60 items arrive, %s: nothing is lost, and no double that is not marked',
  async (trouble, facts) => {
    expect(await runOutage(trouble)).toEqual(facts);
  },
);
