import { expect, test } from 'vitest';
import { auditIndex } from '#lib/usecases/audit.ts';
import { review } from '#lib/usecases/review.ts';
import { curator, file, knowledgeBase } from '#test/support/instance.ts';

test('R4.8 R6.9 what is rejected while the index is asked stays out of it, on a catalog from a snapshot, too', async () => {
  const base = knowledgeBase({ settings: { snapshot_every: 1 } });
  const id = await base.published('d/a.md', file('first', 'a'));
  const other = await base.published('d/b.md', file('second', 'b'));
  await base.sweep();
  const running = base.another();
  await running.catalog.refresh();
  const { physical } = (await base.ports.projections.get('index'))!;
  base.options.before = async ({ port, method }) => {
    if (port !== 'index' || method !== 'present') return;
    delete base.options.before;
    await review(running)(curator, id, { action: 'reject', reason: 'wrong' });
    await review(running)(curator, other, { action: 'check' });
  };
  await auditIndex(running);
  const there = await base.ports.index.present(physical, [id]);
  expect(there.map(({ live }) => live)).toEqual([false]);
});
