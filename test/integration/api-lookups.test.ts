import { expect, test } from 'vitest';
import { apiWorld, SCOPE_A } from '#test/support/api-world.ts';
import { file } from '#test/support/instance.ts';

const PATH = 'payment/timeout.md';

test('R6.1 API: a lookup answers under its request id, a repeat gets the same answer, and the session can be ended', async () => {
  const { base, api, ok } = apiWorld();
  const id = await base.published(PATH, file('Timeout', 'check the log'));
  const body = { query: 'timeout', session_id: 's 1', request_id: 'mine' };
  const answer = await api.call('POST', '/api/lookup', { body });
  expect([answer.headers['x-request-id'], answer.body]).toEqual([
    'mine',
    expect.objectContaining({
      request_id: 'mine',
      level: 'L0',
      documents: [expect.objectContaining({ id })],
    }),
  ]);
  expect((await api.call('POST', '/api/lookup', { body })).body).toEqual(answer.body);
  const again = { query: 'timeout', session_id: 's 1', domain: 'payment' };
  expect(await ok('POST', '/api/lookup', { body: again })).toMatchObject({ documents: [] });
  expect(api.metered).toContainEqual(['Stops', 1, 'domain_searched']);
  expect(api.metered).toContainEqual(['Lookups', 1, 'L0']);
  expect(await ok('DELETE', '/api/sessions/s%201', {}, '/api/sessions/{id}')).toBe('');
  expect(await ok('POST', '/api/lookup', { body: again })).toMatchObject({ documents: [{ id }] });
});

test('R6.1 API: a lookup without a request id answers under the id of its request, 8 characters', async () => {
  const { api } = apiWorld();
  const { headers, body } = await api.call('POST', '/api/lookup', { body: { query: 'timeout' } });
  const { request_id } = body as { request_id: string };
  expect([request_id, request_id.length]).toEqual([headers['x-request-id'], 8]);
});

test('API: search finds live items by meaning for those who may see them', async () => {
  const { base, ok } = apiWorld();
  const id = await base.published(PATH, file('Timeout', 'check the log'), { scopes: ['org:a'] });
  const search = (headers: Record<string, string>) =>
    ok('GET', '/api/knowledge/search', { query: 'q=timeout+log', headers });
  expect(await search(SCOPE_A)).toMatchObject({ documents: [{ id, path: PATH, section: 'Timeout' }] });
  expect(await search({})).toEqual({ documents: [] });
});

test('R5.1 R5.3 R5.4 API: domains, their text on request, the map as YAML and the prompts with it', async () => {
  const { base, api, ok } = apiWorld();
  await base.published(PATH, file('Timeout', 'check the log'));
  expect(await ok('GET', '/api/domains')).toMatchObject({
    domains: [{ domain_id: 'payment', document_count: 1 }],
  });
  expect(await ok('POST', '/api/domains/payment/recompute', {}, '/api/domains/{id}/recompute')).toEqual({
    domain_id: 'payment',
    status: 'queued',
  });
  expect(base.ports.queue.take(9)).toContainEqual({ type: 'recompute', domain_id: 'payment' });
  expect((await api.call('POST', '/api/domains/nothing/recompute')).status).toBe(404);
  const map = await api.call('GET', '/api/knowledge-map');
  expect([map.headers['content-type'], map.text]).toEqual([
    'application/yaml; charset=utf-8',
    expect.stringContaining('domain_id: "payment"'),
  ]);
  for (const role of ['planner', 'executor'])
    expect((await api.call('GET', `/api/prompts/${role}`, { query: 'session_id=s' })).text).toContain(
      'payment',
    );
});
