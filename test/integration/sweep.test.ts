import { expect, test } from 'vitest';
import { IndexUnavailable } from '#lib/core/errors.ts';
import { emptyFold } from '#lib/core/fold-state.ts';
import { admit } from '#lib/usecases/admit.ts';
import { createInstance } from '#lib/usecases/instance.ts';
import { removeDocument } from '#lib/usecases/remove.ts';
import { type SweepReport, sweep } from '#lib/usecases/sweep.ts';
import { DAY, HOUR, MINUTE, SECOND } from '#test/support/clock.ts';
import { holdJudge } from '#test/support/held-judge.ts';
import { curator, file, type KnowledgeBase, knowledgeBase } from '#test/support/instance.ts';

const PATH = 'payment/timeout.md';
const T = 'Timeout';

/** What a pass did, without what it found nothing of. */
async function swept(base: KnowledgeBase): Promise<Partial<SweepReport>> {
  return Object.fromEntries(Object.entries(await base.sweep()).filter(([, n]) => n > 0));
}

/** Lets the domains be recomputed, so that nothing is left to do. */
async function settled(base: KnowledgeBase): Promise<KnowledgeBase> {
  base.clock.pass(MINUTE);
  await base.work();
  return base;
}
const physical = async (base: KnowledgeBase) => (await base.ports.projections.get('index'))!.physical;

test('R4.8 with nothing to do a sweep does nothing, and a second one neither', async () => {
  const base = await settled(knowledgeBase());
  expect(await swept(base)).toEqual({});
  await base.published(PATH, file(T, 'a b'));
  await base.admitted(T, 'a');
  await settled(base);
  const { ledger } = base.ports;
  const before = await ledger.readAfter(0, 99);
  expect(await swept(base)).toEqual({});
  expect(await swept(base)).toEqual({});
  expect(await ledger.readAfter(0, 99)).toEqual(before);
});

test('R4.8 a forgotten pending item is queued again after a minute, once', async () => {
  const base = knowledgeBase();
  const id = await base.entry(T, 'a');
  base.ports.queue.take(1);
  base.clock.pass(59 * SECOND);
  expect(await swept(base)).toEqual({});
  base.clock.pass(SECOND);
  expect(await base.sweep()).toMatchObject({ requeued: 1 });
  expect(await swept(base)).toEqual({});
  expect(base.ports.queue.take(9)).toEqual([{ type: 'admit', item_id: id }]);
});

test('R4.8 a pass queues at most 50 items, the oldest first, and the next one the rest', async () => {
  const base = knowledgeBase();
  const ids: string[] = [];
  for (let n = 0; n < 60; n += 1) {
    ids.push(await base.entry(`task ${n}`, 'a'));
    base.clock.pass(SECOND);
  }
  base.ports.queue.take(99);
  base.clock.pass(MINUTE);
  const queued = () =>
    base.ports.queue.take(99).map((message) => (message.type === 'admit' ? message.item_id : ''));
  expect(await base.sweep()).toMatchObject({ requeued: 50 });
  expect(queued()).toEqual(ids.slice(0, 50));
  expect(await base.sweep()).toMatchObject({ requeued: 10 });
  expect(queued()).toEqual(ids.slice(50));
});

test('R4.8 an item that waits for a time that a clock wrote before it stepped back is due', async () => {
  const base = knowledgeBase();
  const id = await base.entry(T, 'a');
  base.ports.queue.take(1);
  base.clock.pass(-10 * MINUTE);
  expect(await swept(base)).toEqual({});
  base.clock.pass(-10 * MINUTE);
  expect(await base.sweep()).toMatchObject({ requeued: 1 });
  await base.work();
  expect(await base.status(id)).toBe('approved');
});

test('R4.6 R4.8 a claim more than a minute ahead has expired, one a little ahead has not', async () => {
  const base = knowledgeBase();
  await base.admitted(T, 'a b');
  await settled(base);
  const id = await base.entry(T, 'c');
  base.ports.queue.take(1);
  const judge = holdJudge(base.model);
  void admit(base.another())(id);
  await judge.asked;
  base.clock.pass(-30 * SECOND);
  expect(await swept(base)).toEqual({});
  base.clock.pass(-MINUTE);
  expect(await base.sweep()).toMatchObject({ claims_ended: 1 });
});

