import { afterEach, expect, test } from 'vitest';
import { lookup } from '#lib/usecases/lookup.ts';
import { file, type KnowledgeBase, knowledgeBase } from '#test/support/instance.ts';
import { callTool, connect, type McpGateway, mcpGateway } from '#test/support/mcp.ts';

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

Searched in this session, and closed: payment.`,
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
