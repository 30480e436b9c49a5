import { expect, test } from 'vitest';
import { LIMITS } from '#lib/core/limits.ts';
import { ROUTES } from '#lib/runtime/routes.ts';
import { health } from '#lib/usecases/health.ts';
import { uploadDocument } from '#lib/usecases/upload-document.ts';
import { apiOf, type Request } from '#test/support/api.ts';
import { MINUTE } from '#test/support/clock.ts';
import { curator, file, knowledgeBase } from '#test/support/instance.ts';

const PATH = 'payment/timeout.md';
const A = { 'x-knowhub-scopes': 'org:a' };

function world(options: Parameters<typeof knowledgeBase>[0] = {}) {
  const base = knowledgeBase(options);
  const api = apiOf(base.instance);
  /** The reply's body, held to the route's own schema and status. */
  const ok = async <Body = unknown>(
    method: string,
    path: string,
    request: Request = {},
    of = path,
  ): Promise<Body> => {
    const route = ROUTES.find((each) => each.method === method && each.path === of);
    const answer = await api.call(method, path, request);
    expect([route?.path, api.faults]).toEqual([of, []]);
    expect([route?.status, route?.also?.status]).toContain(answer.status);
    expect(answer.headers['x-request-id']).toMatch(/\S/);
    return (route!.output ? route!.output.parse(answer.body) : answer.text) as Body;
  };
  return { base, api, ok };
}

test('R2.1 R3.1 API: an entry is queued at once, judged, and then shown with everything but its vector', async () => {
  const { base, ok } = world();
  const entry = {
    task: 'Restart the gateway',
    content: 'drain it first',
    types: ['strategy'],
    tags: { env: 'prod' },
    owner: 'agent:runner',
    source: { run: 7 },
  };
  const { knowledge_id: id, ...queued } = await ok<{ knowledge_id: string }>('POST', '/api/knowledge', {
    body: entry,
  });
  expect(queued).toEqual({ status: 'pending', message: 'queued: it is compared with what is stored' });
  const one = `/api/knowledge/${id}`;
  expect(await ok('GET', one, {}, '/api/knowledge/{id}')).toMatchObject({ status: 'pending' });
  expect(await ok('GET', '/api/knowledge')).toEqual({ items: [] });
  await base.work();
  expect(await ok('GET', one, {}, '/api/knowledge/{id}')).toEqual({
    id,
    kind: 'entry',
    domain: 'general',
    message_id: '',
    tag_keys: ['env'],
    scopes: [],
    resource_ids: [],
    metadata: '',
    truncated: false,
    eval: {
      score: 3,
      helpful: 1,
      harmful: 0,
      confidence: 0.7,
      helpful_history: [],
      helpful_history_count: 0,
      harmful_history: [],
      harmful_history_count: 0,
    },
    created_at: base.clock.now() / 1000,
    updated_at: base.clock.now() / 1000,
    status: 'approved',
    relationships: [],
    ...entry,
  });
});

test('R3.5 API: a document is uploaded (202), uploaded again without change (200), read verbatim, listed and deleted', async () => {
  const { base, api, ok } = world();
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
  const { base, api } = world();
  await base.published('支付/100%25 超时+.md', file('Percent', 'check the log'));
  const decoded = apiOf(base.instance, { path_encoding: 'decoded' });
  const plain = '/api/documents/支付/100%25 超时+.md';
  expect((await decoded.call('GET', plain)).status).toBe(200);
  expect((await api.call('GET', encodeURI(plain))).status).toBe(200);
  expect((await api.call('GET', plain)).status).toBe(404);
});

test('R3.1 API: a document that is too large for the API gets a presigned form', async () => {
  const { ok } = world();
  const body = { category: 'payment', filename: 'large.md' };
  expect(await ok('POST', '/api/documents/uploads', { body })).toMatchObject({
    path: 'payment/large.md',
    max_bytes: 10 * 1024 * 1024,
  });
});

