import { expect, test } from 'vitest';
import { IndexUnavailable, ModelUnavailable } from '#lib/core/errors.ts';
import { importEntry } from '#lib/usecases/import-entry.ts';
import { relationsByType } from '#lib/usecases/relations.ts';
import { review } from '#lib/usecases/review.ts';
import { MINUTE } from '#test/support/clock.ts';
import { curator, file, knowledgeBase } from '#test/support/instance.ts';

const T = 'Timeout';
const PATH = 'payment/timeout.md';
const ID = 'knowledge-20250101-000000-0000000a';

// the side that is not written is shown under the type `none`.
test('R2.4 R2.5 a reverse of `none` is in no answer of the relation cache', async () => {
  const base = knowledgeBase({
    script: {
      judge: ({ candidates }) =>
        JSON.stringify({
          final_decision: 'approved',
          relations: candidates.map(({ id }) => ({ old_id: id, type: 'quotes', reverse_type: 'none' })),
        }),
    },
  });
  await base.admitted(T, 'a');
  await base.admitted(T, 'b');
  expect(await relationsByType(base.instance)(curator, 'none')).toEqual({ ids: [], pairs: [] });
});

// one document for which the model has no usable answer keeps all others from being completed, for ever.
test('R4.8 R3.2 a document that the model cannot describe does not keep the others waiting', async () => {
  const base = knowledgeBase({ script: { frontmatter: () => new ModelUnavailable('down') } });
  const first = await base.published('payment/a.md', '# Poison\n\na\n');
  const second = await base.published('payment/b.md', '# Fine\n\nb\n');
  const good = JSON.stringify({
    title: 't',
    summary: 's',
    keywords: ['k'],
    covers: ['c'],
    when_to_retrieve: 'w',
  });
  base.model.script.frontmatter = ({ path }) => (path === 'payment/a.md' ? 'I cannot help with that.' : good);
  await base.sweep();
  await base.sweep();
  expect([
    (await base.row(first)).fields.missing.length > 0,
    (await base.row(second)).fields.missing,
  ]).toEqual([true, []]);
});

// an import that is in the ledger, while the records projection is away for a day: the sweep drops its row.
test('R4.8 R3.1 an imported item whose projection is late keeps its row', async () => {
  const base = knowledgeBase();
  base.options.before = ({ port, method }) => {
    if (port === 'projections' && method === 'takeLease') throw new IndexUnavailable('no projection today');
  };
  await importEntry(base.instance)(curator, ID, { task: T, content: 'a' });
  base.clock.pass(25 * 60 * MINUTE);
  await base.sweep();
  base.options.before = undefined;
  await base.sweep();
  expect(base.instance.catalog.fold.items.get(ID)?.status).toBe('approved');
  expect((await base.ports.items.get(ID))?.status).toBe('approved');
});

// what was rejected without a recall (identical, blocked, superseded) may have no task vector. A restoration stores
// section vectors only: the item is live, parked by the index projection for good, and not found by meaning.
test('R6.9 API a restored item is in the index, also when it was rejected before anybody embedded it', async () => {
  const base = knowledgeBase();
  const first = await base.admitted(T, 'a');
  const { embed } = base.model.script;
  base.model.script.embed = () => new ModelUnavailable('down');
  const twin = await base.entry(T, 'a');
  base.model.script.embed = embed!;
  await base.work();
  expect(await base.status(twin)).toBe('rejected known');
  await review(base.instance)(curator, first, { action: 'reject', reason: 'wrong' });
  await review(base.instance)(curator, twin, { action: 'restore' });
  await base.sweep();
  const row = (await base.ports.projections.get('index'))!;
  expect([row.parked, await base.ports.index.present(row.physical, [twin])]).toMatchObject([
    [],
    [{ id: twin, live: true }],
  ]);
});

// an id of another form is taken as it is.
test('R3.1 R2.1 an import under an id that is none is refused by name', async () => {
  const base = knowledgeBase();
  const error = await importEntry(base.instance)(curator, '../x', { task: T, content: 'a' }).catch(
    (e: unknown) => e,
  );
  expect(error).toMatchObject({ field: 'id' });
});

// a restoration that was overtaken at its path ends `superseded` and answers as if it had worked.
test('API a restoration that was overtaken at its path is a conflict, and what leaned on the item still rests on something', async () => {
  const base = knowledgeBase();
  const id = await base.published(PATH, file(T, 'a b'));
  const leaning = await base.admitted(T, 'a');
  await review(base.instance)(curator, id, { action: 'reject', reason: 'wrong' });
  const other = base.another();
  let overtaken = false;
  base.options.before = async ({ port, method, args }) => {
    const entry = args[0] as { event?: string };
    if (port !== 'ledger' || method !== 'put' || entry.event !== 'restored' || overtaken) return;
    overtaken = true;
    const late = await base.upload(PATH, file(T, 'c d'));
    await base.work();
    await review(base.instance)(curator, late.id, { action: 'reject', reason: 'wrong' });
  };
  const outcome = await review(other)(curator, id, { action: 'restore' }).then(
    ({ status, reason }) => `${status} ${reason ?? ''}`,
    () => 'conflict',
  );
  expect([outcome, await base.status(id), await base.status(leaning)]).toEqual([
    expect.stringMatching(/^(conflict|approved )$/),
    expect.anything(),
    expect.anything(),
  ]);
});

test('API the mark stays while another ground is still rejected by a human', async () => {
  const base = knowledgeBase();
  const a = await base.admitted(T, 'a b');
  const b = await base.admitted(T, 'a c');
  const part = await base.admitted(T, 'a');
  const human = (id: string, action: object) => review(base.instance)(curator, id, action);
  await human(a, { action: 'reject', reason: 'wrong' });
  await human(b, { action: 'reject', reason: 'wrong' });
  await human(a, { action: 'restore' });
  expect((await base.row(part)).decision).toMatchObject({
    reason: 'known',
    needs_review: `its ground ${b} was rejected by a human`,
  });
});
