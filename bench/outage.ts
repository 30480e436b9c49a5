import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { withOptions } from '../bin/support/command.ts';
import { markdownTable } from '../bin/support/markdown-table.ts';
import { writeSection } from '../bin/support/write-section.ts';
import { type Counted, type OutageFacts, runOutage, TROUBLES, type Trouble } from './support/outage-run.ts';

const DOCUMENT = join(import.meta.dirname, '../docs/performance.md');

const HELP = `Usage: npm run bench -- outage [--json] [--write]

Lets 60 items arrive while the judge is away for 10 minutes, for 2 hours, and in other troubles, in memory and with a
clock that is moved on: what was admitted, what waited, what it cost, and whether doubles came of it. Always the same
figures; no time is measured.

  --json    all of it as JSON
  --write   renews the section "outage" of docs/performance.md

Exit codes: 0 nothing was lost, and every double is marked; 1 otherwise; 2 wrong use.`;

/** Simulates outages of the models. Resolves with the exit code. */
export async function outage(args: readonly string[]): Promise<number> {
  return withOptions(readOptions(args), HELP, simulate);
}

async function simulate({ json, write }: Options): Promise<number> {
  const facts = new Map<Trouble, OutageFacts>();
  for (const trouble of Object.keys(TROUBLES) as Trouble[]) {
    console.error(trouble);
    facts.set(trouble, await runOutage(trouble));
  }
  const text = tables(facts);
  console.log(json ? JSON.stringify(Object.fromEntries(facts), null, 2) : text);
  if (write) writeSection(DOCUMENT, 'outage', text);
  const bad = [...facts.values()].some(({ at_last, doubles }) => at_last.waiting > 0 || doubles.unmarked > 0);
  return bad ? 1 : 0;
}

function tables(facts: ReadonlyMap<Trouble, OutageFacts>): string {
  const of = ({ admitted, known, marked }: Counted) => `${admitted} (${marked} marked), ${known}`;
  const rows = [...facts].map(
    ([trouble, { at_end, at_last, judge, embeds, longest_wait_minutes, doubles }]) => [
      trouble,
      `${of(at_end)}; ${at_end.waiting}`,
      of(at_last),
      `${judge.answered} + ${judge.in_vain}`,
      String(embeds),
      `${longest_wait_minutes} min`,
      doubles.all === 0
        ? '0'
        : `${doubles.all}, ${doubles.unmarked === 0 ? 'each marked' : 'not all marked'}`,
    ],
  );
  return [
    '## Outages of the models',
    '`npm run bench -- outage --write`',
    'Simulated, nothing is timed: 60 items arrive evenly over the trouble, each with a near neighbour that the judge must see. 20 say something new, 20 what a stored item covers, 20 what one of the first 20 says in another order: right is 20 admitted, 40 rejected. **Marked** = `needs_review` with the reason (R4.5). Judge calls: answered + in vain.',
    markdownTable(
      [
        'trouble',
        'at its end: admitted, rejected; waiting',
        'at last: admitted, rejected',
        'judge calls',
        'embed calls',
        'longest wait',
        'doubles',
      ],
      rows,
      { padded: true },
    ),
    'An item that the judge cannot be asked about is tried 7 times in 15 minutes, then admitted and marked. One whose vector cannot be made waits as long as it takes: without a recall nothing is let in. A reply that declines is asked for again; a text that the model blocks is admitted and marked at once, for it would be blocked each time.',
  ].join('\n\n');
}

interface Options {
  json: boolean;
  write: boolean;
  help: boolean;
}

function readOptions(args: readonly string[]): Options | string {
  try {
    const { values } = parseArgs({
      args: [...args],
      options: {
        json: { type: 'boolean', default: false },
        write: { type: 'boolean', default: false },
        help: { type: 'boolean', short: 'h', default: false },
      },
    });
    return values;
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}
