import { expect, test } from 'vitest';
import { NotFound } from '#lib/core/errors.ts';
import { knowledgeMap } from '#lib/usecases/knowledge-map.ts';
import { lookup } from '#lib/usecases/lookup.ts';
import { relationsByType } from '#lib/usecases/relations.ts';
import { removeDocument, removeItem } from '#lib/usecases/remove.ts';
import { whileJudgeThinks } from '#test/support/held-judge.ts';
import { curator, file, type KnowledgeBase, knowledgeBase, stranger } from '#test/support/instance.ts';

const PATH = 'payment/timeout.md';
const OTHER = 'payment/refund.md';
const T = 'Timeout';

const remove = (base: KnowledgeBase, path: string) => removeDocument(base.instance)(curator, path);
const statuses = (base: KnowledgeBase, ...ids: string[]) => Promise.all(ids.map((id) => base.status(id)));

/** What a lookup hands over, by id, as a function that has just started sees it. */
async function found(base: KnowledgeBase, query: string): Promise<{ level: string; ids: string[] }> {
  const { level, documents } = await lookup(base.another())(stranger, { query });
  return { level, ids: documents.map(({ id }) => id) };
}

/** What the index says of an item. */
async function indexed(base: KnowledgeBase, id: string): Promise<boolean> {
  const row = await base.ports.projections.get(await base.ports.projections.pointer());
  const [there] = await base.ports.index.present(row!.physical, [id]);
  return there?.live ?? false;
}

test('R3.5 identical bytes at the same path: nothing happens, same id, pending or live', async () => {
  const base = knowledgeBase();
  const first = await base.upload(PATH, file(T, 'a b'));
  const before = base.calls.length;
  const again = { id: first.id, path: PATH, unchanged: true, warnings: [], generated: [], missing: [] };
  expect(await base.upload(PATH, file(T, 'a b'))).toEqual({ ...again, status: 'pending' });
  await base.work();
  expect(await base.upload(PATH, file(T, 'a b'))).toEqual({ ...again, status: 'approved' });
  const bodies = base.calls.slice(before).filter(({ port, method }) => port === 'bodies' && method === 'put');
  expect([bodies.length, base.ports.queue.take(9)]).toEqual([0, []]);
});

test('R3.5 the same bytes with other readers or another owner are another version', async () => {
  const base = knowledgeBase();
  const id = await base.published(PATH, file(T, 'a b'));
  const scoped = await base.upload(PATH, file(T, 'a b'), { scopes: ['org:a'] });
  expect([scoped.unchanged, scoped.id === id]).toEqual([false, false]);
  expect((await base.upload(PATH, file(T, 'a b'), { scopes: ['org:a'], owner: 'agent:x' })).unchanged).toBe(
    false,
  );
});

test('R3.5 the old version answers until the new one is admitted, and then no more', async () => {
  const base = knowledgeBase();
  const old = await base.published(PATH, file(T, 'a b'));
  const { id } = await base.upload(PATH, file(T, 'a b c'));
  expect(await found(base, T)).toEqual({ level: 'L0', ids: [old] });
  expect(await base.ports.mirror.read(PATH)).toBe(file(T, 'a b'));
  await base.work();
  expect(await found(base, T)).toEqual({ level: 'L0', ids: [id] });
  expect(await statuses(base, old, id)).toEqual(['rejected replaced', 'approved']);
  expect(await base.ports.mirror.read(PATH)).toBe(file(T, 'a b c'));
  expect([await indexed(base, old), await indexed(base, id)]).toEqual([false, true]);
});

test('R3.5 the old version is no candidate against its successor, and gets no point from it', async () => {
  const base = knowledgeBase();
  const old = await base.published(PATH, file(T, 'a b'));
  const id = await base.published(PATH, file(T, 'a'));
  expect(await statuses(base, old, id)).toEqual(['rejected replaced', 'approved']);
  expect([base.judgeCalls(), await base.helpful(id)]).toEqual([0, 1]);
  expect((await base.row(id)).decision).toMatchObject({
    basis: 'no_candidates',
    relations: [],
    lineage: old,
  });
});

test('R3.5 the eval carries over to the successor, and goes on there', async () => {
  const base = knowledgeBase();
  const old = await base.published(PATH, file(T, 'a b'));
  await base.admitted(T, 'a');
  expect(await base.helpful(old)).toBe(2);
  // The successor holds the entry's words no more, so the entry is judged again and stays.
  const id = await base.published(PATH, file(T, 'x y'));
  expect(await base.helpful(id)).toBe(2);
  await base.admitted(T, 'y');
  expect(await base.helpful(id)).toBe(3);
});

test('R3.5 R3.6 what was rejected because of the replaced version is judged again', async () => {
  const base = knowledgeBase();
  const old = await base.published(PATH, file(T, 'a b'));
  const leaning = await base.admitted(T, 'a');
  expect(await base.status(leaning)).toBe('rejected known');
  const id = await base.published(PATH, file(T, 'x y'));
  expect(await base.row(leaning)).toMatchObject({ status: 'pending', attempt: 2 });
  await base.sweep();
  await base.work();
  expect(await statuses(base, old, id, leaning)).toEqual(['rejected replaced', 'approved', 'approved']);
  expect(await base.relations(leaning)).toEqual([{ type: 'complement', target: id }]);
});

