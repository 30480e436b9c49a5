import { expect, test } from 'vitest';
import { Conflict, InvalidInput, NotFound } from '#lib/core/errors.ts';
import { removeDocument, removeItem } from '#lib/usecases/remove.ts';
import { review } from '#lib/usecases/review.ts';
import { DAY } from '#test/support/clock.ts';
import { curator, file, type KnowledgeBase, knowledgeBase } from '#test/support/instance.ts';

const PATH = 'payment/timeout.md';
const T = 'Timeout';

const check = (base: KnowledgeBase, id: string) => review(base.instance)(curator, id, { action: 'check' });
const reject = (base: KnowledgeBase, id: string) =>
  review(base.instance)(curator, id, { action: 'reject', reason: 'wrong since May' });
const restore = (base: KnowledgeBase, id: string) =>
  review(base.instance)(curator, id, { action: 'restore' });
const statuses = (base: KnowledgeBase, ...ids: string[]) => Promise.all(ids.map((id) => base.status(id)));
const expectMark = async (base: KnowledgeBase, id: string, why: string) => {
  expect((await base.row(id)).decision?.needs_review).toBe(why);
};

test('API a check makes an item checked, keeps it live, and clears the mark', async () => {
  const base = knowledgeBase({ script: { judge: () => 'no verdict' } });
  await base.admitted(T, 'a');
  const id = await base.admitted(T, 'b');
  expect((await base.row(id)).decision?.needs_review).toMatch(/unreadable/);
  expect(await check(base, id)).toMatchObject({ status: 'checked', needs_review: undefined });
  const { status, attempt, decision } = await base.row(id);
  expect([status, attempt, decision?.needs_review]).toEqual(['checked', 2, undefined]);
  const [entry] = await base.ports.ledger.readAfter(2, 1);
  expect(entry).toMatchObject({ event: 'checked', by: 'curator', basis: 'human', item_id: id, attempt: 2 });
  expect(base.instance.catalog.fold.live.has(id)).toBe(true);
});

test('API a checked item is a candidate and a ground like any other', async () => {
  const base = knowledgeBase();
  const id = await base.admitted(T, 'a b');
  await check(base, id);
  const part = await base.admitted(T, 'a');
  expect([await base.status(part), await base.helpful(id)]).toEqual(['rejected known', 2]);
});

test('API a rejection takes an item out of everything, and keeps the human’s words', async () => {
  const base = knowledgeBase();
  const id = await base.published(PATH, file(T, 'a b'));
  await reject(base, id);
  expect(await statuses(base, id)).toEqual(['rejected human']);
  const [entry] = await base.ports.ledger.readAfter(1, 1);
  expect(entry).toMatchObject({ event: 'rejected', reason: 'human', by: 'curator', note: 'wrong since May' });
  expect(await base.ports.mirror.read(PATH)).toBeUndefined();
  expect(base.instance.catalog.fold.live.size).toBe(0);
  expect(await base.ports.bodies.get(id, 'document')).toBe(file(T, 'a b'));
});

test('API a human’s rejection stands for its equals: what leaned stays rejected, marked; a newcomer is blocked, without judge or point', async () => {
  const base = knowledgeBase();
  const id = await base.admitted(T, 'a b');
  const twin = await base.admitted(T, 'a b');
  const part = await base.admitted(T, 'a');
  await reject(base, id);
  expect(await statuses(base, twin, part)).toEqual(['rejected known', 'rejected known']);
  for (const leaning of [twin, part])
    await expectMark(base, leaning, `its ground ${id} was rejected by a human`);
  base.judgeCalls();
  const late = await base.admitted(T, 'a b');
  expect((await base.row(late)).decision).toMatchObject({
    status: 'rejected',
    reason: 'blocked',
    basis: 'blocked',
    grounds: [{ id, type: 'blocked' }],
  });
  expect([base.judgeCalls(), await base.helpful(id)]).toEqual([0, 3]);
});

test('API a block holds at the item’s own path; other words are judged as always', async () => {
  const base = knowledgeBase();
  const id = await base.published(PATH, file(T, 'a b'));
  await reject(base, id);
  const other = await base.published(PATH, file(T, 'c'));
  const again = await base.published(PATH, file(T, 'a b'));
  expect(await statuses(base, other, again)).toEqual(['approved', 'rejected blocked']);
  expect(base.instance.catalog.fold.paths.get(PATH)?.holder).toBe(other);
});

test('API the block and the marks end when the item is restored', async () => {
  const base = knowledgeBase();
  const id = await base.admitted(T, 'a b');
  const part = await base.admitted(T, 'a');
  await reject(base, id);
  const blocked = await base.admitted(T, 'a b');
  expect(await restore(base, id)).toMatchObject({ status: 'approved', attempt: 3 });
  expect((await base.row(part)).decision?.needs_review).toBeUndefined();
  const twin = await base.admitted(T, 'a b');
  expect(await statuses(base, id, blocked, twin)).toEqual(['approved', 'rejected blocked', 'rejected known']);
});

test('API the mark stays while another ground is still rejected by a human', async () => {
  const base = knowledgeBase();
  const one = await base.admitted(T, 'a b');
  const other = await base.admitted(T, 'a c');
  const part = await base.admitted(T, 'a');
  await reject(base, one);
  await reject(base, other);
  await restore(base, one);
  await expectMark(base, part, `its ground ${other} was rejected by a human`);
});