test('R6.4 API: a very long document comes in pieces that make it up again', async () => {
  const { base, api } = world();
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

test('API: the listing is paged, complete, filtered, and shows an item to nobody who may not see it', async () => {
  const { base, ok } = world();
  const ids: string[] = [];
  for (let n = 0; n < 7; n++)
    ids.unshift(
      await base.admitted(`task ${n}`, `content ${n}`, {
        domain: n % 2 === 0 ? 'even' : 'odd',
        types: n < 2 ? ['strategy', 'small'] : ['strategy'],
        tags: n === 3 ? { 'a:b': 'c', env: 'prod' } : {},
        owner: n === 4 ? 'agent:four' : 'agent:runner',
        ...(n === 5 && { scopes: ['org:a'] }),
      }),
    );
  const list = async (query: string, headers: Record<string, string> = {}) => {
    const page = await ok<{ items: { id: string }[]; next_cursor?: string }>('GET', '/api/knowledge', {
      query,
      headers,
    });
    return page;
  };
  const seen: string[] = [];
  let cursor: string | undefined;
  do {
    const page = await list(`limit=2${cursor ? `&cursor=${encodeURIComponent(cursor)}` : ''}`, A);
    expect(page.items.length).toBeLessThanOrEqual(2);
    seen.push(...page.items.map(({ id }) => id));
    cursor = page.next_cursor;
  } while (cursor);
  expect(seen).toEqual(ids);
  const found = async (query: string, headers = {}) =>
    (await list(query, headers)).items.map(({ id }) => ids.length - 1 - ids.indexOf(id));
  expect(await found('')).toEqual([6, 4, 3, 2, 1, 0]);
  expect(await found('scopes=org:a')).toEqual([6, 5, 4, 3, 2, 1, 0]);
  expect(await found('domain=odd', A)).toEqual([5, 3, 1]);
  expect(await found('types=small&types=strategy')).toEqual([1, 0]);
  expect(await found('tags=a:b:c&tags=env')).toEqual([3]);
  expect(await found('tags=a:b')).toEqual([3]);
  expect(await found('owner=agent:four')).toEqual([4]);
  expect(await found('related=true')).toEqual([]);
});

test('R2.4 R2.5 API: related items are listed, and the relation cache shows ids and pairs by type', async () => {
  const { base, ok } = world();
  const old = await base.admitted('Timeout', 'a b');
  const more = await base.admitted('Timeout', 'a b c');
  await base.admitted('Refund', 'x');
  const { items } = await ok<{ items: { id: string; relationships: unknown }[] }>('GET', '/api/knowledge', {
    query: 'related=true',
  });
  expect(items.map(({ id, relationships }) => [id, relationships])).toEqual([
    [more, [{ type: 'superset', target: old }]],
    [old, [{ type: 'subset', target: more }]],
  ]);
  const superset = { type: 'superset', ids: [more, old].sort(), pairs: [[more, old]] };
  expect(
    await ok('GET', '/api/relations/superset', { query: `item=${old}` }, '/api/relations/{type}'),
  ).toEqual(superset);
  expect(await ok('GET', '/api/relations')).toEqual({
    ids: [more, old].sort(),
    types: [{ type: 'subset', ids: [more, old].sort(), pairs: [[old, more]] }, superset],
  });
});

test('R4.3 R4.4 API: the status says the decision with its reason, and the eval shows who gave a point to those who may see it', async () => {
  const { base, ok } = world();
  const status = (id: string, headers = {}) =>
    ok('GET', `/api/knowledge/status/${id}`, { headers }, '/api/knowledge/status/{id}');
  const old = await base.admitted('Timeout', 'a b c');
  const waiting = await base.entry('Timeout', 'a b', { scopes: ['org:a'] });
  expect(await status(waiting, A)).toEqual({
    id: waiting,
    kind: 'entry',
    status: 'pending',
    decision: 'It waits to be compared with what is stored.',
    grounds: [],
    relations: [],
  });
  await base.work();
  expect(await status(waiting, A)).toMatchObject({
    status: 'rejected',
    decision: `It was rejected: it is known already: subset of ${old}.`,
    reason: 'known',
    basis: 'judge',
    grounds: [{ id: old, type: 'subset' }],
  });
  const evalOf = async (headers: Record<string, string>) => {
    const { eval: shown } = await ok<{ eval: unknown }>(
      'GET',
      `/api/knowledge/${old}`,
      { headers },
      '/api/knowledge/{id}',
    );
    return shown;
  };
  const timestamp = base.clock.now() / 1000;
  const point = { source: 'dedup', related_id: waiting, relation_type: 'subset', timestamp };
  expect(await evalOf(A)).toMatchObject({ helpful: 2, helpful_history: [point], helpful_history_count: 1 });
  expect(await evalOf({})).toMatchObject({ helpful: 2, helpful_history: [], helpful_history_count: 0 });
});

test('API: a human checks, rejects with a reason and restores; what needs review is listed', async () => {
  const { base, api, ok } = world();
  const id = await base.admitted('Timeout', 'a b c');
  const leaner = await base.admitted('Timeout', 'a b');
  const review = (body: unknown) =>
    ok('POST', `/api/knowledge/${id}/review`, { body }, '/api/knowledge/{id}/review');
  expect(await review({ action: 'check' })).toMatchObject({
    status: 'checked',
    decision: 'A human checked it.',
  });
  expect(await review({ action: 'reject', reason: 'out of date' })).toMatchObject({
    status: 'rejected',
    decision: 'A human rejected it: out of date',
    basis: 'human',
  });
  expect((await api.call('POST', `/api/knowledge/${id}/review`, { body: { action: 'check' } })).status).toBe(
    409,
  );
  const { items } = await ok<{ items: { id: string }[] }>('GET', '/api/knowledge', {
    query: 'needs_review=true',
  });
  expect(items).toMatchObject([
    { id: leaner, status: 'rejected', needs_review: `its ground ${id} was rejected by a human` },
  ]);
  expect(await review({ action: 'restore' })).toMatchObject({
    status: 'approved',
    decision: 'A human restored it.',
  });
  expect(await ok('DELETE', `/api/knowledge/${id}`, {}, '/api/knowledge/{id}')).toEqual({
    id,
    status: 'removed',
  });
  expect((await api.call('GET', `/api/knowledge/${id}`)).status).toBe(404);
});

test('API: rejected items are listed for who may see them, by domain and page, and no live one among them', async () => {
  const { base, ok } = world();
  await base.published('payment/a.md', file('Timeout', 'a b c'));
  const copy = (await base.upload('ops/b.md', file('Timeout', 'a b'))).id;
  await base.work();
  await base.admitted('Refund', 'd e', { scopes: ['org:a'] });
  const secret = await base.admitted('Refund', 'd', { scopes: ['org:a'] });
  const listed = async (query: string, headers = {}) => {
    const { items, next_cursor } = await ok<{
      items: { id: string; status: string }[];
      next_cursor?: string;
    }>('GET', '/api/knowledge', { query: `status=rejected${query}`, headers });
    return [...items.map(({ id, status }) => `${id} ${status}`), ...(next_cursor ? ['more'] : [])];
  };
  expect(await listed('')).toEqual([`${copy} rejected`]);
  expect(await listed('', A)).toEqual([`${secret} rejected`, `${copy} rejected`]);
  expect(await listed('&limit=1', A)).toEqual([`${secret} rejected`, 'more']);
  expect(await listed('&domain=ops', A)).toEqual([`${copy} rejected`]);
  expect(await listed('&domain=payment', A)).toEqual([]);
  expect(await listed('&needs_review=true', A)).toEqual([]);
});

test('API: the queue is shown and queued again; force frees only what its worker must have left', async () => {
  const { base, ok } = world();
  const id = await base.entry('Timeout', 'a');
  const stuck = await base.entry('Refund', 'b');
  await base.entry('Secret', 'c', { scopes: ['org:a'] });
  base.ports.queue.take(9);
  await base.ports.items.claim(stuck, { token: 't', at: base.clock.now() }, base.clock.now() + 5 * MINUTE);
  const { items } = await ok<{ items: unknown[] }>('GET', '/api/knowledge/pending');
  expect(items).toMatchObject([
    { id, status: 'pending', task: 'Timeout' },
    { id: stuck, status: 'processing' },
  ]);
  const process = (query: string) => ok('POST', '/api/knowledge/process', { query });
  expect(await process('')).toEqual({ queued: [id], freed: [] });
  expect(base.ports.queue.take(9)).toEqual([{ type: 'admit', item_id: id }]);
  expect(await process('force=true')).toEqual({ queued: [id], freed: [] });
  base.clock.pass(3 * MINUTE);
  expect(await process('force=false')).toEqual({ queued: [id], freed: [] });
  expect(await process('force=true')).toEqual({ queued: [id, stuck], freed: [stuck] });
  await base.work();
  expect([await base.status(id), await base.status(stuck)]).toEqual(['approved', 'approved']);
});

test('R3.1 R2.6 API: import brings lines in as approved, names those that fail, and is safe to run twice', async () => {
  const { base, ok } = world();
  const lines = [
    { id: 'knowledge-20250101-abcd', task: 'Timeout', content: 'a', status: 'rejected', relationships: null },
    { task: 'Refund', content: 'b' },
    { task: 'Refund', content: ' ' },
    { task: 'Refund', content: 'b', colour: 'red' },
  ];
  const body = `${lines.map((line) => JSON.stringify(line)).join('\n')}\n\nnot json\n`;
  const first = await ok<{ lines: { id: string }[] }>('POST', '/api/knowledge/import', { body });
  expect(first).toEqual({
    imported: 2,
    known: 0,
    failed: 3,
    lines: [
      { line: 1, id: 'knowledge-20250101-abcd', imported: true, ignored: ['status', 'relationships'] },
      { line: 2, id: expect.stringMatching(/^knowledge-19700101-\d{6}-[0-9a-f]{8}$/), imported: true },
      { line: 3, error: { code: 'invalid_input', message: 'content is blank', field: 'content' } },
      { line: 4, error: { code: 'invalid_input', message: 'unknown field "colour"', field: 'colour' } },
      { line: 6, error: { code: 'invalid_input', message: 'line: not JSON', field: 'line' } },
    ],
  });
  expect(await base.status(first.lines[0]!.id)).toBe('approved');
  expect(await ok('POST', '/api/knowledge/import', { body })).toMatchObject({
    imported: 0,
    known: 2,
    failed: 3,
  });
});

test('R6.1 API: a lookup answers under its request id, a repeat gets the same answer, and the session can be ended', async () => {
  const { base, api, ok } = world();
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
  const { api } = world();
  const { headers, body } = await api.call('POST', '/api/lookup', { body: { query: 'timeout' } });
  const { request_id } = body as { request_id: string };
  expect([request_id, request_id.length]).toEqual([headers['x-request-id'], 8]);
});

test('API: search finds live items by meaning for those who may see them', async () => {
  const { base, ok } = world();
  const id = await base.published(PATH, file('Timeout', 'check the log'), { scopes: ['org:a'] });
  const search = (headers: Record<string, string>) =>
    ok('GET', '/api/knowledge/search', { query: 'q=timeout+log', headers });
  expect(await search(A)).toMatchObject({ documents: [{ id, path: PATH, section: 'Timeout' }] });
  expect(await search({})).toEqual({ documents: [] });
});

test('R5.1 R5.3 R5.4 API: domains, their text on request, the map as YAML and the prompts with it', async () => {
  const { base, api, ok } = world();
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

test('API: health names what works and what does not, and never what a store said', async () => {
  const { base, ok } = world();
  await base.admitted('Timeout', 'a');
  expect(await ok('GET', '/api/health')).toMatchObject({
    status: 'ok',
    projections: [
      { name: 'records', behind: 0, parked: [] },
      { name: 'mirror', behind: 0, parked: [] },
      { name: 'index', behind: 0, parked: [] },
    ],
  });
  base.options.before = ({ port }) => {
    if (port === 'sessions') throw new Error('password=secret');
  };
  const sick = await ok<{ status: string; parts: { name: string; works: boolean; problem?: string }[] }>(
    'GET',
    '/api/health',
  );
  expect([
    sick.status,
    sick.parts.filter(({ works }) => !works).map(({ name, problem }) => [name, problem]),
  ]).toEqual(['degraded', [['sessions', 'internal']]]);
});

test('API: health does not wait for a store that does not answer', async () => {
  const base = knowledgeBase({
    before: ({ port }) => (port === 'mirror' ? new Promise(() => undefined) : undefined),
  });
  const { parts } = await health(base.instance, 20)();
  expect(parts.filter(({ works }) => !works)).toMatchObject([{ name: 'mirror', problem: 'no_answer' }]);
});
