import { afterEach, expect, test } from 'vitest';
import { Unclear } from '#lib/core/errors.ts';
import { file, type KnowledgeBase, knowledgeBase } from '#test/support/instance.ts';
import { CALLER_HEADER, connect, type McpGateway, mcpGateway, post } from '#test/support/mcp.ts';
import { exchangeOf } from '#test/support/mcp-token.ts';

let gateway: McpGateway;
afterEach(() => gateway.close());

async function started(base: KnowledgeBase = knowledgeBase()): Promise<string> {
  gateway = await mcpGateway([base.instance]);
  return (await connect(gateway)).session_id;
}

const LATEST = '2025-11-25';
const request = (method: string, params?: object, id: number | string = 1) => ({
  ...{ jsonrpc: '2.0', id, method },
  ...(params && { params }),
});
const initialize = request('initialize', {
  protocolVersion: LATEST,
  capabilities: {},
  clientInfo: { name: 'raw', version: '1' },
});
const ping = request('ping');
const cancelled = { jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId: 2 } };
const call = (name: string, args: object, id?: number) =>
  request('tools/call', { name, arguments: args }, id);

test('API initialize needs no session and gives one, to who takes JSON, anything, or does not say', async () => {
  await started();
  for (const accept of ['application/json, text/event-stream', '*/*', '']) {
    const { status, headers, body } = await post(gateway.url, initialize, { accept });
    expect([status, headers.get('content-type')]).toEqual([200, 'application/json']);
    expect(headers.get('mcp-session-id')).toMatch(/^[0-9a-f]{32}-[0-9a-f]{32}$/);
    expect(headers.get('x-request-id')).toMatch(/^[0-9a-f]{8}$/);
    expect(body).toMatchObject({ jsonrpc: '2.0', id: 1, result: { protocolVersion: LATEST } });
  }
});

test('API an initialize that cannot be understood opens no session', async () => {
  await started();
  const { status, headers, body } = await post(gateway.url, request('initialize', {}));
  expect([status, headers.get('mcp-session-id')]).toEqual([200, null]);
  expect(body).toMatchObject({ id: 1, error: { code: expect.any(Number) } });
});

test('API without a session, with a changed one and with a made-up one there is no answer but why', async () => {
  const session_id = await started();
  const with_session = (id: string) => post(gateway.url, ping, { 'mcp-session-id': id });
  expect(await post(gateway.url, ping)).toMatchObject({
    ...{ status: 400, body: { jsonrpc: '2.0', id: null, error: { code: -32000 } } },
  });
  const changed = session_id.slice(0, -1) + (session_id.endsWith('0') ? '1' : '0');
  for (const id of [changed, session_id.slice(1), 'mine', session_id.toUpperCase()])
    expect(await with_session(id)).toMatchObject({ status: 404, body: { error: { code: -32001 } } });
  expect(await with_session(session_id)).toMatchObject({ status: 200, body: { id: 1, result: {} } });
});

test('API who is not signed is nobody, whatever the method', async () => {
  const session_id = await started();
  for (const method of ['POST', 'GET', 'DELETE']) {
    const headers = { [CALLER_HEADER]: '', 'mcp-session-id': session_id };
    const body = method === 'POST' ? ping : undefined;
    expect(await post(gateway.url, body, headers, method)).toMatchObject({
      ...{ status: 401, body: { error: { code: 'unauthenticated' } } },
    });
  }
});

test('API no stream is offered, no other method is known, and the end needs a session of one’s own', async () => {
  const session_id = await started();
  const ask = async (method: string, headers = {}) => {
    const reply = await post(gateway.url, undefined, headers, method);
    return [reply.status, reply.headers.get('allow')];
  };
  expect(await ask('GET', { accept: 'text/event-stream', 'mcp-session-id': session_id })).toEqual([
    ...[405, 'POST, DELETE'],
  ]);
  expect(await ask('PUT')).toEqual([405, 'DELETE, GET, POST']);
  expect(await ask('DELETE')).toEqual([400, null]);
  expect(await ask('DELETE', { 'mcp-session-id': 'mine' })).toEqual([404, null]);
  expect(await ask('DELETE', { 'mcp-session-id': session_id })).toEqual([204, null]);
});

test.each([
  ['broken JSON', '{"jsonrpc": "2.0",', 400, -32700],
  ['nothing', '', 400, -32700],
  ['no object', '7', 400, -32700],
  ['no JSON-RPC', { hello: 'world' }, 400, -32700],
  ['half a character', '{"jsonrpc":"2.0","id":1,"method":"ping","params":{"a":"\\ud83d"}}', 400, -32700],
  ['nested without end', `${'['.repeat(50)}${']'.repeat(50)}`, 400, -32700],
  ['an empty batch', [], 400, -32600],
  ['two initializations', [initialize, initialize], 400, -32600],
  ['more than a hundred messages', Array.from({ length: 101 }, () => ping), 400, -32600],
])('API %s is refused as JSON-RPC does', async (_, body, status, code) => {
  const session_id = await started();
  const reply = await post(gateway.url, body, { 'mcp-session-id': session_id });
  expect([reply.status, reply.body]).toEqual([
    ...[status, { jsonrpc: '2.0', id: null, error: { code, message: expect.any(String) } }],
  ]);
});

