import { expect, test } from 'vitest';
import { removeItem } from '#lib/usecases/remove.ts';
import type { SweepReport } from '#lib/usecases/sweep.ts';
import { curator, file, type KnowledgeBase, knowledgeBase } from '#test/support/instance.ts';
import { sectionVector, taskVector } from '#test/support/rows.ts';

const MODEL = 'scripted';
const PAGE = 200;

const vectorsSwept = async (base: KnowledgeBase): Promise<SweepReport['vectors_swept']> =>
  (await base.sweep()).vectors_swept;

async function removed(base: KnowledgeBase, id: string): Promise<string> {
  await removeItem(base.instance)(curator, id);
  return id;
}

/** What a worker that has not heard of the removal writes, and then it dies. */
async function comesLate({ ports: { vectors } }: KnowledgeBase, id: string): Promise<void> {
  await vectors.saveTask(taskVector({ id }));
  await vectors.saveSections(id, MODEL, [sectionVector()]);
}

test('R3.6 vectors that come after the erasure of their item are swept; those of others stay', async () => {
  const base = knowledgeBase();
  const { vectors } = base.ports;
  const live = await base.published('payment/refund.md', file('Refund', 'a'));
  const gone = await removed(base, await base.published('payment/timeout.md', file('Timeout', 'b')));
  expect(await vectorsSwept(base)).toBe(0);
  await comesLate(base, gone);
  expect(await vectorsSwept(base)).toBe(1);
  expect((await vectors.listSections('', 9)).map(({ id }) => id)).toEqual([live]);
  expect((await vectors.tasks([live, gone])).map(({ id }) => id)).toEqual([live]);
  expect(await vectorsSwept(base)).toBe(0);
});

test('R3.6 a task vector alone is found as well', async () => {
  const base = knowledgeBase();
  const gone = await removed(base, await base.admitted('refund', 'a'));
  await base.ports.vectors.saveTask(taskVector({ id: gone }));
  expect(await vectorsSwept(base)).toBe(1);
  expect(await base.ports.vectors.tasks([gone])).toEqual([]);
});

test('R3.6 one pass looks at one page of sections and one of removed items, the next goes on, then from the start', async () => {
  const base = knowledgeBase();
  const ids: string[] = [];
  for (let n = 0; n <= PAGE; n += 1) ids.push(await removed(base, await base.entry(`task ${n}`, 'text')));
  await base.work();
  for (let n = 0; n < PAGE; n += 1)
    await base.ports.vectors.saveSections(`nobody-${n}`, '0', [sectionVector()]);
  const [first, last] = [ids.sort()[0]!, ids.at(-1)!];
  expect(await vectorsSwept(base)).toBe(0);
  await base.ports.vectors.saveSections(first, MODEL, [sectionVector()]);
  await base.ports.vectors.saveTask(taskVector({ id: last }));
  expect(await vectorsSwept(base)).toBe(2);
  await base.ports.vectors.saveTask(taskVector({ id: first }));
  expect(await vectorsSwept(base)).toBe(1);
});
