import { expect, test } from 'vitest';
import { KnowHubError, ModelUnavailable } from '#lib/core/errors.ts';
import { DAY, MINUTE } from '#test/support/clock.ts';
import { type KnowledgeBase, knowledgeBase } from '#test/support/instance.ts';
import type { Script } from '#test/support/scripted-model.ts';

const path = (n: number) => `payment/runbook-${String(n).padStart(2, '0')}.md`;
const WORDS = { title: 'Timeout', keywords: ['timeout'], covers: ['payment timeout'] };
const described = JSON.stringify({ ...WORDS, summary: 'On a timeout.', when_to_retrieve: 'On a timeout.' });
const refused = () => new KnowHubError('model_refused', 'too long');
const down = () => new ModelUnavailable('throttled');

type Writer = NonNullable<Script['frontmatter']>;

/** Live documents whose fields the model was away for; it answers by `writer` from then on. */
async function documents(count: number, writer: Writer): Promise<{ base: KnowledgeBase; ids: string[] }> {
  const base = knowledgeBase({ script: { frontmatter: down } });
  const ids: string[] = [];
  for (let n = 0; n < count; n += 1)
    ids.push(await base.published(path(n), `# Timeout\n\nA payment timeout, number ${n}.\n`));
  base.model.script.frontmatter = writer;
  return { base, ids };
}

/** Minutes at which the document was asked for, while the sweep runs each minute. */
async function minutesAsked(base: KnowledgeBase, minutes: number, of: string): Promise<number[]> {
  const asked: number[] = [];
  for (let minute = 0; minute < minutes; minute += 1) {
    const before = base.model.completions.length;
    await base.sweep();
    const now = base.model.completions.slice(before).filter(({ user }) => user.includes(of));
    if (now.length > 0) asked.push(minute);
    base.clock.pass(MINUTE);
  }
  return asked;
}

test.each<[string, Writer]>([
  ['refuses', refused],
  ['answers nothing usable about', () => 'I cannot describe this.'],
])(
  'R3.2 R4.8 a document that the model %s is asked for at growing distances, up to a day',
  async (_, writer) => {
    const { base, ids } = await documents(1, writer);
    expect(await minutesAsked(base, 64, path(0))).toEqual([0, 2, 6, 14, 30, 62]);
    const retry = async () => (await base.row(ids[0]!)).fields_retry!;
    expect((await retry()).count).toBe(6);
    for (let days = 0; days < 20; days += 1) {
      base.clock.pass(DAY);
      await base.sweep();
      expect((await retry()).at - base.clock.now()).toBeLessThanOrEqual(DAY);
    }
    base.clock.pass(DAY);
    base.model.script.frontmatter = () => described;
    expect(await base.sweep()).toMatchObject({ fields_filled: 1 });
    const row = await base.row(ids[0]!);
    expect([row.fields.missing, row.fields_retry]).toEqual([[], undefined]);
  },
);

test('R3.2 R4.8 documents that the model cannot describe keep no others waiting', async () => {
  const { base, ids } = await documents(25, ({ path: asked }) =>
    asked === path(24) ? described : refused(),
  );
  for (let pass = 0; pass < 3; pass += 1) await base.sweep();
  expect((await base.row(ids[24]!)).fields.missing).toEqual([]);
  const calls = base.model.calls('frontmatter');
  await base.sweep();
  expect(base.model.calls('frontmatter')).toBe(calls);
});

test('R3.2 R4.8 a document on which the model always fails does not end every pass before the others', async () => {
  const { base, ids } = await documents(3, ({ path: asked }) => (asked === path(0) ? down() : described));
  await base.sweep();
  await base.sweep();
  const rows = await Promise.all(ids.map((id) => base.row(id)));
  expect(rows.map(({ fields }) => fields.missing.length)).toEqual([5, 0, 0]);
});

test('R3.2 R4.8 an outage is no fault of a document: it is asked for again by the next pass', async () => {
  const { base, ids } = await documents(1, down);
  expect(await minutesAsked(base, 4, path(0))).toEqual([0, 1, 2, 3]);
  expect((await base.row(ids[0]!)).fields_retry).toBeUndefined();
});
