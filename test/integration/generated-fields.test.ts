import { expect, test } from 'vitest';
import { ModelUnavailable } from '#lib/core/errors.ts';
import type { Log } from '#lib/ports.ts';
import { createInstance } from '#lib/usecases/instance.ts';
import { recomputeDomain } from '#lib/usecases/recompute-domain.ts';
import { uploadDocument } from '#lib/usecases/upload-document.ts';
import { SEARCH_ONCE } from '#prompts/domain-summary.ts';
import { DELAY, domainWorld } from '#test/support/domain-world.ts';
import { curator, knowledgeBase } from '#test/support/instance.ts';

const DOCUMENT =
  '# Pool exhausted\n\nRaise maximumPoolSize of HikariCP when the connection pool is exhausted.\n';
const good = {
  title: 'Pool exhausted',
  summary: 'How to raise the pool of HikariCP.',
  keywords: ['HikariCP'],
  covers: ['pool exhausted'],
  when_to_retrieve: 'When the connection pool is exhausted.',
};
const MISSING = ['title', 'summary', 'keywords', 'covers', 'when_to_retrieve'];

/** Uploads the document to a model that gives these answers in turn. */
async function uploaded(answers: (object | string | Error)[], content = DOCUMENT) {
  const rest = answers.map((answer) =>
    typeof answer === 'string' || answer instanceof Error ? answer : JSON.stringify(answer),
  );
  const base = knowledgeBase({
    script: { frontmatter: () => rest.shift() ?? new Error('asked once too often') },
  });
  const said: unknown[] = [];
  const log: Log = {
    debug: () => undefined,
    info: (message, more) => void said.push([message, more]),
    warn: (message, more) => void said.push([message, more]),
  };
  const instance = createInstance({ ...base.ports, log });
  const { id } = await uploadDocument(instance)(curator, { category: 'api', filename: 'pool.md', content });
  const { generated, missing, ...fields } = (await base.row(id)).fields;
  return { fields, generated, missing, said, repairs: base.model.completions.map(({ repairs }) => repairs) };
}

test('R3.2 a good answer takes one call', async () => {
  expect(await uploaded([good])).toEqual({
    fields: good,
    generated: MISSING,
    missing: [],
    said: [],
    repairs: [[]],
  });
});

test('R3.2 a keyword that the document does not contain is dropped without another call; the log says how many', async () => {
  const { fields, said, repairs } = await uploaded([{ ...good, keywords: ['Redis', 'HikariCP', 'Kafka'] }]);
  expect(fields).toEqual(good);
  expect(said).toEqual([['generated words dropped', { path: 'api/pool.md', dropped: 2 }]]);
  expect(repairs).toHaveLength(1);
});

test('R3.2 an answer in another language is sent back once, and the second one is taken', async () => {
  const wrong = { ...good, summary: '如何调大连接池。' };
  const { fields, repairs } = await uploaded([wrong, good]);
  expect(fields).toEqual(good);
  expect(repairs).toEqual([
    [],
    [
      {
        reply: JSON.stringify(wrong),
        problem: '"summary" is not in the language of what it describes.',
      },
    ],
  ]);
});

test('R3.2 of a second answer that is no better the part is taken that the document supports', async () => {
  const wrong = {
    ...good,
    summary: '如何调大连接池。',
    when_to_retrieve: 'When Redis is down. When it is exhausted.',
  };
  const { fields, missing, said, repairs } = await uploaded([wrong, wrong]);
  expect(fields).toEqual({ ...wrong, when_to_retrieve: 'When it is exhausted.' });
  expect(missing).toEqual([]);
  expect(repairs).toHaveLength(2);
  expect(said.at(-1)).toEqual([
    'fields are taken as far as the document supports them',
    { path: 'api/pool.md' },
  ]);
});

test('R3.2 what only the first of two answers has usable is taken from it', async () => {
  const first = { ...good, title: 'Oracle 19c exhausted', covers: ['refund'] };
  const second = {
    ...good,
    summary: 'Restart Redis 7.',
    keywords: ['Kafka'],
    when_to_retrieve: 'When Redis 7 is down.',
  };
  expect((await uploaded([first, second])).fields).toEqual(good);
});

