import { afterEach, expect, test } from 'vitest';
import { sessionKey } from '#lib/core/session.ts';
import { PIECE } from '#lib/runtime/mcp/tools/get-document.ts';
import { agentPrompt } from '#lib/usecases/agent-prompt.ts';
import { knowledgeMap } from '#lib/usecases/knowledge-map.ts';
import { lookup } from '#lib/usecases/lookup.ts';
import { file, type KnowledgeBase, knowledgeBase } from '#test/support/instance.ts';
import { callTool, connect, type McpGateway, mcpGateway, post } from '#test/support/mcp.ts';

let gateway: McpGateway;
afterEach(() => {
  expect(gateway.faults).toEqual([]);
  gateway.close();
});

async function started(base: KnowledgeBase = knowledgeBase()): Promise<KnowledgeBase> {
  gateway = await mcpGateway([base.instance, base.another()]);
  return base;
}

test('API R5.4 an MCP client is told what there is: three tools, the map, two prompts, and how to use them', async () => {
  await started();
  const { client, session_id } = await connect(gateway);
  expect(client.getServerVersion()).toMatchObject({ name: 'knowhub', version: '1' });
  expect(client.getServerCapabilities()).toEqual({ tools: {}, resources: {}, prompts: {} });
  expect(client.getInstructions()).toContain('at most once per domain');
  expect(session_id).toMatch(/^[0-9a-f]{32}-[0-9a-f]{32}$/);

  const { tools } = await client.listTools();
  expect(
    tools.map(({ name, inputSchema, annotations }) => [name, inputSchema.required, annotations]),
  ).toEqual([
    ['lookup_knowledge', ['query'], expect.objectContaining({ readOnlyHint: true })],
    ['get_document', ['path'], expect.objectContaining({ readOnlyHint: true })],
    ['save_knowledge', ['task', 'content'], expect.objectContaining({ readOnlyHint: false })],
  ]);
  for (const { description, inputSchema, outputSchema } of tools) {
    expect(description!.length).toBeGreaterThan(200);
    expect([inputSchema.type, inputSchema.additionalProperties, outputSchema?.type]).toEqual([
      'object',
      false,
      'object',
    ]);
    for (const property of Object.values(inputSchema.properties!))
      expect(property).toHaveProperty('description');
  }
  expect((await client.listResources()).resources).toEqual([
    expect.objectContaining({ uri: 'knowhub://map', mimeType: 'application/yaml' }),
  ]);
  expect((await client.listResourceTemplates()).resourceTemplates).toEqual([]);
  const { prompts } = await client.listPrompts();
  expect(prompts.map(({ name }) => name)).toEqual(['planner', 'executor']);
  expect(await client.ping()).toEqual({});
  await client.close();
});

test('R6.5 R6.6 lookup_knowledge is the lookup of the MCP session, whichever instance answers: a domain once, then stopped', async () => {
  const base = await started();
  const id = await base.published('payment/timeout.md', file('timeout', 'alpha beta'));
  const { client, session_id } = await connect(gateway);

  const first = await callTool(client, 'lookup_knowledge', { query: 'timeout', domain: 'payment' });
  expect(first.structured).toMatchObject({
    level: 'L0',
    confidence: 'high',
    message: 'Found 1 document; the domain "payment" counts as searched.',
    documents: [{ id, path: 'payment/timeout.md' }],
    session: { searched_domains: ['payment'], returned: [id] },
  });
  expect(first.texts).toEqual([
    `Found 1 document; the domain "payment" counts as searched.

<document>
title: timeout
path: payment/timeout.md
domain: payment

alpha beta
</document>

Searched in this session: payment.`,
  ]);

  const again = await callTool(client, 'lookup_knowledge', { query: 'late answers', domain: 'payment' });
  expect(again.isError).toBe(false);
  expect(again.structured).toMatchObject({ level: 'none', documents: [] });
  expect(again.texts[0]).toMatch(
    /"payment" was searched already.*payment\/timeout\.md.*Other words will not help/,
  );

  // The session is that of the API, under the id that MCP minted.
  const caller = { principal: 'arn:one', scopes: [] };
  const over_api = await lookup(base.instance)(caller, { query: 'timeout', domain: 'payment', session_id });
  expect(over_api.documents).toEqual([]);
  expect(gateway.metered).toEqual([
    'Lookups L0',
    'LookupTime L0',
    'Lookups none',
    'LookupTime none',
    'Stops domain_searched',
  ]);
  await client.close();
});

