import { expect, test } from 'vitest';
import { createMemoryPorts } from '#lib/adapters/memory/memory.ts';
import { admissionWork } from '../../bench/support/admission-items.ts';
import { type RunOptions, runAdmissions } from '../../bench/support/admission-run.ts';

const run = (more: Partial<RunOptions>) =>
  runAdmissions(createMemoryPorts(), {
    workers: 6,
    items: 12,
    twins: false,
    lock: false,
    call_ms: 0,
    signal: new AbortController().signal,
    step: () => undefined,
    ...more,
  });

test('FIGURES the work of bench admission: a neighbour for each task, every third item the twin of the one before it', () => {
  const { seeds, items, twins } = admissionWork(12, true);
  expect([seeds.length, items.length, twins]).toEqual([
    8,
    12,
    [
      [0, 1],
      [3, 4],
      [6, 7],
      [9, 10],
    ],
  ]);
  expect(new Set(items.map(({ task }) => task)).size).toBe(8);
  const same = twins.map(([a, b]) => items[a]!.content === items[b]!.content);
  expect(same).toEqual([true, false, true, false]);
});

test('FIGURES R4.1 in bench admission each item needs the judge once, and all are live', async () => {
  const facts = await run({});
  expect(facts).toMatchObject({ judge_calls: 12, doubles: 0, wrong: [] });
  expect(facts.calls.projecting).toBeLessThanOrEqual(18);
});

test('FIGURES R4.7 in bench admission one of two twins in flight is live, behind a lock and without', async () => {
  const [free, locked] = await Promise.all([
    run({ twins: true }),
    run({ twins: true, lock: true, items: 3 }),
  ]);
  expect([free.doubles, free.wrong, locked.doubles, locked.wrong]).toEqual([0, [], 0, []]);
  expect(free.per_second).toBeGreaterThan(locked.per_second);
});
