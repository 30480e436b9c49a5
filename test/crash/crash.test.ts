import { expect, test } from 'vitest';
import { emptyTally, everyFault } from '#test/crash/explore.ts';
import { randomRun } from '#test/crash/random-history.ts';
import { SCENARIOS } from '#test/crash/scenarios.ts';

/** A slice of `npm run test:crash`: every n-th fault point, and some of the seeds. */
const SHARE = 97;
const FIRST = 29;
const SEEDS = 300;

test.for(SCENARIOS)(
  `R4.3 R4.6 R4.7 R4.8 nothing breaks when a call fails: $name (every ${SHARE}th fault point from ${FIRST})`,
  async (scenario) => {
    const tally = emptyTally();
    await everyFault(tally, scenario, { keep: (point) => point % SHARE === FIRST });
    expect(tally.reds).toEqual([]);
    expect(tally.fault_points).toBeGreaterThan(0);
  },
);

test(`R4.3 R4.6 R4.7 R4.8 R6.9 nothing breaks in random histories (${SEEDS} seeds)`, async () => {
  const tally = emptyTally();
  for (let seed = 1; seed <= SEEDS; seed++) await randomRun(tally, seed);
  expect(tally.reds).toEqual([]);
});
