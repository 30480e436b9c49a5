import { expect, test } from 'vitest';
import { agentPrompt } from '#lib/usecases/agent-prompt.ts';
import { knowledgeMap } from '#lib/usecases/knowledge-map.ts';
import { file } from '#test/support/instance.ts';
import { callTool, connect } from '#test/support/mcp.ts';
import { startMcpBase } from '#test/support/mcp-base.ts';

test('API R5.4 an MCP client is told what there is: three tools, the map, two prompts, and how to use them', async () => {
  const { gateway } = await startMcpBase();
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

test('R5.4 the prompts are those of the API, the Executor’s with what this session has searched', async () => {
  const { base, gateway } = await startMcpBase();
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
  const { base, gateway } = await startMcpBase();
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