test('R4.8 a lease that its holder never gave back, or that lies ahead, does not stop a projection for good', async () => {
  const base = await settled(knowledgeBase());
  const now = base.clock.now();
  const { projections } = base.ports;
  for (const [name, at] of [
    ['records', now],
    ['mirror', now + 3 * MINUTE],
  ] as const)
    await projections.takeLease(name, { token: 'dead', at }, 0, Number.MAX_SAFE_INTEGER);
  await base.published(PATH, file(T, 'a b'));
  const W = async () => [(await projections.get('records'))?.W, (await projections.get('mirror'))?.W];
  expect(await W()).toEqual([0, 1]);
  base.clock.pass(MINUTE);
  await base.sweep();
  expect(await W()).toEqual([0, 1]);
  base.clock.pass(MINUTE + SECOND);
  await base.sweep();
  expect(await W()).toEqual([1, 1]);
});

test('R4.8 what a worker appended and could not project is projected', async () => {
  const base = knowledgeBase();
  const id = await base.entry(T, 'a');
  base.options.before = ({ port, method }) => {
    if (port === 'projections' && method === 'takeLease') throw new IndexUnavailable('no projection today');
  };
  await base.work();
  expect(await base.status(id)).toBe('processing');
  base.options.before = undefined;
  await base.sweep();
  expect(await base.row(id)).toMatchObject({ status: 'approved', pos: 1 });
  expect((await base.row(id)).claim).toBeUndefined();
  expect(await base.ports.index.present(await physical(base), [id])).toEqual([
    { id, version: 1, live: true },
  ]);
});

/** An upload whose process dies before the call, and never hears of it again. */
async function diesAt(base: KnowledgeBase, port: string, method: string): Promise<void> {
  const died = Promise.withResolvers<void>();
  base.options.before = (call) => {
    if (call.port !== port || call.method !== method) return;
    base.options.before = undefined;
    died.resolve();
    return new Promise(() => undefined);
  };
  void base.upload(PATH, file(T, 'a b'));
  await died.promise;
}

test('R4.8 R3.2 an upload that died once its path named it is accepted', async () => {
  const base = knowledgeBase();
  await diesAt(base, 'items', 'accept');
  const { latest_id: id = '' } = (await base.ports.paths.get(PATH))!;
  expect(await base.status(id)).toBe('received');
  base.clock.pass(MINUTE);
  expect(await swept(base)).toEqual({});
  base.clock.pass(MINUTE);
  expect(await swept(base)).toEqual({ accepted: 1 });
  await base.work();
  expect(await base.status(id)).toBe('approved');
});

test('R4.8 R3.2 an upload that died before its path named it is dropped after an hour, and its body after two', async () => {
  const base = knowledgeBase();
  await diesAt(base, 'paths', 'advance');
  base.clock.pass(59 * MINUTE);
  expect(await swept(base)).toEqual({});
  base.clock.pass(2 * MINUTE);
  expect(await swept(base)).toEqual({ dropped: 1 });
  base.clock.pass(HOUR);
  expect(await swept(base)).toEqual({ bodies_swept: 1 });
  expect(await base.ports.bodies.list('', Number.MAX_SAFE_INTEGER, 9)).toEqual([]);
  expect(await swept(base)).toEqual({});
});

test('R4.8 R3.2 a body without an item is swept after two hours, one with an item never', async () => {
  const base = knowledgeBase();
  await base.published('payment/other.md', file('Refund', 'a'));
  await settled(base);
  await diesAt(base, 'items', 'insert');
  base.clock.pass(119 * MINUTE);
  expect(await swept(base)).toEqual({});
  base.clock.pass(2 * MINUTE);
  expect(await swept(base)).toEqual({ bodies_swept: 1 });
  expect(await base.ports.bodies.list('', Number.MAX_SAFE_INTEGER, 9)).toHaveLength(1);
});

test('R4.8 an object of the mirror that is wrong, missing, or nobody’s is mended', async () => {
  const base = knowledgeBase();
  const { mirror } = base.ports;
  await base.published(PATH, file(T, 'a b'));
  await base.published('payment/refund.md', file('Refund', 'c'));
  await settled(base);
  const etag = async (path: string) => (await mirror.head(path))?.etag;
  await mirror.put(PATH, 'somebody', 'scribble', await etag(PATH));
  await mirror.remove('payment/refund.md', (await etag('payment/refund.md'))!);
  await mirror.put('payment/ghost.md', 'nobody', 'ghost', undefined);
  expect(await swept(base)).toEqual({ mirror_mended: 3 });
  const texts = await Promise.all(
    [PATH, 'payment/refund.md', 'payment/ghost.md'].map((path) => mirror.read(path)),
  );
  expect(texts).toEqual([file(T, 'a b'), file('Refund', 'c'), undefined]);
  expect(await swept(base)).toEqual({});
});

