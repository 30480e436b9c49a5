import { expect, test } from 'vitest';
import { IndexUnavailable, ModelUnavailable, Partial } from '#lib/core/errors.ts';
import { importEntry } from '#lib/usecases/import-entry.ts';
import { review } from '#lib/usecases/review.ts';
import { MINUTE, SECOND, START } from '#test/support/clock.ts';
import { whileJudgeThinks } from '#test/support/held-judge.ts';
import { curator, type KnowledgeBase, knowledgeBase } from '#test/support/instance.ts';

const T = 'Timeout';
const down = () => new ModelUnavailable('the model is down');
const reject = { action: 'reject', reason: 'wrong' };

/** A stored item, and one that waits because the judge is down. */
async function outage() {
  const base = knowledgeBase();
  const stored = await base.admitted(T, 'a b');
  const { judge } = base.model.script;
  base.model.script.judge = down;
  const id = await base.entry(T, 'a');
  base.judgeCalls();
  return { base, stored, id, mend: () => (base.model.script.judge = judge!) };
}

/** Lets time pass until the item is due, and works off what the sweep queues. */
async function nextTry(base: KnowledgeBase, id: string): Promise<void> {
  const { next_at } = await base.row(id);
  base.clock.pass(next_at! - base.clock.now());
  await base.sweep();
  await base.work();
}

test('R4.5 an unreachable judge is tried again with back-off for 15 minutes; then the item is approved and marked', async () => {
  const { base, stored, id } = await outage();
  const tries: number[] = [];
  await base.work();
  for (tries.push(base.clock.now()); (await base.status(id)) === 'pending'; tries.push(base.clock.now()))
    await nextTry(base, id);
  expect(tries.map((at) => (at - START) / SECOND)).toEqual([0, 15, 45, 105, 225, 465, 900]);
  expect(base.judgeCalls()).toBe(7);
  expect((await base.row(id)).decision).toEqual({
    status: 'approved',
    attempt: 1,
    grounds: [],
    relations: [],
    lineage: id,
    basis: 'last_resort',
    needs_review: 'the judge could not be reached 7 times in 15 minutes: the model is down',
    decided_at: START / SECOND + 900,
  });
  expect(await base.helpful(stored)).toBe(1);
});

test('R4.5 while it waits the item is pending, says why, and counts its failures', async () => {
  const { base, id } = await outage();
  expect(await base.work()).toEqual([
    { kind: 'waits', why: 'the model is down', next_at: START + 15 * SECOND },
  ]);
  await nextTry(base, id);
  const row = await base.row(id);
  expect(row.claim).toBeUndefined();
  expect(row).toMatchObject({
    status: 'pending',
    next_at: START + 45 * SECOND,
    judge_failures: { count: 2, first_at: START, last: 'the model is down' },
  });
  expect(await base.ports.ledger.readAfter(1, 9)).toEqual([]);
});

test('R4.5 a judge that is back within the 15 minutes decides, and nothing is marked', async () => {
  const { base, stored, id, mend } = await outage();
  await base.work();
  await nextTry(base, id);
  mend();
  await nextTry(base, id);
  const { status, judge_failures } = await base.row(id);
  expect([status, judge_failures]).toEqual(['rejected', undefined]);
  expect((await base.row(id)).decision).toMatchObject({
    basis: 'judge',
    grounds: [{ id: stored, type: 'subset' }],
  });
});

test('R4.5 a long pause is no reason to give up: there are at least two more tries', async () => {
  const { base, id } = await outage();
  await base.work();
  base.clock.pass(60 * MINUTE);
  await base.sweep();
  await base.work();
  expect(await base.status(id)).toBe('pending');
  await nextTry(base, id);
  expect([await base.status(id), base.judgeCalls()]).toEqual(['approved', 3]);
});

test('R4.5 the patience is configurable', async () => {
  const base = knowledgeBase({ settings: { judge_patience_ms: 40 * SECOND }, script: { judge: down } });
  await base.admitted(T, 'a b');
  const id = await base.admitted(T, 'a');
  await nextTry(base, id);
  expect(await base.status(id)).toBe('pending');
  await nextTry(base, id);
  expect([await base.status(id), (base.clock.now() - START) / SECOND]).toEqual(['approved', 40]);
});