test('API the block ends when the item is removed: what it kept out is judged again', async () => {
  const base = knowledgeBase();
  const id = await base.admitted(T, 'a b');
  await reject(base, id);
  const blocked = await base.admitted(T, 'a b');
  const part = await base.admitted(T, 'a');
  expect(await statuses(base, blocked, part)).toEqual(['rejected blocked', 'approved']);
  await removeItem(base.instance)(curator, id);
  await base.sweep();
  await base.work();
  expect(await statuses(base, blocked)).toEqual(['approved']);
  expect(await base.relations(blocked)).toEqual([{ type: 'superset', target: part }]);
});

test('API what the pipeline rejected can be restored, for ever, and is then found and related to as live', async () => {
  const base = knowledgeBase();
  await base.admitted(T, 'a b');
  const part = await base.admitted(T, 'a');
  base.clock.pass(365 * DAY);
  await restore(base, part);
  expect(await base.status(part)).toBe('approved');
  const row = await base.ports.projections.get('index');
  expect(await base.ports.index.present(row!.physical, [part])).toMatchObject([{ id: part, live: true }]);
});

test('API a replaced document can be restored for 30 days, once its path is free; it starts a lineage', async () => {
  const base = knowledgeBase();
  const old = await base.published(PATH, file(T, 'a b'));
  const id = await base.published(PATH, file(T, 'c d'));
  await expect(restore(base, old)).rejects.toThrow(new Conflict(`its path is held by ${id}`));
  await reject(base, id);
  await restore(base, old);
  expect(await statuses(base, old, id)).toEqual(['approved', 'rejected human']);
  expect(await base.ports.mirror.read(PATH)).toBe(file(T, 'a b'));
  expect((await base.row(old)).decision?.lineage).toBe(old);
  await expect(restore(base, id)).rejects.toThrow(new Conflict(`its path is held by ${old}`));
});

test('API a replaced document is not restored after 30 days, one that a human rejected is', async () => {
  const base = knowledgeBase();
  const old = await base.published(PATH, file(T, 'a b'));
  const id = await base.published(PATH, file(T, 'c d'));
  await reject(base, id);
  base.clock.pass(31 * DAY);
  await expect(restore(base, old)).rejects.toThrow(Conflict);
  await restore(base, id);
  expect(await statuses(base, old, id)).toEqual(['rejected replaced', 'approved']);
});

test('API an upload that waits when an older version is restored is superseded: the restoration is later', async () => {
  const base = knowledgeBase();
  const old = await base.published(PATH, file(T, 'a b'));
  await reject(base, old);
  const { id } = await base.upload(PATH, file(T, 'c d'));
  await restore(base, old);
  await base.work();
  expect(await statuses(base, old, id)).toEqual(['approved', 'rejected superseded']);
});

test.each([
  ['check', check],
  ['reject', reject],
  ['restore', restore],
])('API %s of an item that still waits is a conflict', async (_, act) => {
  const base = knowledgeBase();
  const id = await base.entry(T, 'a');
  await expect(act(base, id)).rejects.toThrow(new Conflict('the item still waits for its decision'));
  expect(await base.ports.ledger.readAfter(0, 9)).toEqual([]);
});

test.each([
  ['a check of a rejected item', 'a', check],
  ['a rejection of a rejected item', 'a', reject],
  ['a restoration of a live item', 'c', restore],
])('API %s is a conflict, and leaves no entry', async (_, words, act) => {
  const base = knowledgeBase();
  await base.admitted(T, 'a b');
  const id = await base.admitted(T, words);
  await expect(act(base, id)).rejects.toThrow(Conflict);
  expect(await base.ports.ledger.readAfter(2, 9)).toEqual([]);
});

test('API what was judged again and waits cannot be restored meanwhile', async () => {
  const base = knowledgeBase();
  const id = await base.admitted(T, 'a b');
  const part = await base.admitted(T, 'a');
  await removeItem(base.instance)(curator, id);
  await expect(restore(base, part)).rejects.toThrow(Conflict);
});

test('API what is unknown, removed, or not yet accepted cannot be reviewed', async () => {
  const base = knowledgeBase();
  const id = await base.published(PATH, file(T, 'a b'));
  await removeDocument(base.instance)(curator, PATH);
  for (const act of [check, reject, restore]) {
    await expect(act(base, id)).rejects.toThrow(NotFound);
    await expect(act(base, 'knowledge-20260101-0000')).rejects.toThrow(NotFound);
  }
});

test('API of two reviews at once the first counts, and the other is told', async () => {
  const base = knowledgeBase();
  const id = await base.admitted(T, 'a');
  const other = base.another();
  await other.catalog.refresh();
  await reject(base, id);
  const late = {
    ...other,
    catalog: { ...other.catalog, refresh: stale(other.catalog.refresh, other.catalog.fold) },
  };
  await expect(review(late)(curator, id, { action: 'check' })).rejects.toThrow(Conflict);
  expect(await base.status(id)).toBe('rejected human');
  expect(await base.ports.ledger.readAfter(2, 9)).toEqual([]);
});

/** A reader that is behind at its first look. */
function stale<Value>(refresh: () => Promise<Value>, behind: Value): () => Promise<Value> {
  let looks = 0;
  return async () => ((looks += 1) === 1 ? behind : refresh());
}

test.each([
  [{ action: 'reject' }, 'reason'],
  [{ action: 'reject', reason: '' }, 'reason'],
  [{ action: 'approve' }, 'action'],
  [{ action: 'check', status: 'approved' }, 'status'],
])('API R3.7 the review %j is refused by the name of its fault', async (input, field) => {
  const base = knowledgeBase();
  const id = await base.admitted(T, 'a');
  const error = await review(base.instance)(curator, id, input).catch((reason: unknown) => reason);
  expect(error).toBeInstanceOf(InvalidInput);
  expect(error).toMatchObject({ field });
  await expect(check(base, id)).resolves.toMatchObject({ status: 'checked' });
});
