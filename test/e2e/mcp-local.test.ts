import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { expect, test } from 'vitest';
import { ROOT, until } from '#test/support/local-process.ts';
import { localRun } from '#test/support/local-run.ts';
import { callTool } from '#test/support/mcp.ts';

const local = localRun();

async function connected(transport: StreamableHTTPClientTransport | StdioClientTransport): Promise<Client> {
  const client = new Client({ name: 'test', version: '1' });
  await client.connect(transport);
  return client;
}
const overHttp = () => connected(new StreamableHTTPClientTransport(new URL(`${local.url}/mcp`)));

test('API R3.1 R6.7 the local run answers MCP by itself: what one agent saves, another finds, once a session', async () => {
  expect(local.out()).toContain(`Agents connect by MCP: ${local.url}/mcp`);
  const client = await overHttp();
  const task = 'Rotate the signing keys';
  const saved = await callTool(client, 'save_knowledge', {
    task,
    content: 'Every quarter.',
    domain: 'security',
  });
  const id = saved.structured?.knowledge_id;
  // A session of its own each time: within one the domain would soon be closed.
  const found = await until(
    async () => callTool(await overHttp(), 'lookup_knowledge', { query: task, domain: 'security' }),
    ({ structured }) => JSON.stringify(structured).includes(String(id)),
  );
  expect(found.texts[0]).toContain('Every quarter.');
  const { contents } = await client.readResource({ uri: 'knowhub://map' });
  expect(JSON.stringify(contents)).toContain('security');

  // As an agent's configuration has it; npm says nothing of its own.
  const stdio = new StdioClientTransport({
    command: 'npm',
    args: ['--prefix', ROOT, 'run', '--silent', 'knowhub', '--', 'mcp'],
    env: { PATH: process.env.PATH ?? '', HOME: process.env.HOME ?? '', KNOWHUB_URL: local.url },
    stderr: 'pipe',
  });
  const bridged = await connected(stdio);
  const query = { query: task, domain: 'security' };
  expect(JSON.stringify((await callTool(bridged, 'lookup_knowledge', query)).structured)).toContain(
    String(id),
  );
  expect((await callTool(bridged, 'lookup_knowledge', query)).texts[0]).toContain('was searched already');
  await bridged.close();
});