test.each([
  ['no JSON at all', 'I think it is a duplicate.', 3],
  ['a reply that is cut off', '{"final_decision": "rejected", "rela', 3],
  ['a contradiction that stays after it was sent back', '{"final_decision": "rejected", "relations": []}', 2],
])('R4.5 %s: the item is approved and marked at once', async (_, reply, calls) => {
  const base = knowledgeBase({ script: { judge: () => reply } });
  await base.admitted(T, 'a b');
  const id = await base.admitted(T, 'a');
  expect(base.clock.now()).toBe(START);
  const { decision } = await base.row(id);
  expect(decision).toMatchObject({ status: 'approved', basis: 'last_resort', relations: [], grounds: [] });
  expect(decision?.needs_review).toMatch(/^the judge's answer stayed unreadable: /);
  expect(base.judgeCalls()).toBe(calls);
});

test('R4.5 R4.1 an identical newcomer is rejected while the judge is down', async () => {
  const { base, stored } = await outage();
  const twin = await base.entry(T, 'A  B');
  await base.work();
  expect((await base.row(twin)).decision).toMatchObject({ status: 'rejected', basis: 'identical' });
  expect(await base.helpful(stored)).toBe(2);
});

test('R4.5 a block is honoured while the judge is down', async () => {
  const { base, stored } = await outage();
  await review(base.instance)(curator, stored, reject);
  const twin = await base.entry(T, 'a b');
  await base.work();
  expect(await base.status(twin)).toBe('rejected blocked');
});

/** Runs the item’s tries up to the last one, in which `meanwhile` happens. */
async function lastTry(base: KnowledgeBase, id: string, meanwhile: () => Promise<unknown>): Promise<void> {
  await base.work();
  for (let tries = 1; tries < 6; tries += 1) await nextTry(base, id);
  expect(await base.status(id)).toBe('pending');
  whileJudgeThinks(base.model, meanwhile);
  await nextTry(base, id);
}

test('R4.5 a verdict of last resort still rejects a twin that went live in that moment', async () => {
  const { base, id } = await outage();
  const twin = 'knowledge-20250101-000000-0000000a';
  await lastTry(base, id, () => importEntry(base.another())(curator, twin, { task: T, content: 'a' }));
  expect((await base.row(id)).decision).toMatchObject({
    status: 'rejected',
    reason: 'known',
    grounds: [{ id: twin, type: 'duplicate' }],
  });
});

test('R4.5 a verdict of last resort still honours a block that was set in that moment', async () => {
  const { base, id } = await outage();
  const twin = 'knowledge-20250101-000000-0000000a';
  await lastTry(base, id, async () => {
    await importEntry(base.another())(curator, twin, { task: T, content: 'a' });
    await review(base.another())(curator, twin, reject);
  });
  expect(await base.status(id)).toBe('rejected blocked');
});

test('R4.5 an index that is away is no judge failure: the item waits as long as it takes, and is then judged', async () => {
  const { base, stored, id, mend } = await outage();
  mend();
  let fault: Error | undefined = new IndexUnavailable('the index is away');
  base.options.before = ({ port, method }) => {
    if (fault && port === 'index' && method === 'nearest') throw fault;
  };
  expect(await base.work()).toEqual([
    { kind: 'waits', why: 'the index is away', next_at: START + 15 * SECOND },
  ]);
  for (let minute = 0; minute < 40; minute += 1) {
    base.clock.pass(MINUTE);
    await base.sweep();
    await base.work();
    fault = minute % 2 === 0 ? new Partial('shards are missing') : new IndexUnavailable('the index is away');
  }
  const { status, judge_failures } = await base.row(id);
  expect([status, judge_failures]).toEqual(['pending', undefined]);
  expect(base.judgeCalls()).toBe(0);
  fault = undefined;
  await nextTry(base, id);
  expect((await base.row(id)).decision).toMatchObject({
    basis: 'judge',
    grounds: [{ id: stored, type: 'subset' }],
  });
});
