import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { headerOf } from '#lib/runtime/http.ts';
import { file, type KnowledgeBase, knowledgeBase } from '#test/support/instance.ts';
import { callTool, type McpGateway, mcpGateway } from '#test/support/mcp.ts';
import { bridgeTo, spawnBridge } from '#test/support/mcp-bridge.ts';

/** A process takes its time to start where many others run. */
const PATIENCE = { timeout: 50_000 };

const LOCAL = { auth: { mode: 'none' } } as const;

let base: KnowledgeBase;
let gateway: McpGateway;
beforeEach(async () => {
  base = knowledgeBase();
  gateway = await mcpGateway([base.instance], LOCAL);
});
afterEach(() => gateway.close());

const methods = () => gateway.requests.map(({ requestContext }) => requestContext.http.method);

/** The SDK's client over the bridge, and what the bridge tells on stderr. */
async function connected(given: readonly string[] = [], env: Record<string, string> = {}) {
  const transport = new StdioClientTransport(bridgeTo(gateway.url, given, env));
  const told = { err: '' };
  transport.stderr?.on('data', (data) => {
    told.err += data;
  });
  const client = new Client({ name: 'test', version: '1' });
  await client.connect(transport);
  return { client, told };
}

const initialize = {
  ...{ jsonrpc: '2.0', id: 'a', method: 'initialize' },
  params: { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 'raw', version: '1' } },
};
const initialized = { jsonrpc: '2.0', method: 'notifications/initialized' };
const lookup = (id: number) => ({
  ...{ jsonrpc: '2.0', id, method: 'tools/call' },
  params: { name: 'lookup_knowledge', arguments: { query: 'timeout', domain: 'payment' } },
});

test('API R6.5 R6.7 over the bridge the SDK’s client does all that it does over HTTP, and its end ends the session', async () => {
  const id = await base.published('payment/timeout.md', file('timeout', 'alpha beta'));
  const { client, told } = await connected();
  expect((await client.listTools()).tools.map(({ name }) => name)).toEqual([
    ...['lookup_knowledge', 'get_document', 'save_knowledge'],
  ]);
  const { resources } = await client.listResources();
  const { contents } = await client.readResource({ uri: resources[0]!.uri });
  expect(JSON.stringify(contents)).toContain('timeout');
  const { prompts } = await client.listPrompts();
  expect(prompts).toHaveLength(2);

  const query = { query: 'timeout', domain: 'payment' };
  const first = await callTool(client, 'lookup_knowledge', query);
  expect(first.structured).toMatchObject({ documents: [{ id }] });
  const again = await callTool(client, 'lookup_knowledge', query);
  expect(again.texts[0]).toContain('was searched already');
  const { messages } = await client.getPrompt({ name: 'executor' });
  expect(JSON.stringify(messages)).toContain('Already searched in this session');
  const whole = await callTool(client, 'get_document', { path: 'payment/timeout.md' });
  expect(whole.texts[0]).toContain('alpha beta');
  const saved = await callTool(client, 'save_knowledge', { task: 'a task', content: 'gamma' });
  expect(saved.structured).toMatchObject({ status: 'pending' });

  expect(methods()).not.toContain('DELETE');
  await client.close();
  await vi.waitFor(() => expect(methods().at(-1)).toBe('DELETE'), PATIENCE);
  const ids = new Set(gateway.requests.slice(1).map((event) => headerOf(event, 'mcp-session-id')));
  expect(ids.size).toBe(1);
  expect(told.err).toBe(`knowhub: MCP from here to ${gateway.url.href}\n`);
});

test('API what is piped in is answered in full before it ends: nothing but protocol on stdout', async () => {
  await base.published('payment/timeout.md', file('timeout', 'alpha beta'));
  const bridge = spawnBridge(gateway.url);
  bridge.write(initialize, initialized, '{ broken', lookup(1));
  bridge.end();
  const { code, messages, err } = await bridge.ended();
  expect(code).toBe(0);
  expect(messages).toMatchObject([
    { id: 'a', result: { serverInfo: { name: 'knowhub' } } },
    { id: 1, result: { structuredContent: { documents: [{ path: 'payment/timeout.md' }] } } },
  ]);
  expect(err).toMatch(/^knowhub: not understood: .*JSON/m);
  expect(methods().at(-1)).toBe('DELETE');
});

