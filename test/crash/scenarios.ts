import type { Operation } from '#test/crash/operations.ts';
import type { Scenario } from '#test/crash/run-scenario.ts';

const entry = (task: string, words: string, scopes?: string[]): Operation => ({
  do: 'entry',
  task,
  words,
  ...(scopes && { scopes }),
});
const upload = (
  path: string,
  task: string,
  words: string,
  more: { scopes?: string[]; bare?: boolean } = {},
): Operation => ({
  do: 'upload',
  path,
  task,
  words,
  ...more,
});
const IMPORTED = 'knowledge-20250101-000000-0000000a';
const phase = (...operations: Operation[]) => ({ operations });

/** Small histories that between them use every rule of the protocol. Each is run once for every call and every fault. */
export const SCENARIOS: readonly Scenario[] = [
  { name: 'one document', phases: [phase(upload('d/a.md', 't1', 'a b'))] },
  { name: 'two equal entries at once', phases: [phase(entry('t1', 'a b'), entry('t1', 'a b'))] },
  {
    name: 'every relation',
    phases: [
      phase(entry('t1', 'a b')),
      phase(entry('t1', 'a b c'), entry('t1', '!a'), entry('t1', 'a'), entry('t2', 'a b')),
    ],
  },
  {
    name: 'two that conflict at once, after a third',
    phases: [phase(entry('t1', 'x')), phase(entry('t1', 'a'), entry('t1', '!a'))],
  },
  {
    name: 'replaced, and what leaned on the old version',
    phases: [
      phase(upload('d/a.md', 't1', 'a b')),
      phase(entry('t1', 'a'), entry('t1', 'b a')),
      phase(upload('d/a.md', 't1', 'z')),
    ],
  },
  {
    name: 'deleted while a version waits and another leans on it',
    phases: [
      phase(upload('d/a.md', 't1', 'a b')),
      phase(entry('t1', 'a')),
      phase({ do: 'remove path', path: 'd/a.md' }, upload('d/a.md', 't1', 'a b c')),
      phase(upload('d/a.md', 't1', 'a b')),
    ],
  },
  {
    name: 'three uploads at one path at once, one twice',
    phases: [phase(upload('d/a.md', 't1', 'a'), upload('d/a.md', 't1', 'b'), upload('d/a.md', 't1', 'b'))],
  },
  {
    name: 'bytes that come back',
    phases: [
      phase(upload('d/a.md', 't1', 'a')),
      phase(upload('d/a.md', 't1', 'b')),
      phase(upload('d/a.md', 't1', 'a')),
    ],
  },
  {
    name: 'rejected by a human, asked again, restored',
    phases: [
      phase(entry('t1', 'a b')),
      phase(entry('t1', 'b a')),
      phase({ do: 'review', nth: 0, action: 'reject' }),
      phase(entry('t1', 'a b'), entry('t1', 'a')),
      phase({ do: 'review', nth: 0, action: 'restore' }),
    ],
  },
  {
    name: 'checked, imported and removed',
    phases: [
      phase(entry('t1', 'a b'), {
        do: 'import',
        id: IMPORTED,
        task: 't1',
        words: 'a b c',
      }),
      phase({ do: 'review', nth: 0, action: 'check' }, entry('t1', 'a b')),
      phase({ do: 'remove item', nth: 0 }, { do: 'remove item', nth: 1 }),
    ],
  },
  {
    name: 'twins in other scopes',
    phases: [
      phase(entry('t1', 'secret a', ['org:a'])),
      phase(
        entry('t1', 'secret a', ['org:b']),
        entry('t1', 'secret a', ['org:a']),
        upload('d/s.md', 't1', 'secret b', { scopes: ['org:a'] }),
      ),
      phase(entry('t1', 'plain a'), entry('t1', 'a plain', ['org:a', 'org:b'])),
    ],
  },
  {
    name: 'fields that the model could not write',
    phases: [
      { operations: [upload('d/a.md', 't1', 'a b', { bare: true })], model_down: true },
      phase(entry('t2', 'a')),
    ],
  },
  {
    name: 'a twin among more siblings than the index returns',
    settings: { recall_k: 2 },
    phases: [
      phase(entry('t1', 'a b'), entry('t1', 'c d'), entry('t1', 'e f'), entry('t1', 'g h')),
      phase(entry('t1', 'a b'), entry('t1', 'g h')),
    ],
  },
  {
    name: 'the index is wiped',
    phases: [
      phase(entry('t1', 'a b')),
      phase({ do: 'wipe index' }),
      phase(entry('t1', 'b a'), { do: 'sweep' }),
    ],
  },
  {
    // A projector that slept while the index was made anew must not say of the new one what it wrote into the old.
    name: 'W moved by one who slept through the wipe',
    phases: [
      phase(entry('t1', 'a b')),
      { operations: [{ do: 'wipe index' }], then_wait: 3 * 60_000 },
      phase({ do: 'sweep' }),
      { operations: [entry('t1', 'b a')], thaw: true },
    ],
    scripted: [
      { call: 'projections.advance', on: 'index', nth: 1, fault: 'frozen' },
      { call: 'projections.rebase', on: 'index', nth: 2, fault: 'killed after' },
    ],
  },
  {
    // Nobody else knows that it stored them: its own erasure, had it lived, would have been the last one.
    name: 'vectors of what was removed, by one who slept and then died',
    phases: [
      phase({ do: 'import', id: IMPORTED, task: 't1', words: 'a' }),
      phase({ do: 'import', id: IMPORTED, task: 't1', words: 'a' }),
      phase({ do: 'remove item', nth: 0 }),
      { operations: [], thaw: true },
    ],
    scripted: [
      { call: 'vectors.saveSections', on: IMPORTED, nth: 1, fault: 'frozen' },
      { call: 'vectors.erase', on: IMPORTED, nth: 2, fault: 'killed before' },
    ],
  },
];