test.each([
  ['an unknown method', request('tools/delete'), -32601],
  ['a method of another capability', request('logging/setLevel', { level: 'debug' }), -32601],
  ['an unknown tool', call('forget_all', {}), -32602],
  ['a tool without a name', request('tools/call', {}), -32602],
  ['arguments that are a list', request('tools/call', { name: 'get_document', arguments: [] }), -32602],
  ['a resource without an address', request('resources/read', {}), -32602],
  ['a prompt without anything', request('prompts/get'), -32602],
  ['a prompt with a number', request('prompts/get', { name: 'planner', arguments: { a: 1 } }), -32602],
  ['a place in a list that is no text', request('tools/list', { cursor: 5 }), -32602],
  ['a resource that is not there', request('resources/read', { uri: 'file:///etc/passwd' }), -32002],
])('API %s is an error of its own request', async (_, body, code) => {
  const session_id = await started();
  const reply = await post(gateway.url, body, { 'mcp-session-id': session_id });
  expect(reply).toMatchObject({ status: 200, body: { id: 1, error: { code } } });
  expect(gateway.faults).toEqual([]);
});

test('API what is wrong with a request of the protocol is told by its field', async () => {
  const session_id = await started();
  const told = async (body: object) => (await post(gateway.url, body, { 'mcp-session-id': session_id })).body;
  expect(await told(request('resources/read', {}))).toMatchObject({
    ...{ error: { message: expect.stringMatching(/params\.uri: is missing; it must be a text$/) } },
  });
  expect(await told(request('prompts/get', { name: 'planner', arguments: { a: 1 } }))).toMatchObject({
    ...{ error: { message: expect.stringMatching(/params\.arguments\.a: must be a text$/) } },
  });
});

test('API who takes JSON alone gets JSON: no stream is ever sent', async () => {
  const session_id = await started();
  for (const accept of ['application/json', 'application/json;q=0.9, text/plain', 'application/*'])
    expect(await post(gateway.url, ping, { 'mcp-session-id': session_id, accept })).toMatchObject({
      ...{ status: 200, body: { id: 1, result: {} } },
    });
});

test.each([
  ['another kind of answer', { accept: 'text/html' }, 406],
  ['another kind of body', { 'content-type': 'text/plain' }, 415],
  ['another version of the protocol', { 'mcp-protocol-version': '1999-01-01' }, 400],
])('API %s is refused by its header', async (_, headers, status) => {
  const session_id = await started();
  const reply = await post(gateway.url, ping, { 'mcp-session-id': session_id, ...headers });
  expect(reply).toMatchObject({ status, body: { id: null, error: { code: -32000 } } });
});

test('API a body that is too large is refused before it is read', async () => {
  const session_id = await started();
  const body = call('save_knowledge', { task: 'a', content: 'x'.repeat(300_000) });
  const reply = await post(gateway.url, body, { 'mcp-session-id': session_id });
  expect(reply).toMatchObject({ status: 413, body: { error: { code: 'too_large', field: 'body' } } });
});

test('API a batch is answered as one; what it cancels in the same breath is answered all the same', async () => {
  const session_id = await started();
  const lookup = (id: number) => call('lookup_knowledge', { query: 'anything' }, id);
  const body = [ping, lookup(2), cancelled, lookup(3), request('nothing/known', {}, 'four')];
  const reply = await post(gateway.url, body, { 'mcp-session-id': session_id });
  expect(reply.status).toBe(200);
  expect(reply.body).toMatchObject([
    { id: 1, result: {} },
    { id: 2, result: { structuredContent: { documents: [] } } },
    { id: 3, result: { structuredContent: { documents: [] } } },
    { id: 'four', error: { code: -32601 } },
  ]);
  for (const notice of [cancelled, [cancelled], { jsonrpc: '2.0', method: 'notifications/initialized' }])
    expect(await post(gateway.url, notice, { 'mcp-session-id': session_id })).toMatchObject({
      ...{ status: 202, body: '' },
    });
});

test('API a store that is away is a tool error that may pass; a fault of ours says nothing of itself and is logged', async () => {
  const base = knowledgeBase();
  const session_id = await started(base);
  const ask = async (body: object) => {
    const reply = await post(gateway.url, body, { 'mcp-session-id': session_id });
    return JSON.stringify(reply.body);
  };
  const lookup = () => ask(call('lookup_knowledge', { query: 'anything' }));
  const map = () => ask(request('resources/read', { uri: 'knowhub://map' }));
  base.options.before = () => {
    throw new Unclear('secret detail');
  };
  expect(await lookup()).toMatch(/code: unclear.*"isError":true/);
  expect(await map()).toMatch(/"code":-32603.*may be repeated/);
  expect(gateway.faults).toEqual([]);
  const fault = new Error('secret detail');
  base.options.before = () => {
    throw fault;
  };
  expect(await lookup()).toMatch(/code: internal.*"isError":true/);
  expect(await map()).toMatch(/"code":-32603.*A fault of ours/);
  expect(gateway.faults).toEqual([fault, fault]);
  expect(`${await lookup()}${await map()}`).not.toContain('secret');
  expect(gateway.metered.filter((each) => each === 'HttpErrors 5xx').length).toBe(6);
});

test('R6.8 under a token the scopes are its own, whatever the request states', async () => {
  const base = knowledgeBase();
  await started(base);
  const ask = exchangeOf(base.instance);
  await base.published('secret/plan.md', file('merger', 'gamma'), {
    scopes: ['org:a'],
  });
  expect(await ask({ sub: 'one', scope: 'org:a' }, ['org:b'])).toContain('merger');
  expect(await ask({ sub: 'one', scope: 'org:b' }, ['org:a'])).not.toContain('merger');
});