test('R6.5 what a session was given it is not given again by another domain’s search', async () => {
  const base = await started();
  const id = await base.published('payment/timeout.md', file('timeout', 'alpha beta'));
  const { client } = await connect(gateway);
  const first = await callTool(client, 'lookup_knowledge', { query: 'timeout' });
  expect(first.structured).toMatchObject({ documents: [{ id }] });
  const again = await callTool(client, 'lookup_knowledge', { query: 'TIMEOUT' });
  expect(again.structured).toMatchObject({ documents: [] });
  expect(again.texts[0]).toContain('payment/timeout.md');
  // Another session of the same caller begins with nothing.
  const other = await connect(gateway);
  const fresh = await callTool(other.client, 'lookup_knowledge', { query: 'timeout' });
  expect(fresh.structured).toMatchObject({ documents: [{ id }] });
});

test('R6.1 a tool call that is sent again, its answer lost, gets the same answer and counts once', async () => {
  const base = await started();
  await base.published('payment/timeout.md', file('timeout', 'alpha beta'));
  const { session_id } = await connect(gateway);
  const call = (id: number) =>
    post(
      gateway.url,
      {
        jsonrpc: '2.0',
        id,
        method: 'tools/call',
        params: { name: 'lookup_knowledge', arguments: { query: 'timeout', domain: 'payment' } },
      },
      { 'mcp-session-id': session_id },
    );
  const timeless = ({ body }: { body: unknown }) => JSON.stringify(body).replaceAll(/"took_ms":\d+/g, '');
  const first = timeless(await call(7));
  expect(first).toContain('Found 1 document');
  expect(timeless(await call(7))).toBe(first);
  expect(timeless(await call(8))).toContain('was searched already');
});

test('R6.4 get_document gives a document verbatim, whatever the session was given; a long one in pieces', async () => {
  const base = await started();
  const short = file('timeout', 'alpha beta');
  await base.published('payment/timeout.md', short);
  const long = file('long', `${'知识🧠 text.\n'.repeat(4000)}end`);
  await base.published('payment/long one.md', long);
  const { client } = await connect(gateway);
  await callTool(client, 'lookup_knowledge', { query: 'timeout' });
  const whole = await callTool(client, 'get_document', { path: 'payment/timeout.md' });
  expect(whole.texts).toEqual([short]);
  expect(whole.structured).toMatchObject({ path: 'payment/timeout.md', content: short, status: 'approved' });
  expect(whole.structured).not.toHaveProperty('next_offset');

  let text = '';
  let offset: number | undefined = 0;
  let calls = 0;
  while (offset !== undefined) {
    const piece = await callTool(client, 'get_document', { path: 'payment/long one.md', offset });
    const { content, next_offset } = piece.structured as { content: string; next_offset?: number };
    expect([piece.texts[0], content.isWellFormed()]).toEqual([content, true]);
    expect([...content].length).toBeLessThanOrEqual(PIECE);
    expect(piece.texts.length).toBe(next_offset === undefined ? 1 : 2);
    text += content;
    offset = next_offset;
    calls += 1;
  }
  expect(text).toBe(long);
  expect(calls).toBe(3);
});

test('API a path is told as it is to be given: here it is not percent-encoded', async () => {
  await started();
  const { client } = await connect(gateway);
  const { texts } = await callTool(client, 'get_document', { path: 'timeout.md' });
  expect(texts[0]!.split('\n')[0]).toBe('path is not {category}/{filename}, as lookup_knowledge gave it');
});

