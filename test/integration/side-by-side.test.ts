import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { foldOf } from '#lib/core/fold.ts';
import { isLiveState } from '#lib/core/fold-state.ts';
import { admit } from '#lib/usecases/admit.ts';
import type { Instance } from '#lib/usecases/instance.ts';
import { removeItem } from '#lib/usecases/remove.ts';
import { JudgeInput } from '#prompts/judge-relations.ts';
import { seeded } from '#test/crash/random.ts';
import { MINUTE, SECOND, START } from '#test/support/clock.ts';
import { holdJudge, whileJudgeThinks } from '#test/support/held-judge.ts';
import { curator, type KnowledgeBase, knowledgeBase } from '#test/support/instance.ts';

const T = 'Timeout';

/** Lets every call wait a while, so that workers overtake each other in an order that the seed replays. */
function mixed(seed: number): () => Promise<void> {
  const random = seeded(seed);
  return async () => {
    for (let ticks = Math.floor(random() * 12); ticks > 0; ticks -= 1) await undefined;
  };
}

/** Several workers take messages until there are none; each is a function of its own. */
async function workers(base: KnowledgeBase, count: number): Promise<void> {
  const worker = async (instance: Instance) => {
    for (let [message] = base.ports.queue.take(1); message; [message] = base.ports.queue.take(1))
      if (message.type === 'admit') await admit(instance)(message.item_id);
  };
  await Promise.all(Array.from({ length: count }, () => worker(base.another())));
}

/** Sweeps and works until nothing waits any more. */
async function rest(base: KnowledgeBase): Promise<void> {
  for (let round = 0; round < 5; round += 1) {
    base.clock.pass(MINUTE);
    await base.sweep();
    await workers(base, 8);
  }
}

const seeds = { numRuns: 8 };
const Seed = fc.integer();

test('R4.7 R4.3 of 20 equal items and 8 workers exactly one is admitted, and gets 19 points', async () => {
  await fc.assert(
    fc.asyncProperty(Seed, async (seed) => {
      const base = knowledgeBase({ before: mixed(seed) });
      const ids = await Promise.all(Array.from({ length: 20 }, () => base.entry(T, 'a b')));
      await workers(base, 8);
      await rest(base);
      const f = foldOf(await base.ports.ledger.readAfter(0, 999));
      const [winner, ...others] = [...f.items.values()].filter(isLiveState);
      expect([winner === undefined, others]).toEqual([false, []]);
      const rejected = ids.filter((id) => id !== winner!.id);
      for (const id of rejected)
        expect(await base.row(id)).toMatchObject({
          status: 'rejected',
          decision: { reason: 'known', grounds: [{ id: winner!.id, type: 'duplicate' }] },
        });
      expect(await base.helpful(winner!.id)).toBe(20);
      expect(base.judgeCalls()).toBe(0);
    }),
    seeds,
  );
});

test('R4.7 R4.4 of two that conflict and arrive together both are admitted, with the relation, from both ends', async () => {
  await fc.assert(
    fc.asyncProperty(Seed, async (seed) => {
      const base = knowledgeBase({ before: mixed(seed) });
      const [a, b] = (await Promise.all([base.entry(T, 'a'), base.entry(T, '!a')])) as [string, string];
      await workers(base, 2);
      expect([await base.status(a), await base.status(b)]).toEqual(['approved', 'approved']);
      expect(await base.relations(a)).toEqual([{ type: 'conflict', target: b }]);
      expect(await base.relations(b)).toEqual([{ type: 'conflict', target: a }]);
    }),
    seeds,
  );
});

test('R4.7 a subset and its whole that arrive together are related or rejected as if one came after the other', async () => {
  await fc.assert(
    fc.asyncProperty(Seed, async (seed) => {
      const base = knowledgeBase({ before: mixed(seed) });
      const [part, whole] = (await Promise.all([base.entry(T, 'a'), base.entry(T, 'a b')])) as [
        string,
        string,
      ];
      await workers(base, 2);
      const said = [await base.status(part), await base.relations(whole)];
      expect([
        ['approved', [{ type: 'superset', target: part }]],
        ['rejected known', []],
      ]).toContainEqual(said);
    }),
    seeds,
  );
});

test('R4.6 a message that comes twice is judged once', async () => {
  const base = knowledgeBase();
  await base.admitted(T, 'a b');
  const id = await base.entry(T, 'a');
  base.judgeCalls();
  const outcomes = await Promise.all([admit(base.another())(id), admit(base.another())(id)]);
  expect(outcomes.map(({ kind }) => kind).toSorted()).toEqual(['decided', 'skipped']);
  expect(await admit(base.instance)(id)).toMatchObject({ kind: 'skipped' });
  expect([base.judgeCalls(), await base.status(id)]).toEqual([1, 'rejected known']);
});

