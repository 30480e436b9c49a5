import {
  BatchWriteCommand,
  DeleteCommand,
  PutCommand,
  QueryCommand,
  UpdateCommand,
} from '@aws-sdk/lib-dynamodb';
import { expect, test } from 'vitest';
import { createDynamoClient } from '#lib/adapters/aws/dynamodb/client.ts';
import { pathOf } from './api.ts';
import { deployment } from './deployment.ts';
import { assume, roles } from './roles.ts';

const { api_url, outputs } = deployment();
const TableName = outputs.LedgerTable;
/** Of no entry: should one of these calls get through, it does no harm. */
const Key = { ledger: 'main', position: 999_999 };

test.each([
  ['GET', '/api/health', undefined],
  ['GET', pathOf('mysql/pool.md'), undefined],
  ['DELETE', pathOf('mysql/pool.md'), undefined],
  ['GET', '/api/no-such-route', undefined],
  ['POST', '/api/lookup', '{"query": "kubectl cordon"}'],
  ['POST', '/mcp', '{"jsonrpc": "2.0", "id": 1, "method": "ping"}'],
  ['POST', '/api/documents', '{"category": "a", "filename": "b.md", "content": "# C"}'],
])('API %s %s without a signature is refused before any function sees it', async (method, path, body) => {
  const response = await fetch(api_url + path, { method, ...(body && { body }) });
  expect(response.status).toBe(403);
  expect(await response.text()).not.toContain('request_id');
});

test('API nobody may delete from the ledger, and who only reads may not write it', async () => {
  const by_function = await roles();
  expect(Object.keys(by_function).sort()).toEqual([
    'dedup',
    'lookup',
    'mcp',
    'recompute',
    'reprocess',
    'upload',
  ]);
  const refused = { name: 'AccessDeniedException' };
  for (const [name, role] of Object.entries(by_function)) {
    const client = createDynamoClient({ credentials: await assume(role) });
    // Its own rights are there, so what is refused below is refused for want of one.
    const read = new QueryCommand({
      TableName,
      KeyConditionExpression: '#ledger = :main',
      ExpressionAttributeNames: { '#ledger': 'ledger' },
      ExpressionAttributeValues: { ':main': 'main' },
      Limit: 1,
    });
    await expect(client.send(read)).resolves.toMatchObject({ Count: expect.any(Number) });
    await expect(client.send(new DeleteCommand({ TableName, Key }))).rejects.toMatchObject(refused);
    const batch = { RequestItems: { [TableName]: [{ DeleteRequest: { Key } }] } };
    await expect(client.send(new BatchWriteCommand(batch))).rejects.toMatchObject(refused);
    if (['lookup', 'mcp', 'recompute'].includes(name)) {
      const put = new PutCommand({ TableName, Item: Key });
      await expect(client.send(put)).rejects.toMatchObject(refused);
      const update = new UpdateCommand({ TableName, Key, UpdateExpression: 'REMOVE live' });
      await expect(client.send(update)).rejects.toMatchObject(refused);
    }
    client.destroy();
  }
});