test.each([
  ['SIGINT', 130],
  ['SIGTERM', 130],
] as const)('R6.7 %s ends the session too', async (signal, expected) => {
  const bridge = spawnBridge(gateway.url);
  bridge.write(initialize);
  await vi.waitFor(() => expect(bridge.said.out).toContain('knowhub'), PATIENCE);
  // As npm passes it on.
  bridge.kill(signal);
  bridge.kill(signal);
  expect(await bridge.ended()).toMatchObject({ code: expected, messages: [{ id: 'a' }] });
  expect(methods()).toEqual(['POST', 'DELETE']);
});

test('API a server that is away is named with what to do; once it is there the next call reaches it', async () => {
  const { url } = gateway;
  await gateway.close();
  const bridge = spawnBridge(url);
  bridge.write(initialize);
  await vi.waitFor(() => expect(bridge.said.out).toContain('\n'), PATIENCE);
  gateway = await mcpGateway([base.instance], { ...LOCAL, port: Number(url.port) });
  bridge.write({ ...initialize, id: 'b' });
  bridge.end();
  const { code, messages } = await bridge.ended();
  const why = `nobody answers at ${url.origin} (ECONNREFUSED). Start KnowHub here with: npm start      (or name another server: KNOWHUB_URL)`;
  expect(code).toBe(0);
  expect(messages).toMatchObject([
    { id: 'a', error: { code: -32000, message: why } },
    { id: 'b', result: { serverInfo: { name: 'knowhub' } } },
  ]);
});

test('API a server that was started anew goes on with the session; one that does not know it gets another, unseen', async () => {
  await base.published('payment/timeout.md', file('timeout', 'alpha beta'));
  const { client, told } = await connected();
  const query = { query: 'timeout', domain: 'payment' };
  await callTool(client, 'lookup_knowledge', query);
  const port = Number(gateway.url.port);

  await gateway.close();
  gateway = await mcpGateway([base.another()], { ...LOCAL, port });
  expect((await callTool(client, 'lookup_knowledge', query)).texts[0]).toContain('was searched already');

  await gateway.close();
  gateway = await mcpGateway([base.another()], { ...LOCAL, port, key: 'another deployment' });
  const found = await Promise.all([client.listTools(), client.listPrompts(), client.ping()]);
  expect(found[0].tools).toHaveLength(3);
  expect((await callTool(client, 'lookup_knowledge', query)).texts[0]).toContain('Found 1 document');
  const opened = gateway.requests.filter(({ body }) => body?.includes('"method":"initialize"'));
  expect(opened).toHaveLength(1);
  expect(told.err.match(/a new one is opened/g)).toHaveLength(1);
  await client.close();
});

test('API with --sign every request is signed, whatever its method, and states the scopes', async () => {
  const env = { AWS_REGION: 'eu-west-1', AWS_ACCESS_KEY_ID: 'AKIDEXAMPLE', AWS_SECRET_ACCESS_KEY: 'secret' };
  const { client } = await connected(['--sign', '--scopes', 'org:a,org:b'], env);
  await client.listTools();
  await client.close();
  await vi.waitFor(() => expect(methods().at(-1)).toBe('DELETE'), PATIENCE);
  expect(new Set(methods())).toEqual(new Set(['POST', 'GET', 'DELETE']));
  for (const event of gateway.requests) {
    expect(headerOf(event, 'authorization')).toMatch(
      /^AWS4-HMAC-SHA256 Credential=AKIDEXAMPLE\/\d{8}\/eu-west-1\/execute-api\/aws4_request, SignedHeaders=[a-z0-9;-]*host;[a-z0-9;-]*, Signature=[0-9a-f]{64}$/,
    );
    expect(headerOf(event, 'x-knowhub-scopes')).toBe('org:a,org:b');
  }
});

test('API a refusal of the API itself is told in its words', async () => {
  await gateway.close();
  gateway = await mcpGateway([base.instance]);
  const bridge = spawnBridge(gateway.url);
  bridge.write(initialize);
  bridge.end();
  const { messages } = await bridge.ended();
  const message = `${gateway.url.origin} refuses it (HTTP 401): the request is not signed. Are the credentials right, and may they call the API?`;
  expect(messages).toEqual([{ jsonrpc: '2.0', id: 'a', error: { code: -32000, message } }]);
});
