import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import type { Call } from '#lib/adapters/memory/gate.ts';
import { InvalidInput, ModelUnavailable, Unclear } from '#lib/core/errors.ts';
import { addEntry } from '#lib/usecases/add-entry.ts';
import { knowledgeMap } from '#lib/usecases/knowledge-map.ts';
import type { UploadInput } from '#lib/usecases/upload-document.ts';
import { uploadDocument } from '#lib/usecases/upload-document.ts';
import { MINUTE } from '#test/support/clock.ts';
import { curator, file, knowledgeBase, stranger } from '#test/support/instance.ts';

const PATH = 'payment/timeout.md';
const written = {
  title: 'written title',
  summary: 'written summary',
  keywords: ['written'],
  covers: ['written cover'],
  when_to_retrieve: 'when written',
};
const writer = () => JSON.stringify(written);

/** Calls that write to a store or ask the model, in order. */
const WRITES = /^(bodies\.put|items\.(insert|accept)|paths\.advance|vectors\.save|model|queue)/;
const names = (calls: readonly Call[]) => calls.map(({ port, method }) => `${port}.${method}`);
const writes = (calls: readonly Call[]) => names(calls).filter((name) => WRITES.test(name));

test('R3.2 R3.4 a bare document: fields by the model, then the body, its vector, the row, its name, accepted, queued', async () => {
  const base = knowledgeBase({ script: { frontmatter: writer } });
  const outcome = await base.upload(PATH, '# Timeout\n\nCheck what was written, and its cover.\n');
  expect(writes(base.calls)).toEqual([
    'model.complete',
    'bodies.put',
    'model.embed',
    'vectors.saveTask',
    'items.insert',
    'paths.advance',
    'items.accept',
    'queue.send',
  ]);
  const { id } = outcome;
  expect(outcome).toEqual({
    id,
    path: PATH,
    status: 'pending',
    unchanged: false,
    warnings: [],
    generated: ['title', 'summary', 'keywords', 'covers', 'when_to_retrieve'],
    missing: [],
  });
  expect((await base.row(id)).fields).toEqual({ ...written, generated: outcome.generated, missing: [] });
  expect(base.ports.queue.take(9)).toEqual([{ type: 'admit', item_id: id }]);
});

test('R3.2 a document whose author wrote every field asks no model for any', async () => {
  const base = knowledgeBase();
  const { id } = await base.upload(PATH, file('Timeout', 'check the log'));
  expect(base.model.calls('frontmatter')).toBe(0);
  expect((await base.row(id)).fields).toMatchObject({ title: 'Timeout', generated: [], missing: [] });
});

test('R3.2 author-written fields win over the model’s, whatever it answers for them', async () => {
  const base = knowledgeBase({ script: { frontmatter: writer } });
  const { id, generated } = await base.upload(
    PATH,
    '---\ntitle: 扣款超时\nkeywords: [ERR_TIMEOUT]\n---\nCheck what was written, and its cover.\n',
  );
  expect(generated).toEqual(['summary', 'covers', 'when_to_retrieve']);
  expect((await base.row(id)).fields).toEqual({
    ...written,
    title: '扣款超时',
    keywords: ['ERR_TIMEOUT'],
    generated,
    missing: [],
  });
});

test('R3.2 the bytes are kept verbatim, and lie under knowledge_base/ once the document is admitted, not before', async () => {
  const content = `\uFEFF${file('Timeout', 'check  the log').replaceAll('\n', '\r\n')}`;
  const base = knowledgeBase();
  const { id } = await base.upload(PATH, content);
  expect(await base.ports.mirror.read(PATH)).toBeUndefined();
  expect(await base.ports.bodies.get(id, 'document')).toBe(content);
  await base.work();
  expect([await base.status(id), await base.ports.mirror.read(PATH)]).toEqual(['approved', content]);
});

test('R3.4 the task is embedded once, at the upload; dedup and index reuse it', async () => {
  const base = knowledgeBase();
  await base.published('payment/other.md', file('Timeout', 'check the pool'));
  base.model.embeds.length = 0;
  const id = await base.published(PATH, file('Timeout', 'check the log'));
  const { task } = await base.row(id);
  expect(base.model.embeds.filter((texts) => texts.includes(task))).toHaveLength(1);
  expect(await base.status(id)).toBe('approved');
});