test('R4.8 an item that the index lost, and one that it kept, are mended', async () => {
  const base = knowledgeBase();
  const { index, vectors } = base.ports;
  const kept = await base.published(PATH, file(T, 'a b'));
  const lost = await base.published(PATH, file(T, 'c d'));
  await settled(base);
  const name = await physical(base);
  await index.drop(name);
  await index.create(name);
  const { vector } = (await vectors.tasks([kept]))[0]!;
  const about = { domain: 'payment', scopes: [], title: T, keywords: [], about: '' };
  await index.bulk(name, [{ id: kept, version: 1, live: true, ...about, task_vector: vector, sections: [] }]);
  expect(await swept(base)).toEqual({ index_mended: 2 });
  expect(await index.present(name, [kept, lost])).toMatchObject([
    { id: kept, live: false },
    { id: lost, live: true },
  ]);
  expect(await swept(base)).toEqual({});
});

test('R4.8 an index that is wiped is made anew under another name and filled, and indexes without a name are reaped', async () => {
  const base = knowledgeBase();
  const id = await base.published(PATH, file(T, 'a b'));
  const replaced = await base.published('payment/refund.md', file('Refund', 'a'));
  const later = await base.published('payment/refund.md', file('Refund', 'b'));
  await settled(base);
  const old = await physical(base);
  await base.ports.index.drop(old);
  await base.ports.index.create('knowledge-left-behind');
  expect(await swept(base)).toEqual({ indices_reaped: 1 });
  const name = await physical(base);
  expect([name === old, await base.ports.index.list()]).toEqual([false, [name]]);
  const there = await base.ports.index.present(name, [id, replaced, later]);
  expect(there.filter(({ live }) => live).map((each) => each.id)).toEqual([id, later]);
  expect(await base.ports.projections.get('index')).toMatchObject({ W: 3 });
});

test('R4.8 R5.1 a domain without a text is queued', async () => {
  const base = knowledgeBase();
  await base.published(PATH, file(T, 'a b'));
  base.clock.pass(MINUTE);
  base.ports.queue.take(9);
  expect(await swept(base)).toEqual({ domains_queued: 1 });
  await base.work();
  expect(await base.ports.domains.get('payment')).toMatchObject({
    description: expect.stringMatching(/^1 items/),
  });
  expect(await swept(base)).toEqual({});
});

test('R3.5 R3.6 a replaced version is kept for 30 days, and erased after them', async () => {
  const base = knowledgeBase();
  const old = await base.published(PATH, file(T, 'a b'));
  base.clock.pass(90 * DAY);
  const id = await base.published(PATH, file(T, 'c d'));
  await settled(base);
  base.clock.pass(30 * DAY - HOUR);
  expect(await swept(base)).toEqual({});
  expect(await base.ports.bodies.get(old, 'document')).toBe(file(T, 'a b'));
  base.clock.pass(HOUR);
  expect(await swept(base)).toEqual({ expired_erased: 1 });
  expect([await base.status(old), await base.status(id)]).toEqual(['removed', 'approved']);
  expect(await base.ports.bodies.get(old, 'document')).toBeUndefined();
  expect(await base.ports.mirror.read(PATH)).toBe(file(T, 'c d'));
  expect(await swept(base)).toEqual({});
});

test('R4.8 where one step fails the others go on', async () => {
  const base = await settled(knowledgeBase());
  await base.entry(T, 'a');
  base.ports.queue.take(1);
  base.clock.pass(MINUTE);
  base.options.before = ({ port }) => {
    if (port === 'index' || port === 'mirror' || port === 'projections') throw new IndexUnavailable('away');
  };
  expect(await swept(base)).toEqual({ requeued: 1 });
});

test('R6.9 a function that starts anew reads the ledger to its end, in pages', async () => {
  const base = knowledgeBase();
  const { ledger } = base.ports;
  const id = await base.published(PATH, file(T, 'a b'));
  const [first] = await ledger.readAfter(0, 1);
  for (let position = 2; position <= 1201; position += 1)
    await ledger.put({ ...first!, event: 'amended', by: 'sweep', position, decision_id: `d-${position}` });
  const fresh = createInstance(base.ports);
  expect(fresh.catalog.fold).toEqual(emptyFold());
  expect((await fresh.catalog.refresh()).items.get(id)).toMatchObject({ live_pos: 1201 });
  await sweep(fresh)();
  for (const name of ['records', 'mirror', 'index'])
    expect(await base.ports.projections.get(name)).toMatchObject({ W: 1201 });
  await removeDocument(base.instance)(curator, PATH);
  expect((await fresh.catalog.refresh()).live.size).toBe(0);
});