test('R6.4 R6.8 the rest of a long entry is there by its id, for who may see it', async () => {
  const base = await started();
  const content = `${'alpha beta. '.repeat(300)}the end`;
  const id = await base.admitted('what alpha means', content, { domain: 'ops', scopes: ['org:a'] });
  const { client } = await connect(gateway, 'arn:one', ['org:a']);
  const found = await callTool(client, 'lookup_knowledge', { query: 'what alpha means', domain: 'ops' });
  // A section of it is shown, under the name by which the rest is to be had.
  expect(found.texts[0]).toContain(`\nid: ${id}\n`);
  expect(found.texts[0]).not.toContain('the end');
  const whole = await callTool(client, 'get_document', { path: id });
  expect([whole.texts, whole.structured]).toMatchObject([
    [content],
    { id, path: '', content, domain: 'ops' },
  ]);
  const rest = await callTool(client, 'get_document', { path: id, offset: content.length - 7 });
  expect(rest.texts).toEqual(['the end']);
  const { client: other } = await connect(gateway, 'arn:one', ['org:b']);
  const refused = await callTool(other, 'get_document', { path: id });
  expect([refused.isError, refused.texts[0]]).toEqual([true, expect.stringContaining('code: not_found')]);
  expect(refused.texts[0]).not.toContain('alpha');
});

test('R3.1 save_knowledge takes an entry in as the API does: pending at once, judged later, then found', async () => {
  const base = await started();
  const { client } = await connect(gateway);
  const args = {
    task: 'restart the mailer',
    content: 'alpha beta',
    domain: 'ops',
    tags: { service: 'mail' },
  };
  const saved = await callTool(client, 'save_knowledge', args);
  const id = String(saved.structured?.knowledge_id);
  expect(saved).toEqual({
    isError: false,
    structured: { status: 'pending', knowledge_id: id, message: expect.stringContaining('judged later') },
    texts: [expect.stringContaining(`${id}: Saved as pending. It is judged later`)],
  });
  expect(await base.row(id)).toMatchObject({
    ...{ status: 'pending', kind: 'entry', domain: 'ops', task: 'restart the mailer', owner: 'arn:one' },
    tags: { service: 'mail' },
  });
  const twin = await callTool(client, 'save_knowledge', args);
  await base.work();
  expect(await base.status(id)).toBe('approved');
  expect(await base.status(String(twin.structured?.knowledge_id))).toMatch(/^rejected/);
  const found = await callTool(client, 'lookup_knowledge', { query: 'restart the mailer', domain: 'ops' });
  expect(found.structured).toMatchObject({ documents: [{ id, kind: 'entry', path: '' }] });
  expect(found.texts[0]).toMatch(
    /<document>\ntitle: restart the mailer\nid: knowledge-[\w-]+\ndomain: ops\n[\s\S]*alpha beta\n<\/document>/,
  );
});

test.each([
  ['lookup_knowledge', {}, 'query'],
  ['lookup_knowledge', { query: '  ' }, 'query'],
  ['lookup_knowledge', { query: 7 }, 'query'],
  ['lookup_knowledge', { query: 'a', domain: '../b' }, 'domain'],
  ['lookup_knowledge', { query: 'a', session_id: 'mine' }, 'session_id'],
  ['get_document', {}, 'path'],
  ['get_document', { path: 'no-folder.md' }, 'path'],
  ['get_document', { path: 'a/../b.md' }, 'filename'],
  ['get_document', { path: 'payment/timeout.md', offset: -1 }, 'offset'],
  ['get_document', { path: 'payment/timeout.md', offset: 9999 }, 'offset'],
  ['get_document', { path: 'payment/none.md' }, undefined],
  ['save_knowledge', { task: 'a' }, 'content'],
  ['save_knowledge', { task: 'a', content: ' ' }, 'content'],
  ['save_knowledge', { task: 'a', content: 'x'.repeat(33_000) }, 'content'],
  ['save_knowledge', { task: 'a', content: 'b', tags: { a: 1 } }, 'tags.a'],
  ['save_knowledge', { task: 'a', content: 'b', status: 'approved' }, 'status'],
])('R3.7 %s with %j is a tool error that names %s', async (name, args, field) => {
  const base = await started();
  await base.published('payment/timeout.md', file('timeout', 'alpha beta'));
  const { client } = await connect(gateway);
  const { isError, texts, structured } = await callTool(client, name, args);
  expect([isError, structured]).toEqual([true, undefined]);
  const lines = texts[0]!.split('\n').slice(-3);
  expect(lines.at(-1)).toMatch(/^request_id: [0-9a-f]{8}$/);
  if (field === undefined) expect(lines[1]).toBe('code: not_found');
  else expect(lines.slice(0, 2)).toEqual(['code: invalid_input', `field: ${field}`]);
});

