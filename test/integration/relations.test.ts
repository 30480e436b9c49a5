import { expect, test } from 'vitest';
import { relationsByType } from '#lib/usecases/relations.ts';
import { removeItem } from '#lib/usecases/remove.ts';
import { review } from '#lib/usecases/review.ts';
import { curator, type KnowledgeBase, knowledgeBase, stranger } from '#test/support/instance.ts';

const T = 'Timeout';
const byType = (base: KnowledgeBase, type: string, item?: string, caller = curator) =>
  relationsByType(base.instance)(caller, type, item);
const sorted = (edges: { type: string; target: string }[]) =>
  edges.toSorted((a, b) => (a.target < b.target ? -1 : 1));

/** A judge that says the same of every pair. */
const says = (relation: { type: string; reverse_type?: string }, final_decision = 'approved') =>
  knowledgeBase({
    script: {
      judge: ({ candidates }) =>
        JSON.stringify({
          final_decision,
          relations: candidates.map(({ id }) => ({ old_id: id, ...relation })),
        }),
    },
  });

test('R2.4 R4.4 every relation reads from both ends, with the inverse that its type has', async () => {
  const base = knowledgeBase();
  const ab = await base.admitted(T, 'a b');
  const abc = await base.admitted(T, 'a b c');
  const not_a = await base.admitted(T, '!a d');
  const d = await base.admitted(T, 'e');
  const other = await base.admitted('Refund', 'a b');
  expect(sorted(await base.relations(ab))).toEqual([
    { type: 'subset', target: abc },
    { type: 'conflict', target: not_a },
    { type: 'complement', target: d },
  ]);
  expect(sorted(await base.relations(abc))).toEqual([
    { type: 'superset', target: ab },
    { type: 'conflict', target: not_a },
    { type: 'complement', target: d },
  ]);
  expect(await base.relations(other)).toEqual([]);
});

test('R2.5 the relation cache answers for a type, for an item, and for all pairs, whatever the direction', async () => {
  const base = knowledgeBase();
  const ab = await base.admitted(T, 'a b');
  const abc = await base.admitted(T, 'a b c');
  const not_a = await base.admitted(T, '!a d');
  const known = async (type: string, item?: string) => {
    const { ids, pairs } = await byType(base, type, item);
    return { ids, pairs: pairs.map((pair) => pair.join(' ')).toSorted() };
  };
  const pair = (one: string, other: string) => `${one} ${other}`;
  expect(await known('conflict')).toEqual({
    ids: [ab, abc, not_a].toSorted(),
    pairs: [pair(ab, not_a), pair(not_a, ab), pair(abc, not_a), pair(not_a, abc)].toSorted(),
  });
  expect(await known('conflict', ab)).toEqual({
    ids: [ab, not_a].toSorted(),
    pairs: [pair(ab, not_a), pair(not_a, ab)].toSorted(),
  });
  expect(await known('superset')).toEqual({ ids: [ab, abc].toSorted(), pairs: [pair(abc, ab)] });
  expect(await known('subset')).toEqual({ ids: [ab, abc].toSorted(), pairs: [pair(ab, abc)] });
  expect(await known('duplicate')).toEqual({ ids: [], pairs: [] });
  expect(await base.ports.relations.types()).toEqual(['conflict', 'subset', 'superset']);
});

test('R2.4 R2.5 a coined type brings its own inverse, and is in the cache like the others', async () => {
  const base = says({ type: 'prerequisite_of', reverse_type: 'requires' });
  const old = await base.admitted(T, 'a');
  const id = await base.admitted(T, 'b');
  expect(await base.relations(id)).toEqual([{ type: 'prerequisite_of', target: old }]);
  expect(await base.relations(old)).toEqual([{ type: 'requires', target: id }]);
  expect(await byType(base, 'requires')).toEqual({ ids: [old, id].toSorted(), pairs: [[old, id]] });
  expect(await base.ports.relations.types()).toEqual(['prerequisite_of', 'requires']);
});

