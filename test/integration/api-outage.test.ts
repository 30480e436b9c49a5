import { expect, test } from 'vitest';
import { IndexUnavailable, ModelUnavailable, Unclear } from '#lib/core/errors.ts';
import { apiOf } from '#test/support/api.ts';
import { MINUTE } from '#test/support/clock.ts';
import { file, knowledgeBase } from '#test/support/instance.ts';

const upload = (filename: string, content: string) => ({ body: { category: 'payment', filename, content } });

test('R3.2 R3.4 API: with the model down uploads and entries succeed, lookups by keyword go on, others say why not', async () => {
  const base = knowledgeBase({ script: { frontmatter: () => '{}' } });
  await base.published('payment/timeout.md', file('Timeout', 'check the log'));
  const down = () => new ModelUnavailable('https://secret timed out');
  Object.assign(base.model.script, { embed: down, judge: down, frontmatter: down });
  const api = apiOf(base.instance);
  const document = await api.call('POST', '/api/documents', upload('b.md', '# B\n\ntext\n'));
  expect([document.status, document.body]).toEqual([
    202,
    expect.objectContaining({
      status: 'pending',
      missing: ['title', 'summary', 'keywords', 'covers', 'when_to_retrieve'],
    }),
  ]);
  const entry = { body: { task: 'Refund', content: 'check the ledger' } };
  expect((await api.call('POST', '/api/knowledge', entry)).status).toBe(202);
  const keyword = await api.call('POST', '/api/lookup', { body: { query: 'timeout' } });
  expect(keyword.body).toMatchObject({ level: 'L0', documents: [{ title: 'Timeout' }] });
  for (const [method, path, request] of [
    ['POST', '/api/lookup', { body: { query: 'something else' } }],
    ['GET', '/api/knowledge/search', { query: 'q=something' }],
  ] as const) {
    const { status, headers, body, text } = await api.call(method, path, request);
    expect([status, headers['retry-after'], body]).toMatchObject([
      503,
      '5',
      { error: { code: 'model_unavailable' } },
    ]);
    expect(text).not.toContain('secret');
  }
  expect(api.faults).toEqual([]);
});

test('R6.3 R4.1 API: with the index down uploads and L0 work, L1 answers 503 with a message, and admissions wait and go on by themselves', async () => {
  const base = knowledgeBase();
  await base.published('payment/timeout.md', file('Timeout', 'check the log'));
  base.options.before = ({ port }) => {
    if (port === 'index') throw new IndexUnavailable('https://secret refused');
  };
  const api = apiOf(base.instance);
  const { body } = await api.call(
    'POST',
    '/api/documents',
    upload('refund.md', file('Refund', 'check the ledger')),
  );
  const { id } = body as { id: string };
  expect(await base.work()).toMatchObject([{ kind: 'waits' }]);
  expect(await base.status(id)).toBe('pending');
  const keyword = await api.call('POST', '/api/lookup', { body: { query: 'timeout' } });
  expect([keyword.status, keyword.body]).toMatchObject([200, { level: 'L0' }]);
  const meaning = await api.call('POST', '/api/lookup', { body: { query: 'something else' } });
  expect([meaning.status, meaning.headers['retry-after'], meaning.body]).toEqual([
    503,
    '5',
    {
      error: {
        code: 'index_unavailable',
        message:
          'The search index is out of reach: search by meaning and admissions wait, keyword lookups go on.',
      },
      request_id: meaning.headers['x-request-id'],
    },
  ]);
  expect((await api.call('GET', '/api/health')).body).toMatchObject({ status: 'degraded' });

  base.options.before = undefined;
  base.clock.pass(2 * MINUTE);
  await base.sweep();
  await base.work();
  expect(await base.status(id)).toBe('approved');
  expect(api.faults).toEqual([]);
});

test('API: a store that gives no clear answer is told as such, and the call may be repeated', async () => {
  const base = knowledgeBase({
    before: ({ port }) => {
      if (port === 'bodies') throw new Unclear('put https://secret timed out');
    },
  });
  const api = apiOf(base.instance);
  const request = { body: { task: 'Refund', content: 'check the ledger' } };
  const { status, body, text } = await api.call('POST', '/api/knowledge', request);
  expect([status, body]).toMatchObject([503, { error: { code: 'unclear' } }]);
  expect(text).not.toContain('secret');
  base.options.before = undefined;
  expect((await api.call('POST', '/api/knowledge', request)).status).toBe(202);
});