test('R3.5 a rejected successor leaves the old version in force', async () => {
  const base = knowledgeBase();
  const old = await base.published(PATH, file(T, 'a b'));
  const other = await base.published(OTHER, file(T, 'x y z'));
  const id = await base.published(PATH, file(T, 'x y'));
  expect(await statuses(base, old, other, id)).toEqual(['approved', 'approved', 'rejected known']);
  expect(await base.ports.mirror.read(PATH)).toBe(file(T, 'a b'));
  expect(base.instance.catalog.fold.paths.get(PATH)).toMatchObject({ holder: old, maxseq: 1 });
  expect((await found(base, T)).ids.toSorted()).toEqual([old, other].toSorted());
});

test.each([
  ['in order', [0, 1, 2]],
  ['the latest first', [2, 0, 1]],
  ['the latest in the middle', [1, 2, 0]],
])('R3.5 of several uploads of one path the latest wins, judged %s', async (_, order) => {
  const base = knowledgeBase();
  for (const words of ['a', 'b', 'c']) await base.upload(PATH, file(T, words));
  const messages = base.ports.queue.take(9);
  const ids = messages.map((message) => (message.type === 'admit' ? message.item_id : ''));
  for (const n of order) await base.ports.queue.send(messages[n]!);
  await base.work();
  const [first = '', second = '', last = ''] = ids;
  expect(await base.status(last)).toBe('approved');
  for (const id of [first, second]) expect(await base.status(id)).toMatch(/^rejected (superseded|replaced)$/);
  expect(await base.ports.mirror.read(PATH)).toBe(file(T, 'c'));
  expect([...base.instance.catalog.fold.live.keys()]).toEqual([last]);
});

test('R3.6 a deleted document is gone at once for keyword, meaning, relations and map', async () => {
  const base = knowledgeBase();
  const id = await base.published(PATH, file(T, 'a b'));
  const other = await base.published(OTHER, file(T, 'a !c'));
  const third = await base.admitted(T, 'c');
  expect(await relationsByType(base.instance)(curator, 'conflict', third)).toMatchObject({
    ids: [other, third].toSorted(),
  });
  expect(await remove(base, OTHER)).toEqual({ id: other });
  expect(await found(base, T)).toEqual({ level: 'L0', ids: [id] });
  expect(await indexed(base, other)).toBe(false);
  expect(await base.relations(third)).toEqual([{ type: 'complement', target: id }]);
  expect(await relationsByType(base.instance)(curator, 'conflict')).toEqual({ ids: [], pairs: [] });
  await remove(base, PATH);
  expect(await found(base, T)).toEqual({ level: 'L1', ids: [third] });
  await removeItem(base.instance)(curator, third);
  expect(await found(base, T)).toEqual({ level: 'none', ids: [] });
  expect(await knowledgeMap(base.another())(stranger)).not.toContain(T);
});

test('R3.6 a deletion erases: body, vectors, row, ledger payload, relation rows, history at others, mirror', async () => {
  const base = knowledgeBase();
  const { ports } = base;
  const ground = await base.admitted(T, 'secret_a secret_b');
  const rejected = await base.published(PATH, file(T, 'secret_a'));
  const related = await base.published(OTHER, file(T, 'secret_a secret_c'));
  expect((await ports.evaluations.get(ground))?.history.map(({ related_id }) => related_id)).toEqual([
    rejected,
  ]);
  expect(await ports.relations.of(related)).toHaveLength(1);
  await remove(base, PATH);
  await remove(base, OTHER);
  for (const id of [rejected, related]) {
    expect(await ports.bodies.get(id, 'document')).toBeUndefined();
    expect(await ports.vectors.tasks([id])).toEqual([]);
    expect(await ports.vectors.sections(id, 'scripted-embedder')).toBeUndefined();
    expect(await ports.relations.of(id)).toEqual([]);
    const row = await base.row(id);
    expect(row).toMatchObject({
      status: 'removed',
      task: '',
      metadata: '',
      excerpt: '',
      owner: '',
      domain: '',
    });
    expect(row.fields).toMatchObject({ title: '', summary: '', keywords: [], covers: [] });
  }
  const entries = (await ports.ledger.readAfter(0, 99)).filter(({ item_id }) => item_id !== ground);
  expect(entries.filter(({ live }) => live !== undefined)).toEqual([]);
  expect(entries.filter(({ erased }) => erased)).toMatchObject([{ event: 'admitted', item_id: related }]);
  expect(await ports.evaluations.get(ground)).toMatchObject({ points: 1, history: [] });
  expect(await ports.mirror.list('', 9)).toEqual([]);
});