test('R2.4 a coined type without an inverse is its own; with `none` the old side is not written', async () => {
  const own = says({ type: 'rhymes_with' });
  const [a, b] = [await own.admitted(T, 'a'), await own.admitted(T, 'b')];
  expect(await own.relations(a)).toEqual([{ type: 'rhymes_with', target: b }]);
  const one_sided = says({ type: 'quotes', reverse_type: 'none' });
  const [old, id] = [await one_sided.admitted(T, 'a'), await one_sided.admitted(T, 'b')];
  expect(await one_sided.relations(id)).toEqual([{ type: 'quotes', target: old }]);
  expect(await one_sided.relations(old)).toEqual([]);
});

test('R4.2 R4.3 with a coined type the judge’s word stands: rejected, without relations, and without a point', async () => {
  const base = says({ type: 'outdated_by', reverse_type: 'replaces' }, 'rejected');
  const old = await base.admitted(T, 'a');
  const id = await base.admitted(T, 'b');
  expect((await base.row(id)).decision).toMatchObject({
    status: 'rejected',
    reason: 'known',
    basis: 'judge',
    grounds: [{ id: old, type: 'outdated_by' }],
    relations: [],
  });
  expect([await base.helpful(old), await base.relations(old), await base.ports.relations.types()]).toEqual([
    1,
    [],
    [],
  ]);
});

test('R4.3 a rejection writes no relations, not even those that were no ground, and credits its grounds alone', async () => {
  const base = knowledgeBase();
  const whole = await base.admitted(T, 'a b');
  const against = await base.admitted(T, '!a c');
  const id = await base.admitted(T, 'a');
  expect((await base.row(id)).decision?.grounds).toEqual([{ id: whole, type: 'subset' }]);
  expect(await base.ports.relations.of(id)).toEqual([]);
  expect([await base.helpful(whole), await base.helpful(against)]).toEqual([2, 1]);
});

test('R2.5 a relation is shown while both ends are live, and again once both are', async () => {
  const base = knowledgeBase();
  const a = await base.admitted(T, 'a');
  const b = await base.admitted(T, 'b');
  await review(base.instance)(curator, a, { action: 'reject', reason: 'wrong' });
  expect([await base.relations(a), await base.relations(b), await byType(base, 'complement')]).toEqual([
    [],
    [],
    { ids: [], pairs: [] },
  ]);
  await review(base.instance)(curator, a, { action: 'restore' });
  expect(await base.relations(b)).toEqual([{ type: 'complement', target: a }]);
  await removeItem(base.instance)(curator, a);
  expect(await base.relations(b)).toEqual([]);
});

test('R2.5 R6.9 a relation is no longer shown by a function whose rows are behind the ledger', async () => {
  const base = knowledgeBase();
  const a = await base.admitted(T, 'a');
  const b = await base.admitted(T, 'b');
  const { put } = base.ports.relations;
  base.ports.relations.put = () => new Promise(() => undefined);
  void removeItem(base.another())(curator, a);
  while ((await base.ports.ledger.readAfter(2, 1)).length === 0) await undefined;
  base.ports.relations.put = put;
  expect(await base.ports.relations.of(b)).toHaveLength(1);
  expect(await base.relations(b)).toEqual([]);
});

test('R6.8 R2.5 relations with what a caller may not see are not shown to it', async () => {
  const base = knowledgeBase();
  const open = await base.admitted(T, 'a');
  const secret = await base.admitted(T, 'b', { scopes: ['org:a'] });
  expect(await base.relations(open)).toEqual([{ type: 'complement', target: secret }]);
  expect(await base.relations(open, stranger)).toEqual([]);
  expect(await base.relations(secret, stranger)).toEqual([]);
  expect(await byType(base, 'complement', undefined, stranger)).toEqual({ ids: [], pairs: [] });
  const tenant = { principal: 'tenant', scopes: ['org:a'] };
  expect(await base.relations(secret, tenant)).toEqual([{ type: 'complement', target: open }]);
});
