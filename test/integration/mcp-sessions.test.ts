import { expect, test } from 'vitest';
import { sessionKey } from '#lib/core/session.ts';
import { lookup } from '#lib/usecases/lookup.ts';
import { file } from '#test/support/instance.ts';
import { callTool, connect, post } from '#test/support/mcp.ts';
import { startMcpBase } from '#test/support/mcp-base.ts';

test('R6.5 R6.6 lookup_knowledge is the lookup of the MCP session, whichever instance answers: a domain once, then stopped', async () => {
  const { base, gateway } = await startMcpBase();
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
  const { base, gateway } = await startMcpBase();
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
  const { base, gateway } = await startMcpBase();
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

test('R6.7 a session is its caller’s: another caller’s id is no session, and his own is another', async () => {
  const { base, gateway } = await startMcpBase();
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
  const { base, gateway } = await startMcpBase();
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