test('R3.6 R5.1 the domain of a deleted document is recomputed', async () => {
  const base = knowledgeBase();
  await base.published(PATH, file(T, 'a b'));
  base.clock.pass(60_000);
  await base.work();
  const before = await base.ports.domains.get('payment');
  expect(before).toMatchObject({ dirty_position: 1, computed_position: 1 });
  await remove(base, PATH);
  expect(await base.ports.domains.get('payment')).toMatchObject({ dirty_position: 2, computed_position: 1 });
  base.clock.pass(60_000);
  expect(base.ports.queue.take(9)).toEqual([{ type: 'recompute', domain_id: 'payment' }]);
});

test('R3.6 what was rejected because of a deleted item is judged again', async () => {
  const base = knowledgeBase();
  const ground = await base.admitted(T, 'a b');
  const twin = await base.admitted(T, 'a b');
  const part = await base.admitted(T, 'a');
  expect(await statuses(base, twin, part)).toEqual(['rejected known', 'rejected known']);
  await removeItem(base.instance)(curator, ground);
  await base.sweep();
  await base.work();
  expect(await statuses(base, ground, twin, part)).toEqual(['removed', 'approved', 'rejected known']);
  expect((await base.row(part)).decision).toMatchObject({
    attempt: 2,
    grounds: [{ id: twin, type: 'subset' }],
  });
  expect([await base.helpful(twin)]).toEqual([2]);
});

test('R3.5 R3.6 a delete also ends the pending uploads of its path', async () => {
  const base = knowledgeBase();
  const live = await base.published(PATH, file(T, 'a b'));
  const { id: first } = await base.upload(PATH, file(T, 'c'));
  const { id: second } = await base.upload(PATH, file(T, 'd'));
  expect(await remove(base, PATH)).toEqual({ id: live });
  await base.work();
  expect(await statuses(base, live, first, second)).toEqual(['removed', 'removed', 'removed']);
  for (const id of [first, second]) expect(await base.ports.bodies.get(id, 'document')).toBeUndefined();
  const { id: later } = await base.upload(PATH, file(T, 'd'));
  await base.work();
  expect(later).not.toBe(second);
  expect(await base.status(later)).toBe('approved');
});

test('R3.6 a pending document and a pending entry can be deleted, and what a worker says later is void', async () => {
  const base = knowledgeBase();
  const { id } = await base.upload(PATH, file(T, 'a b'));
  const entry = await base.entry(T, 'c');
  expect(await remove(base, PATH)).toEqual({ id });
  expect(await removeItem(base.instance)(curator, entry)).toEqual({ id: entry });
  await base.work();
  expect(await statuses(base, id, entry)).toEqual(['removed', 'removed']);
  expect([...base.instance.catalog.fold.live.keys()]).toEqual([]);
  for (const kind of ['document', 'entry'] as const)
    expect(
      await base.ports.bodies.getMany([
        { id, kind },
        { id: entry, kind },
      ]),
    ).toEqual(new Map());
});

test('R3.6 a delete while the judge thinks: the item is removed, not admitted', async () => {
  const base = knowledgeBase();
  await base.admitted(T, 'a b');
  const entry = await base.entry(T, 'c');
  whileJudgeThinks(base.model, () => removeItem(base.another())(curator, entry));
  await base.work();
  expect([base.judgeCalls(), await base.status(entry)]).toEqual([1, 'removed']);
  expect(base.instance.catalog.fold.live.has(entry)).toBe(false);
});

test('R3.6 the delete of an old version by its id leaves the one in force; of the one in force it frees the path', async () => {
  const base = knowledgeBase();
  const old = await base.published(PATH, file(T, 'a b'));
  const id = await base.published(PATH, file(T, 'c d'));
  await removeItem(base.instance)(curator, old);
  expect(await statuses(base, old, id)).toEqual(['removed', 'approved']);
  expect(await base.ports.mirror.read(PATH)).toBe(file(T, 'c d'));
  await removeItem(base.instance)(curator, id);
  expect(await base.status(id)).toBe('removed');
  expect(await base.ports.mirror.read(PATH)).toBeUndefined();
  expect(await base.ports.paths.get(PATH)).toEqual({ path: PATH, seq: 3, scopes: [], owner: 'curator' });
});

test('R3.6 what is not there, or was deleted before, cannot be deleted', async () => {
  const base = knowledgeBase();
  const id = await base.published(PATH, file(T, 'a b'));
  await remove(base, PATH);
  await expect(remove(base, PATH)).rejects.toThrow(NotFound);
  await expect(remove(base, OTHER)).rejects.toThrow(NotFound);
  await expect(removeItem(base.instance)(curator, id)).rejects.toThrow(NotFound);
  await expect(removeItem(base.instance)(curator, 'knowledge-20260101-0000')).rejects.toThrow(NotFound);
});

test('R3.6 the same bytes after a delete are a new document, with a lineage of its own', async () => {
  const base = knowledgeBase();
  const id = await base.published(PATH, file(T, 'a b'));
  await base.admitted(T, 'a');
  await remove(base, PATH);
  const again = await base.published(PATH, file(T, 'a b'));
  expect([again === id, await base.status(again), await base.helpful(again)]).toEqual([false, 'approved', 1]);
});