test('R3.4 when the model is down at the upload, dedup embeds the task', async () => {
  const base = knowledgeBase();
  const { embed } = base.model.script;
  base.model.script.embed = () => new ModelUnavailable('down');
  const { id } = await base.upload(PATH, file('Timeout', 'check the log'));
  expect(await base.ports.vectors.tasks([id])).toEqual([]);
  base.model.script.embed = embed!;
  await base.work();
  expect(await base.ports.vectors.tasks([id])).toMatchObject([{ id, model: 'scripted-embedder' }]);
  expect(await base.status(id)).toBe('approved');
});

test('R3.2 R4.8 with the model down the upload succeeds, names what is missing, and the sweep fills it in', async () => {
  const base = knowledgeBase({ script: { frontmatter: () => new ModelUnavailable('down') } });
  const map = () => knowledgeMap(base.instance)(stranger);
  const outcome = await base.upload(
    PATH,
    '---\ncovers: [late payment]\n---\n# How to wait\n\nCheck what was written.\n',
  );
  const missing = ['title', 'summary', 'keywords', 'when_to_retrieve'];
  expect(outcome).toMatchObject({ status: 'pending', generated: [], missing });
  await base.work();
  expect(await base.status(outcome.id)).toBe('approved');
  expect(await map()).toContain('late payment');

  expect(await base.sweep()).toMatchObject({ fields_filled: 0 });
  expect(await map()).not.toContain(written.title);

  base.model.script.frontmatter = writer;
  expect(await base.sweep()).toMatchObject({ fields_filled: 1 });
  const covers = ['late payment'];
  const { fields, task } = await base.row(outcome.id);
  expect(fields).toEqual({ ...written, covers, generated: missing, missing: [] });
  expect(task).toBe('written title\nwritten summary\nlate payment\nwhen written');
  expect(await map()).toContain('written title');
  expect(await base.sweep()).toMatchObject({ fields_filled: 0 });
  expect(await base.relations(outcome.id)).toEqual([]);
});

test('R3.2 a lost message does no harm: the reply is a success, and the sweep queues the item', async () => {
  const base = knowledgeBase({
    before: ({ port }) => {
      if (port === 'queue') throw new Unclear('no answer');
    },
  });
  const { id } = await base.upload(PATH, file('Timeout', 'check the log'));
  const entry = await base.entry('Refund', 'check the ledger');
  expect(base.ports.queue.size()).toBe(0);
  base.options.before = undefined;
  base.clock.pass(MINUTE);
  expect(await base.sweep()).toMatchObject({ requeued: 2 });
  await base.work();
  expect([await base.status(id), await base.status(entry)]).toEqual(['approved', 'approved']);
});

test('R3.2 an answer to the naming of a document that got lost ends in one document, pending', async () => {
  let lost = 0;
  const base = knowledgeBase({
    before: ({ port, method }) => {
      if (port === 'paths' && method === 'advance' && (lost += 1) === 1) throw new Unclear('no answer');
    },
  });
  const { id } = await base.upload(PATH, file('Timeout', 'check the log'));
  expect(await base.ports.paths.get(PATH)).toMatchObject({ seq: 1, latest_id: id });
  await base.work();
  expect(await base.status(id)).toBe('approved');
});

test('R3.2 an uploader that cannot reach the paths gives up in time, and what it left is swept', async () => {
  const base = knowledgeBase({
    before: ({ port, method }) => {
      if (port === 'paths' && method === 'advance') throw new Unclear('no answer');
    },
  });
  const started = base.clock.now();
  await expect(base.upload(PATH, file('Timeout', 'check the log'))).rejects.toThrow(Unclear);
  expect(base.clock.now() - started).toBeLessThan(2 * MINUTE);
  base.options.before = undefined;
  base.clock.pass(61 * MINUTE);
  expect(await base.sweep()).toMatchObject({ dropped: 1, accepted: 0 });
  base.clock.pass(120 * MINUTE);
  expect(await base.sweep()).toMatchObject({ bodies_swept: 1 });
  expect(await base.ports.bodies.list('', Number.MAX_SAFE_INTEGER, 9)).toEqual([]);
});

/** Reads that a refusal may cost; none of them leaves anything behind. */
const READS = ['paths.get', 'ledger.readAfter', 'items.get'];

async function refused(input: unknown, by: 'document' | 'entry') {
  const base = knowledgeBase();
  const call =
    by === 'document'
      ? uploadDocument(base.instance)(curator, input)
      : addEntry(base.instance)(curator, input);
  const error = await call.then(
    () => expect.fail('it was accepted'),
    (reason: unknown) => reason,
  );
  expect(names(base.calls).filter((name) => !READS.includes(name))).toEqual([]);
  if (!(error instanceof InvalidInput)) throw error;
  return error.field;
}
const document: UploadInput = { category: 'payment', filename: 'a.md', content: 'text' };

