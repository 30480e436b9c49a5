import { expect, test } from 'vitest';
import { LIMITS } from '#lib/core/limits.ts';
import { uploadDocument } from '#lib/usecases/upload-document.ts';
import { apiOf } from '#test/support/api.ts';
import { apiWorld } from '#test/support/api-world.ts';
import { curator, file } from '#test/support/instance.ts';

const PATH = 'payment/timeout.md';

test('R3.5 API: a document is uploaded (202), uploaded again without change (200), read verbatim, listed and deleted', async () => {
  const { base, api, ok } = apiWorld();
  const content = `\uFEFF${file('Timeout', 'check the log')}`;
  const body = { category: 'payment', filename: 'timeout.md', content };
  const { id } = await ok<{ id: string }>('POST', '/api/documents', { body });
  expect((await api.call('POST', '/api/documents', { body })).status).toBe(200);
  const at = `/api/documents/${PATH}`;
  expect((await api.call('GET', at)).status).toBe(404);
  await base.work();
  const fields = { title: 'Timeout', keywords: ['Timeout'], covers: ['Timeout'] };
  expect(await ok('GET', at, {}, '/api/documents/{path+}')).toMatchObject({
    id,
    path: PATH,
    domain: 'payment',
    content,
    fields,
    status: 'approved',
  });
  expect(await ok('GET', '/api/documents')).toEqual({
    items: [{ id, path: PATH, domain: 'payment', ...fields, scopes: [], status: 'approved' }],
  });
  expect(await ok('DELETE', at, {}, '/api/documents/{path+}')).toEqual({ id, status: 'removed' });
  expect([(await api.call('GET', at)).status, (await api.call('DELETE', at)).status]).toEqual([404, 404]);
});

test('R3.7 API: a path is percent-decoded exactly once, whether or not the gateway did it', async () => {
  const { base, api } = apiWorld();
  await base.published('支付/100%25 超时+.md', file('Percent', 'check the log'));
  const decoded = apiOf(base.instance, { path_encoding: 'decoded' });
  const plain = '/api/documents/支付/100%25 超时+.md';
  expect((await decoded.call('GET', plain)).status).toBe(200);
  expect((await api.call('GET', encodeURI(plain))).status).toBe(200);
  expect((await api.call('GET', plain)).status).toBe(404);
});

test('R3.1 API: a document that is too large for the API gets a presigned form', async () => {
  const { ok } = apiWorld();
  const body = { category: 'payment', filename: 'large.md' };
  expect(await ok('POST', '/api/documents/uploads', { body })).toMatchObject({
    path: 'payment/large.md',
    max_bytes: 10 * 1024 * 1024,
  });
});

test('R6.4 API: a very long document comes in pieces that make it up again', async () => {
  const { base, api } = apiWorld();
  const content = `${file('Long', 'word')}${'支付💳\n'.repeat(280_000)}`;
  const large = { category: 'payment', filename: 'timeout.md', content };
  await uploadDocument(base.instance, LIMITS.document_bytes_inbox)(curator, large);
  await base.work();
  let text = '';
  for (let offset: number | undefined = 0; offset !== undefined; ) {
    const { body } = await api.call('GET', `/api/documents/${PATH}`, { query: `offset=${offset}` });
    const piece = body as { content: string; next_offset?: number };
    expect(piece.content.isWellFormed()).toBe(true);
    text += piece.content;
    offset = piece.next_offset;
  }
  expect(text === content).toBe(true);
});
