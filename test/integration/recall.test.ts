import { expect, test } from 'vitest';
import { ModelUnavailable } from '#lib/core/errors.ts';
import { saveTaskVector } from '#lib/usecases/embed-item.ts';
import { review } from '#lib/usecases/review.ts';
import { JudgeInput } from '#prompts/judge-relations.ts';
import { curator, knowledgeBase } from '#test/support/instance.ts';

const T = 'Timeout';

// the index is asked for its k nearest of all readers, and those that may not be compared are dropped afterwards.
// k items of other tenants with the same task hide the newcomer's own candidates: its near duplicate is admitted.
test('R4.1 items that may not be compared do not take the places of those that may', async () => {
  const base = knowledgeBase({ settings: { recall_k: 2 } });
  await base.admitted(T, 'a b', { scopes: ['org:a'] });
  await base.admitted(T, 'a c', { scopes: ['org:a'] });
  const own = await base.admitted(T, 'a d', { scopes: ['org:b'] });
  const id = await base.admitted(T, 'a', { scopes: ['org:b'] });
  const offered = base.model.completions.flatMap(({ prompt, input }) =>
    prompt.startsWith('judge') ? JudgeInput.parse(input).candidates.map((c) => c.id) : [],
  );
  expect([offered.includes(own), await base.status(id)]).toEqual([true, 'rejected known']);
});

// what the index projection parked because a vector was missing stays parked when the vector is there:
// the audit skips parked items, so nothing but a new entry of the item brings it into the index.
test('R4.8 a live item that was parked for want of a vector comes into the index once it has one', async () => {
  const base = knowledgeBase();
  const first = await base.admitted(T, 'a');
  const { embed } = base.model.script;
  base.model.script.embed = () => new ModelUnavailable('down');
  const twin = await base.entry(T, 'a');
  base.model.script.embed = embed!;
  await base.work();
  await review(base.instance)(curator, first, { action: 'reject', reason: 'wrong' });
  await review(base.instance)(curator, twin, { action: 'restore' });
  await saveTaskVector(base.instance, await base.row(twin), 'a');
  for (let n = 0; n < 3; n += 1) {
    base.clock.pass(60_000);
    await base.sweep();
  }
  const row = (await base.ports.projections.get('index'))!;
  expect(await base.ports.index.present(row.physical, [twin])).toMatchObject([{ id: twin, live: true }]);
});
