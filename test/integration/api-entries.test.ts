import { expect, test } from 'vitest';
import { apiWorld, SCOPE_A } from '#test/support/api-world.ts';
import { MINUTE } from '#test/support/clock.ts';

test('R2.1 R3.1 API: an entry is queued at once, judged, and then shown with everything but its vector', async () => {
  const { base, ok } = apiWorld();
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

test('R4.3 R4.4 API: the status says the decision with its reason, and the eval shows who gave a point to those who may see it', async () => {
  const { base, ok } = apiWorld();
  const status = (id: string, headers = {}) =>
    ok('GET', `/api/knowledge/status/${id}`, { headers }, '/api/knowledge/status/{id}');
  const old = await base.admitted('Timeout', 'a b c');
  const waiting = await base.entry('Timeout', 'a b', { scopes: ['org:a'] });
  expect(await status(waiting, SCOPE_A)).toEqual({
    id: waiting,
    kind: 'entry',
    status: 'pending',
    decision: 'It waits to be compared with what is stored.',
    grounds: [],
    relations: [],
  });
  await base.work();
  expect(await status(waiting, SCOPE_A)).toMatchObject({
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
  expect(await evalOf(SCOPE_A)).toMatchObject({
    helpful: 2,
    helpful_history: [point],
    helpful_history_count: 1,
  });
  expect(await evalOf({})).toMatchObject({ helpful: 2, helpful_history: [], helpful_history_count: 0 });
});

test('API: a human checks, rejects with a reason and restores; what needs review is listed', async () => {
  const { base, api, ok } = apiWorld();
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

test('API: the queue is shown and queued again; force frees only what its worker must have left', async () => {
  const { base, ok } = apiWorld();
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
  const { base, ok } = apiWorld();
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
