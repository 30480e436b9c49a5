import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { BedrockStub } from '#test/support/bedrock-stub.ts';
import { KNOWHUB } from '#test/support/command-line.ts';
import { callTool } from '#test/support/mcp.ts';
import { createMcpFetch } from '../../bin/support/cli-mcp-fetch.ts';
import { createSigner } from '../../bin/support/sign.ts';
import { decided, upload } from './api.ts';
import { startBedrock } from './bedrock.ts';
import { deployment } from './deployment.ts';

const { api_url, region } = deployment();

let bedrock: BedrockStub;
let id: string;
beforeAll(async () => {
  bedrock = await startBedrock();
  const content =
    '---\ntitle: Valve\nkeywords: [valve lockout]\n---\n# Valve\n\nClose the valve, then tag it.\n';
  ({ id } = await upload('plant/valve.md', content));
  expect((await decided(id)).status).toBe('approved');
});
afterAll(() => bedrock?.stop());

async function connected(transport: StreamableHTTPClientTransport | StdioClientTransport): Promise<Client> {
  const client = new Client({ name: 'deployed', version: '1' });
  await client.connect(transport);
  return client;
}

const query = { query: 'valve lockout', domain: 'plant' };

test('API R6.5 R6.7 an MCP client that signs has tools, map and prompts, and a session that it ends', async () => {
  const fetch = createMcpFetch({ url: api_url, sign: createSigner(region) });
  const transport = new StreamableHTTPClientTransport(new URL(`${api_url}/mcp`), { fetch });
  const client = await connected(transport);
  const first = await callTool(client, 'lookup_knowledge', query);
  expect(first.structured).toMatchObject({ documents: [{ id, path: 'plant/valve.md' }] });
  const again = await callTool(client, 'lookup_knowledge', query);
  expect(again.texts[0]).toContain('"plant" was searched already');
  const { messages } = await client.getPrompt({ name: 'executor' });
  expect(JSON.stringify(messages)).toMatch(/Already searched in this session.*plant/);
  const { contents } = await client.readResource({ uri: 'knowhub://map' });
  expect(JSON.stringify(contents)).toContain('plant');
  const whole = await callTool(client, 'get_document', { path: 'plant/valve.md' });
  expect(whole.texts[0]).toContain('then tag it');
  const saved = await callTool(client, 'save_knowledge', {
    task: 'Bleed a radiator',
    content: 'Open the top valve.',
  });
  expect((await decided(String(saved.structured?.knowledge_id))).status).toBe('approved');
  await transport.terminateSession();
  await client.close();
});

test('API the bridge signs for an agent that cannot', async () => {
  // What the suite has of the deployment, its certificate included.
  const given = Object.entries(process.env).filter((each): each is [string, string] => each[1] !== undefined);
  const transport = new StdioClientTransport({
    command: process.execPath,
    args: [KNOWHUB, 'mcp', '--sign'],
    env: { ...Object.fromEntries(given), KNOWHUB_URL: api_url, AWS_REGION: region },
  });
  const client = await connected(transport);
  expect((await callTool(client, 'lookup_knowledge', query)).structured).toMatchObject({
    documents: [{ id }],
  });
  await client.close();
});
