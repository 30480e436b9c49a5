import { FAULTS } from '#lib/adapters/memory/faults.ts';
import { runOnce, type Tally } from '#test/crash/explore.ts';
import type { Operation } from '#test/crash/operations.ts';
import { seeded } from '#test/crash/random.ts';
import type { Phase, Scenario } from '#test/crash/run-scenario.ts';
import type { PlannedFault } from '#test/crash/scheduler.ts';

const MINUTE = 60_000;
const TASKS = ['t1', 't2', 't3'];
const CONTENTS = ['a', 'a b', 'b a', 'a b c', '!a', 'c d', 'a', 'a b'];
const PATHS = ['d/a.md', 'd/b.md', 'e/c.md'];
const IMPORTS = [
  { id: 'knowledge-20250101-000000-0000000a', task: 't1', words: 'a b' },
  { id: 'knowledge-20250101-000000-0000000b', task: 't2', words: 'c d' },
];
const SCOPES = [[], [], [], ['org:a'], ['org:b'], ['org:a', 'org:b']];

/** Faults hit the history and the first part of what follows; then the system must come to rest. */
const FAULTY_CALLS = 900;

/** A history, an interleaving and faults, all made from one seed, which replays them. */
export async function randomRun(tally: Tally, seed: number): Promise<void> {
  const random = seeded(seed ^ 0x5eed);
  const pick = <T>(from: readonly T[]): T => from[Math.floor(random() * from.length)]!;
  const chance = (p: number) => random() < p;
  const scenario = history(pick, chance);
  const faulty = pick([0, 0.004, 0.02]);
  const faults = new Map<number, PlannedFault>();
  for (let n = 1; n < FAULTY_CALLS; n++)
    if (chance(faulty)) faults.set(n, { fault: pick(FAULTS), after: pick([1, 3, 10, 40]) });
  tally.interleavings += 1;
  await runOnce(tally, { ...scenario, name: `random ${seed}` }, seed, {
    order: 'random',
    shared: chance(0.3),
    plan: (n) => faults.get(n),
  });
}

type Pick = <T>(from: readonly T[]) => T;

function history(pick: Pick, chance: (p: number) => boolean): Scenario {
  const phases: Phase[] = Array.from({ length: pick([2, 3, 4]) }, () => ({
    operations: Array.from({ length: pick([1, 2, 3, 4]) }, () => operation(pick)),
    then_wait: pick([0, 0, MINUTE, 6 * MINUTE, 20 * MINUTE, -3 * MINUTE]),
    model_down: chance(0.1),
    index_down: chance(0.1),
  }));
  return { name: '', phases, twice: chance(0.3), workers: pick([2, 8]), overlap: chance(0.7) };
}

function operation(pick: Pick): Operation {
  const task = pick(TASKS);
  const words = pick(CONTENTS);
  const scopes = pick(SCOPES);
  // What only its readers may see says so, and a domain's text must not.
  const said = scopes.length > 0 ? `secret ${words}` : words;
  const kind = pick([
    'entry',
    'entry',
    'entry',
    'upload',
    'upload',
    'upload',
    'bare',
    'remove path',
    'remove item',
    'review',
    'import',
    'sweep',
    'wipe index',
  ]);
  switch (kind) {
    case 'entry':
      return { do: 'entry', task, words: said, scopes };
    case 'upload':
      return { do: 'upload', path: pick(PATHS), task, words: said, scopes };
    case 'bare':
      return { do: 'upload', path: pick(PATHS), task, words, bare: true };
    case 'import':
      return { do: 'import', ...pick(IMPORTS) };
    case 'remove path':
      return { do: kind, path: pick(PATHS) };
    case 'remove item':
      return { do: kind, nth: pick([0, 1, 2, 3]) };
    case 'review':
      return {
        do: kind,
        nth: pick([0, 1, 2]),
        action: pick(['check', 'reject', 'reject', 'restore'] as const),
      };
    case 'sweep':
      return { do: 'sweep' };
    default:
      return { do: 'wipe index' };
  }
}
