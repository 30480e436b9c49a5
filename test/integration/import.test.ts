import { expect, test } from 'vitest';
import { IndexUnavailable, InvalidInput, ModelUnavailable } from '#lib/core/errors.ts';
import { importEntry } from '#lib/usecases/import-entry.ts';
import { removeItem } from '#lib/usecases/remove.ts';
import { review } from '#lib/usecases/review.ts';
import { HOUR } from '#test/support/clock.ts';
import { curator, type KnowledgeBase, knowledgeBase } from '#test/support/instance.ts';

const T = 'Timeout';
const ID = 'knowledge-20250101-000000-0000000a';
const bring = (base: KnowledgeBase, id: string, content: string, more = {}) =>
  importEntry(base.instance)(curator, id, { task: T, content, ...more });

test('R3.1 an imported entry is approved under its own id, without a judge, relations or points', async () => {
  const base = knowledgeBase();
  const stored = await base.admitted(T, 'a b');
  base.judgeCalls();
  expect(await bring(base, ID, 'a b', { domain: 'payment' })).toEqual({ id: ID, imported: true });
  expect(await base.row(ID)).toMatchObject({
    status: 'approved',
    domain: 'payment',
    decision: { basis: 'import', relations: [], grounds: [], lineage: ID, attempt: 1 },
  });
  expect([base.judgeCalls(), await base.helpful(stored), await base.relations(ID)]).toEqual([0, 1, []]);
  const [entry] = await base.ports.ledger.readAfter(1, 1);
  expect(entry).toMatchObject({ event: 'imported', by: 'curator', item_id: ID });
  expect([...base.instance.catalog.fold.live.keys()]).toEqual([stored, ID]);
});

test('R3.1 importing twice, or side by side, is importing once', async () => {
  const base = knowledgeBase();
  await Promise.all([
    bring(base, ID, 'a'),
    importEntry(base.another())(curator, ID, { task: T, content: 'a' }),
  ]);
  const before = await base.row(ID);
  expect(await bring(base, ID, 'a')).toEqual({ id: ID, imported: false });
  expect(await bring(base, ID, 'other words')).toEqual({ id: ID, imported: false });
  expect(await base.row(ID)).toEqual(before);
  expect(await base.ports.bodies.get(ID, 'entry')).toBe('a');
  expect(await base.ports.ledger.readAfter(0, 9)).toHaveLength(1);
});

test('R3.1 R3.6 what was deleted does not come back by an import under its id', async () => {
  const base = knowledgeBase();
  await bring(base, ID, 'a');
  await removeItem(base.instance)(curator, ID);
  expect(await bring(base, ID, 'a')).toEqual({ id: ID, imported: false });
  expect(await base.status(ID)).toBe('removed');
});

test('R3.1 an imported item is candidate and ground for what comes after it', async () => {
  const base = knowledgeBase();
  await bring(base, ID, 'a b');
  const part = await base.admitted(T, 'a');
  expect((await base.row(part)).decision?.grounds).toEqual([{ id: ID, type: 'subset' }]);
  expect(await base.helpful(ID)).toBe(2);
});

test('R3.1 API an import is a human’s act: it passes a block', async () => {
  const base = knowledgeBase();
  const id = await base.admitted(T, 'a');
  await review(base.instance)(curator, id, { action: 'reject', reason: 'wrong' });
  await bring(base, ID, 'a');
  expect(await base.status(ID)).toBe('approved');
});

test('R3.1 with the model down an import fails, goes nowhere, and can be repeated; what it left is swept', async () => {
  const base = knowledgeBase();
  const { embed } = base.model.script;
  base.model.script.embed = () => new ModelUnavailable('down');
  await expect(bring(base, ID, 'a')).rejects.toThrow(ModelUnavailable);
  expect([await base.status(ID), await base.ports.ledger.readAfter(0, 9)]).toEqual(['received', []]);
  base.model.script.embed = embed!;
  expect(await bring(base, ID, 'a')).toEqual({ id: ID, imported: true });
  base.model.script.embed = () => new ModelUnavailable('down');
  const other = 'knowledge-20250101-000000-0000000b';
  await expect(bring(base, other, 'b')).rejects.toThrow(ModelUnavailable);
  base.clock.pass(25 * HOUR);
  expect(await base.sweep()).toMatchObject({ dropped: 1, accepted: 0 });
  expect(await base.ports.items.get(other)).toBeUndefined();
  expect(await base.status(ID)).toBe('approved');
});

test('R4.8 R3.1 an imported item whose projection is late keeps its row', async () => {
  const base = knowledgeBase({
    before: ({ port, method }) => {
      if (port === 'projections' && method === 'takeLease') throw new IndexUnavailable('no projection today');
    },
  });
  await bring(base, ID, 'a');
  base.clock.pass(2 * HOUR);
  await base.sweep();
  base.options.before = undefined;
  await base.sweep();
  expect([base.instance.catalog.fold.items.get(ID)?.status, await base.status(ID)]).toEqual([
    'approved',
    'approved',
  ]);
});

test.each([
  ['content', { content: ' ' }],
  ['task', { task: '' }],
  ['status', { status: 'approved' }],
])(
  'R3.1 R3.7 an import with a wrong %s is refused by that name, and writes nothing',
  async (field, wrong) => {
    const base = knowledgeBase();
    const error = await importEntry(base.instance)(curator, ID, { task: T, content: 'a', ...wrong }).catch(
      (reason: unknown) => reason,
    );
    expect(error).toBeInstanceOf(InvalidInput);
    expect(error).toMatchObject({ field });
    expect(base.calls).toEqual([]);
  },
);

test.each(['knowledge-20250101-a1b2', 'knowledge-20250101-000000-a1b2'])(
  'R2.1 the older id %s stays valid',
  async (id) => {
    const base = knowledgeBase();
    expect(await bring(base, id, 'a')).toEqual({ id, imported: true });
    expect(await base.status(id)).toBe('approved');
  },
);
