import { expect, test } from 'vitest';
import { ModelUnavailable } from '#lib/core/errors.ts';
import { SWEEP_LEASE } from '#lib/core/rows.ts';
import { processItems } from '#lib/usecases/process-items.ts';
import { sweep } from '#lib/usecases/sweep.ts';
import { MINUTE } from '#test/support/clock.ts';
import { curator, type KnowledgeBase, knowledgeBase } from '#test/support/instance.ts';

const written = JSON.stringify({
  title: 'Restart',
  summary: 'How to restart',
  keywords: ['restart'],
  covers: ['restart'],
  when_to_retrieve: 'it stands still',
});

const takeLease = ({ ports, clock }: KnowledgeBase) =>
  ports.projections.takeLease(SWEEP_LEASE, { token: 'dead', at: clock.now() }, 0, Number.MAX_SAFE_INTEGER);

test('R4.8 two sweeps at once ask the model once: the second leaves it to the first', async () => {
  const base = knowledgeBase({ script: { frontmatter: () => new ModelUnavailable('down') } });
  await base.published('payment/a.md', '---\ntitle: Restart\n---\na b\n');
  base.clock.pass(10 * MINUTE);
  let asked = 0;
  let second: Awaited<ReturnType<KnowledgeBase['sweep']>> | undefined;
  base.model.script.frontmatter = () => written;
  base.model.script.before = async (what) => {
    if (what !== 'complete') return;
    asked += 1;
    second ??= await sweep(base.another())();
  };
  const first = await base.sweep();
  expect([asked, first.fields_filled, first.left_to_another]).toEqual([1, 1, 0]);
  expect(Object.entries(second!).filter(([, count]) => count > 0)).toEqual([['left_to_another', 1]]);
});

test('R4.8 a sweeper that died has its turn no longer than its lease', async () => {
  const base = knowledgeBase();
  await takeLease(base);
  expect((await base.sweep()).left_to_another).toBe(1);
  base.clock.pass(2 * MINUTE);
  expect((await base.sweep()).left_to_another).toBe(1);
  base.clock.pass(1);
  expect((await base.sweep()).left_to_another).toBe(0);
  expect((await base.ports.projections.get(SWEEP_LEASE))?.lease).toBeUndefined();
});

test('R4.8 a sweep that fails gives its turn back', async () => {
  const base = knowledgeBase();
  base.options.before = ({ port, method }) => {
    if (port === 'items' && method === 'due') throw new Error('broken');
  };
  await expect(base.sweep()).rejects.toThrow('broken');
  base.options.before = undefined;
  expect((await base.sweep()).left_to_another).toBe(0);
});

test('R4.8 where no row for the turn was prepared, or nobody can tell, the sweep goes on', async () => {
  const base = knowledgeBase();
  await base.entry('Restart', 'a');
  base.ports.queue.take(9);
  base.clock.pass(2 * MINUTE);
  const instance = base.another();
  const { projections } = instance;
  const unprepared = {
    ...instance,
    projections: {
      ...base.ports.projections,
      takeLease: async (name: string, ...rest: [{ token: string; at: number }, number, number]) =>
        name === SWEEP_LEASE ? undefined : projections.takeLease(name, ...rest),
      get: async (name: string) => (name === SWEEP_LEASE ? undefined : projections.get(name)),
    },
  };
  expect(await sweep(unprepared)()).toMatchObject({ requeued: 1, left_to_another: 0 });
  base.clock.pass(2 * MINUTE);
  base.options.before = ({ args }) => {
    if (args[0] === SWEEP_LEASE) throw new ModelUnavailable('away');
  };
  expect(await base.sweep()).toMatchObject({ requeued: 1, left_to_another: 0 });
});

test('API R4.8 items can be queued by hand while a sweep is under way', async () => {
  const base = knowledgeBase();
  const id = await base.entry('Restart', 'a');
  base.ports.queue.take(9);
  await takeLease(base);
  expect(await processItems(base.instance)(curator, { force: false })).toMatchObject({ queued: [id] });
});