test('R3.2 of an answer that could be used and one that could not the first is taken', async () => {
  const { fields, missing } = await uploaded([{ ...good, covers: ['refund'] }, 'I cannot do that.']);
  expect([fields, missing]).toEqual([{ ...good, covers: [] }, []]);
});

test('R3.2 where the model is away before it can mend an answer, what can be used of that is taken', async () => {
  const { fields, missing } = await uploaded([{ ...good, covers: ['refund'] }, new ModelUnavailable('down')]);
  expect([fields, missing]).toEqual([{ ...good, covers: [] }, []]);
  expect((await uploaded(['I cannot.', new ModelUnavailable('down')])).missing).toEqual(MISSING);
});

test('R3.2 after two answers that cannot be read the fields stay missing', async () => {
  const { fields, generated, missing, repairs } = await uploaded(['I cannot.', '{"title": ""}']);
  expect([fields.title, fields.keywords, generated, missing]).toEqual(['', [], [], MISSING]);
  expect(repairs[1]).toEqual([{ reply: 'I cannot.', problem: 'The answer holds no complete JSON object.' }]);
});

test('R3.2 what the author wrote is kept, whatever the document says, and supports what the model writes', async () => {
  const author = '---\ntitle: Ärger mit Redis\nkeywords: [Kafka]\n---\n';
  const answer = { ...good, title: 'x', keywords: ['x'], covers: ['Kafka pool exhausted'] };
  const { fields, generated } = await uploaded([answer], author + DOCUMENT);
  expect(fields).toEqual({ ...answer, title: 'Ärger mit Redis', keywords: ['Kafka'] });
  expect(generated).toEqual(['summary', 'covers', 'when_to_retrieve']);
});

async function recomputed(...answers: (object | Error)[]) {
  const rest = answers.map((answer) => (answer instanceof Error ? answer : JSON.stringify(answer)));
  const world = domainWorld();
  world.model.script.domainSummary = () => rest.shift() ?? new Error('asked once too often');
  await world.admit({ title: 'Pool exhausted', summary: 'HikariCP is full.' });
  const outcome = await world.recompute();
  return { outcome, text: await world.text(), calls: world.calls(), world };
}
const asked = `On a full pool. ${SEARCH_ONCE.en}`;

test('R5.2 a domain’s text that names what its items do not contain is sent back once', async () => {
  const wrong = { description: 'The pool of Oracle. HikariCP is full.', when_to_retrieve: 'On a full pool.' };
  const right = { ...wrong, description: 'The pool of HikariCP.' };
  const { text, calls, world } = await recomputed(wrong, right);
  expect(text).toEqual({ ...right, when_to_retrieve: asked, model: 'scripted-writer' });
  expect(calls).toBe(2);
  expect(world.model.completions[1]?.repairs).toEqual([
    { reply: JSON.stringify(wrong), problem: '"description" names what is not there: Oracle.' },
  ]);
});

test('R5.2 named again, the sentence is dropped; if nothing else is left the domain keeps its last text', async () => {
  const wrong = { description: 'The pool of Oracle. HikariCP is full.', when_to_retrieve: 'On a full pool.' };
  const { text } = await recomputed(wrong, wrong);
  expect(text).toMatchObject({ description: 'HikariCP is full.', when_to_retrieve: asked });
  const away = await recomputed(wrong, new ModelUnavailable('down'));
  expect(away.text).toEqual(text);

  const foreign = { ...wrong, description: 'All about Oracle.' };
  const { outcome, world } = await recomputed(foreign, foreign);
  expect(outcome).toEqual({
    kind: 'model_down',
    why: 'its answer stayed invalid: "description" names what is not there: Oracle.',
  });
  world.model.script.domainSummary = () => JSON.stringify(wrong);
  world.pass(DELAY);
  expect(await recomputeDomain(world.instance)('payment')).toEqual({ kind: 'written', computed_position: 1 });
});