test('R6.7 a session is its caller’s: another caller’s id is no session, and his own is another', async () => {
  const base = await started();
  const id = await base.published('payment/timeout.md', file('timeout', 'alpha beta'));
  const one = await connect(gateway, 'arn:one');
  const two = await connect(gateway, 'arn:two');
  await callTool(one.client, 'lookup_knowledge', { query: 'timeout' });
  const ping = { jsonrpc: '2.0', id: 1, method: 'ping' };
  const as = (caller: string, session_id: string) =>
    post(gateway.url, ping, { 'x-test-caller': caller, 'mcp-session-id': session_id });
  expect((await as('arn:two', one.session_id)).status).toBe(404);
  expect((await as('arn:one', one.session_id)).status).toBe(200);
  const found = await callTool(two.client, 'lookup_knowledge', { query: 'timeout' });
  expect(found.structured).toMatchObject({ documents: [{ id }] });
});

test('R6.7 the end of an MCP session forgets it', async () => {
  const base = await started();
  const id = await base.published('payment/timeout.md', file('timeout', 'alpha beta'));
  const { client, transport, session_id } = await connect(gateway);
  await callTool(client, 'lookup_knowledge', { query: 'timeout', domain: 'payment' });
  const key = sessionKey('arn:one', session_id);
  expect((await base.ports.sessions.get(key))?.returned).toHaveLength(1);
  await transport.terminateSession();
  expect(await base.ports.sessions.get(key)).toBeUndefined();
  const caller = { principal: 'arn:one', scopes: [] };
  const again = await lookup(base.instance)(caller, { query: 'timeout', domain: 'payment', session_id });
  expect(again.documents.map((document) => document.id)).toEqual([id]);
});

test('R5.4 the prompts are those of the API, the Executor’s with what this session has searched', async () => {
  const base = await started();
  await base.published('payment/timeout.md', file('timeout', 'alpha beta'));
  const { client, session_id } = await connect(gateway);
  await callTool(client, 'lookup_knowledge', { query: 'timeout', domain: 'payment' });
  const caller = { principal: 'arn:one', scopes: [] };
  const textOf = async (name: string) => {
    const { messages } = await client.getPrompt({ name });
    return messages.map(({ role, content }) => [role, 'text' in content && content.text]);
  };
  const expected = agentPrompt(base.instance);
  expect(await textOf('planner')).toEqual([['user', await expected('planner', caller)]]);
  const executor = await expected('executor', caller, session_id);
  expect(executor).toMatch(/Already searched in this session[\s\S]*payment/);
  expect(await textOf('executor')).toEqual([['user', executor]]);
  await expect(client.getPrompt({ name: 'critic' })).rejects.toMatchObject({ code: -32602 });
  await expect(client.readResource({ uri: 'knowhub://other' })).rejects.toMatchObject({ code: -32002 });
  await expect(client.callTool({ name: 'forget_all' })).rejects.toMatchObject({ code: -32602 });
});

test('R6.8 map, prompts, documents and lookups are each by the caller’s scopes', async () => {
  const base = await started();
  await base.published('secret/plan.md', file('merger plan', 'gamma'), { scopes: ['org:a'] });
  await base.published('payment/timeout.md', file('timeout', 'alpha beta'));
  const inside = await connect(gateway, 'arn:one', ['org:a']);
  const outside = await connect(gateway, 'arn:one', ['org:b']);
  const seen = async ({ client }: typeof inside) => {
    const { contents } = await client.readResource({ uri: 'knowhub://map' });
    const { messages } = await client.getPrompt({ name: 'planner' });
    const found = await callTool(client, 'lookup_knowledge', { query: 'merger plan' });
    const document = await callTool(client, 'get_document', { path: 'secret/plan.md' });
    return {
      contents,
      told: JSON.stringify([contents, messages, found, document]),
      refused: document.isError,
    };
  };
  const [with_scope, without] = [await seen(inside), await seen(outside)];
  const map = await knowledgeMap(base.instance)({ scopes: ['org:a'] });
  expect(with_scope.contents).toEqual([{ uri: 'knowhub://map', mimeType: 'application/yaml', text: map }]);
  expect(map).toContain('merger plan');
  expect(with_scope.refused).toBe(false);
  expect(without.refused).toBe(true);
  // Its own words come back in nothing but the refusal's path.
  expect(without.told.replaceAll('secret/plan.md', '')).not.toMatch(/merger|secret|gamma/);
});
