import { expect, test } from 'vitest';
import type { Auth } from '#lib/runtime/caller.ts';
import { callerOf } from '#lib/runtime/caller.ts';
import { GatewayEvent, pathOf } from '#lib/runtime/http.ts';
import { matchPath } from '#lib/runtime/router.ts';
import { ARN, apiOf, gatewayEvent, type Request } from '#test/support/api.ts';
import { file, knowledgeBase } from '#test/support/instance.ts';

test.each<[string, string, Record<string, string> | undefined]>([
  ['/api/knowledge', '/api/knowledge', {}],
  ['/api/knowledge', '/api/knowledge/', undefined],
  ['/api/knowledge', '/api', undefined],
  ['/api/knowledge/{id}', '/api/knowledge/a', { id: 'a' }],
  ['/api/knowledge/{id}', '/api/knowledge/', undefined],
  ['/api/knowledge/{id}', '/api/knowledge/a/b', undefined],
  ['/api/knowledge/{id}/review', '/api/knowledge/a/review', { id: 'a' }],
  ['/api/knowledge/{id}/review', '/api/knowledge//review', undefined],
  ['/api/documents/{path+}', '/api/documents/a/b/c.md', { path: 'a/b/c.md' }],
  ['/api/documents/{path+}', '/api/documents/', undefined],
])('API: the path of a route %s and the path %s', (template, path, params) => {
  expect(matchPath(template, path)).toEqual(params);
});

test('API: the stage that API Gateway puts before the path is no part of it', () => {
  const at = (stage: string, rawPath: string) =>
    pathOf(GatewayEvent.parse({ rawPath, requestContext: { stage, http: { method: 'GET' } } }));
  expect([at('$default', '/api/health'), at('prod', '/prod/api/health'), at('api', '/api/health')]).toEqual([
    '/api/health',
    '/api/health',
    '/health',
  ]);
});

const caller = (auth: Auth, request: Request, stated?: unknown) =>
  callerOf(GatewayEvent.parse(gatewayEvent('GET', '/', request)), auth, stated);
const iam: Auth = { mode: 'iam' };
const jwt: Auth = { mode: 'jwt', scopes_claim: 'scope' };
const header = { 'X-KnowHub-Scopes': 'org:a, org:b,org:a' };

test('R6.7 R6.8 under IAM the principal is who signed, and the request states its scopes', () => {
  expect(caller(iam, {})).toEqual({ principal: ARN, scopes: [] });
  expect(caller(iam, { headers: header })).toEqual({ principal: ARN, scopes: ['org:a', 'org:b'] });
  expect(caller(iam, { headers: header }, ['org:c'])).toEqual({ principal: ARN, scopes: ['org:c'] });
  expect(() => caller(iam, { arn: null, headers: header })).toThrow('the request is not signed');
  expect(() => caller(iam, { claims: { sub: 'me' } })).toThrow('the request is not signed');
});

test('R6.8 under JWT the scopes come from the token alone', () => {
  const claims = { iss: 'https://issuer', sub: 'me', scope: 'org:a org:b' };
  const principal = 'https://issuer#me';
  expect(caller(jwt, { claims })).toEqual({ principal, scopes: ['org:a', 'org:b'] });
  expect(caller(jwt, { claims, headers: { 'x-knowhub-scopes': 'org:secret' } }, ['org:secret'])).toEqual({
    principal,
    scopes: ['org:a', 'org:b'],
  });
  expect(caller(jwt, { claims: { sub: 'me' } }, ['org:secret'])).toEqual({ principal: '#me', scopes: [] });
  const groups: Auth = { mode: 'jwt', scopes_claim: 'groups' };
  expect(caller(groups, { claims: { ...claims, groups: '[org:c org:d]' } }).scopes).toEqual([
    'org:c',
    'org:d',
  ]);
  expect(caller(groups, { claims: { ...claims, groups: ['org:c', 7] } }).scopes).toEqual(['org:c']);
  expect(caller(jwt, { claims: { iss: 'i', client_id: 'machine' } }).principal).toBe('i#machine');
  for (const nobody of [{}, { iss: 'https://issuer' }, { sub: '' }])
    expect(() => caller(jwt, { claims: nobody })).toThrow('the token names no subject');
  expect(() => caller(jwt, {})).toThrow('the token names no subject');
});

test('R6.7 locally everybody is the same principal, and states scopes', () => {
  expect(caller({ mode: 'none' }, { arn: null, headers: header })).toEqual({
    principal: 'local',
    scopes: ['org:a', 'org:b'],
  });
});

test('R6.8 API: no request can widen what its token allows, by header, body or query', async () => {
  const base = knowledgeBase();
  const path = 'payment/secret.md';
  const id = await base.published(path, file('Secret', 'the words'), { scopes: ['org:a'] });
  const api = apiOf(base.instance, { auth: jwt });
  const as = (scope: string): Request => ({
    claims: { iss: 'i', sub: 'me', scope },
    headers: { 'x-knowhub-scopes': 'org:a' },
  });
  const statuses = async (request: Request) => {
    const stated = { ...request, query: 'scopes=org:a' };
    const looked = await api.call('POST', '/api/lookup', {
      ...request,
      body: { query: 'secret', scopes: ['org:a'] },
    });
    const listed = await api.call('GET', '/api/knowledge', stated);
    return [
      (looked.body as { documents: unknown[] }).documents.length,
      (listed.body as { items: unknown[] }).items.length,
      (await api.call('GET', `/api/documents/${path}`, stated)).status,
      (await api.call('GET', `/api/knowledge/status/${id}`, stated)).status,
      (await api.call('GET', '/api/knowledge-map', stated)).text.includes('Secret'),
    ];
  };
  expect(await statuses(as('org:b'))).toEqual([0, 0, 404, 404, false]);
  expect(await statuses(as('org:a'))).toEqual([1, 1, 200, 200, true]);
  expect((await api.call('DELETE', `/api/documents/${path}`, as('org:b'))).status).toBe(404);
  expect(await base.status(id)).toBe('approved');
});

test('R6.7 API: a session of one caller is not another caller’s, whatever its id', async () => {
  const base = knowledgeBase();
  await base.published('payment/a.md', file('Timeout', 'the words'));
  const api = apiOf(base.instance);
  const body = { query: 'timeout', session_id: 's', domain: 'payment' };
  const found = async (arn: string) => {
    const answer = await api.call('POST', '/api/lookup', { body, arn });
    return (answer.body as { documents: unknown[] }).documents.length;
  };
  expect([await found('one'), await found('one'), await found('two')]).toEqual([1, 0, 1]);
  expect((await api.call('DELETE', '/api/sessions/s', { arn: 'two' })).status).toBe(204);
  expect([await found('one'), await found('two')]).toEqual([0, 1]);
});

test('API: a fault of ours is logged with its error, answered without it, and counted', async () => {
  const fault = new Error('password=secret');
  const base = knowledgeBase({
    before: ({ port }) => {
      if (port === 'domains') throw fault;
    },
  });
  const api = apiOf(base.instance);
  const { status, body, headers } = await api.call('GET', '/api/domains');
  expect([status, body, api.faults, api.metered]).toEqual([
    500,
    {
      error: { code: 'internal', message: 'A fault of ours; it was logged.' },
      request_id: headers['x-request-id'],
    },
    [fault],
    [['HttpErrors', 1, '5xx']],
  ]);
});

test('API: an event that is none of API Gateway’s is a fault of ours, in JSON', async () => {
  const api = apiOf(knowledgeBase().instance);
  expect((await api.send({ Records: [] })).status).toBe(500);
  expect(api.faults).toHaveLength(1);
});