test('R4.6 a claim names its holder and its time, and the sweep frees it after five minutes, not before', async () => {
  const base = knowledgeBase();
  await base.admitted(T, 'a b');
  const id = await base.entry(T, 'a');
  const [message] = base.ports.queue.take(1);
  const { asked } = holdJudge(base.model);
  void admit(base.another())(id);
  await asked;
  expect(message).toEqual({ type: 'admit', item_id: id });
  expect(await base.row(id)).toMatchObject({
    claim: { token: expect.any(String), at: START },
    next_at: START + 5 * MINUTE,
  });

  base.clock.pass(5 * MINUTE - SECOND);
  expect(await base.sweep()).toMatchObject({ claims_ended: 0, requeued: 0 });
  expect(await admit(base.instance)(id)).toMatchObject({ kind: 'skipped' });
  base.clock.pass(2 * SECOND);
  expect(await base.sweep()).toMatchObject({ claims_ended: 1, requeued: 1 });
  expect((await base.row(id)).status).toBe('pending');
  await base.work();
  expect(await base.status(id)).toBe('rejected known');
});

test('R4.6 R4.3 a worker that wakes up after another has decided adopts that decision: one entry, one point', async () => {
  const base = knowledgeBase();
  const stored = await base.admitted(T, 'a b');
  const id = await base.entry(T, 'a');
  base.ports.queue.take(1);
  const judge = holdJudge(base.model);
  const late = admit(base.another())(id);
  await judge.asked;
  base.clock.pass(6 * MINUTE);
  await base.sweep();
  await base.work();
  judge.answer();
  expect(await late).toMatchObject({ kind: 'decided', item: { id, status: 'rejected' } });
  expect(await base.ports.ledger.readAfter(0, 9)).toHaveLength(2);
  expect(await base.helpful(stored)).toBe(2);
});

test('R4.6 a worker whose claim was taken over does not free the other’s', async () => {
  const base = knowledgeBase();
  await base.admitted(T, 'a b');
  const id = await base.entry(T, 'a');
  base.ports.queue.take(1);
  const first = holdJudge(base.model);
  base.model.script.judge = () => new Error('no answer to the late one');
  const late = admit(base.another())(id).catch((error: unknown) => error);
  await first.asked;
  base.clock.pass(6 * MINUTE);
  await base.sweep();
  base.ports.queue.take(1);
  const second = holdJudge(base.model);
  void admit(base.another())(id);
  await second.asked;
  const held = await base.row(id);
  first.answer();
  expect(await late).toBeInstanceOf(Error);
  expect(await base.row(id)).toEqual(held);
  expect(held.status).toBe('processing');
});

test('R4.7 an item that goes live while the judge thinks is judged too, and only that one is new to the judge', async () => {
  const base = knowledgeBase();
  const first = await base.admitted(T, 'a b');
  const id = await base.entry(T, 'c');
  base.ports.queue.take(1);
  const meanwhile = await base.entry(T, '!c');
  base.ports.queue.take(1);
  base.judgeCalls();
  whileJudgeThinks(base.model, () => admit(base.another())(meanwhile));
  await admit(base.instance)(id);
  expect(base.judgeCalls()).toBe(3);
  const offered = base.model.completions.map(({ input }) =>
    JudgeInput.parse(input).candidates.map(({ id }) => id),
  );
  expect(offered.slice(-3)).toEqual([[first], [first], [meanwhile]]);
  expect((await base.relations(id)).toSorted((a, b) => (a.type < b.type ? -1 : 1))).toEqual([
    { type: 'complement', target: first },
    { type: 'conflict', target: meanwhile },
  ]);
});

test('R4.7 an item of another task that goes live meanwhile costs no judge call', async () => {
  const base = knowledgeBase();
  await base.admitted(T, 'a b');
  const id = await base.entry(T, 'c');
  base.ports.queue.take(1);
  base.judgeCalls();
  whileJudgeThinks(base.model, () => base.admitted('Refund', 'c'));
  await admit(base.another())(id);
  expect([base.judgeCalls(), await base.status(id)]).toEqual([1, 'approved']);
});

test('R4.7 a ground that is removed while the judge thinks is none: the newcomer is admitted', async () => {
  const base = knowledgeBase();
  const stored = await base.admitted(T, 'a b');
  const id = await base.entry(T, 'a');
  whileJudgeThinks(base.model, () => removeItem(base.another())(curator, stored));
  await base.work();
  expect([await base.status(id), await base.relations(id)]).toEqual(['approved', []]);
});