test.each([
  ['category', { category: '支'.repeat(65) }],
  ['category', { category: 'a/b' }],
  ['category', { category: ' ' }],
  ['filename', { filename: `${'a'.repeat(198)}.md` }],
  ['filename', { filename: 'picture.png' }],
  ['content', { content: ' \n\t\u200B' }],
  ['content', { content: `half a character: ${'💳'.slice(0, 1)}` }],
  ['content', { content: '文'.repeat(350_000) }],
  ['content', { content: undefined }],
  ['content', { content: 7 }],
  ['scopes', { scopes: 'org:a' }],
  ['scopes.0', { scopes: [''] }],
  ['owner', { owner: 'a'.repeat(129) }],
  ['status', { status: 'approved' }],
])(
  'R3.7 a document with a wrong %s is refused by that name, and nothing is written',
  async (field, wrong) => {
    expect(await refused({ ...document, ...wrong }, 'document')).toBe(field);
  },
);

test.each([
  ['task', { task: '' }],
  ['task', { task: ' \u00A0 ' }],
  ['task', { task: 'a'.repeat(2001) }],
  ['content', { content: '\n' }],
  ['content', { content: '文'.repeat(11_000) }],
  ['content', { content: ['text'] }],
  ['domain', { domain: '../etc' }],
  ['domain', { domain: 'd'.repeat(65) }],
  ['tags.a', { tags: { a: 1 } }],
  ['types.1', { types: ['strategy', 2] }],
  ['status', { status: 'approved' }],
  ['eval', { eval: { helpful: 9 } }],
])(
  'R3.7 R2.1 an entry with a wrong %s is refused by that name, and nothing is written',
  async (field, wrong) => {
    expect(await refused({ task: 'a task', content: 'text', ...wrong }, 'entry')).toBe(field);
  },
);

interface Name {
  id: string;
  category: string;
  filename: string;
  error?: string;
}
const bodies: Name[] = JSON.parse(readFileSync('../shared/cases/names.json', 'utf8'));
const named = (id: string) => bodies.find((one) => one.id === id)!;

test.each(['N8', 'N9', 'N10'])(
  'R3.7 %s a name that is no name is refused by its field, and nothing is written',
  async (id) => {
    const { category, filename, error } = named(id);
    expect(await refused({ ...document, category, filename }, 'document')).toBe(error);
  },
);

test('R3.7 N7 a decomposed and a composed name are one document, not two', async () => {
  const base = knowledgeBase();
  const decomposed = 'パ.md'.normalize('NFD');
  const first = await base.upload(`支付/${decomposed}`, file('パ', 'one'));
  expect(first.path).toBe('支付/パ.md'.normalize('NFC'));
  const again = await base.upload('支付/パ.md'.normalize('NFC'), file('パ', 'one'));
  expect([again.id, again.unchanged]).toEqual([first.id, true]);
});

test('R3.7 N17 two Chinese names are two documents', async () => {
  const base = knowledgeBase();
  const { category, filename } = named('N17');
  const apple = await base.published(`${category}/${filename}`, file('苹果', 'apple'));
  const banana = await base.published('香蕉/a.md', file('香蕉', 'banana'));
  expect([await base.status(apple), await base.status(banana)]).toEqual(['approved', 'approved']);
  expect(await base.ports.mirror.list('', 9)).toEqual(['苹果/a.md', '香蕉/a.md']);
});

test('R3.7 the largest document and entry are taken, and names at the limit', async () => {
  const base = knowledgeBase();
  const path = `${'支'.repeat(64)}/${'a'.repeat(197)}.md`;
  const text = `---\ntitle: t\nsummary: s\nkeywords: [k]\ncovers: [c]\nwhen_to_retrieve: w\n---\n`;
  const { id } = await base.upload(path, text + 'a'.repeat(1024 * 1024 - text.length));
  expect((await base.row(id)).path).toBe(path);
  await expect(base.entry('a task', 'a'.repeat(32 * 1024))).resolves.toMatch(/^knowledge-/);
});

test('R2.2 a category in the frontmatter that differs from the folder gives a warning, and the folder wins', async () => {
  const base = knowledgeBase();
  const content = file('Timeout', 'text').replace('---\n', '---\ncategory: infrastructure\n');
  const { id, warnings } = await base.upload(PATH, content);
  expect(warnings).toEqual(['category:folder_wins']);
  expect((await base.row(id)).domain).toBe('payment');
});
