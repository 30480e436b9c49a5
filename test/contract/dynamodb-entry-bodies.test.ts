import { afterAll, beforeAll, expect, test } from 'vitest';
import { createBodies } from '#lib/adapters/aws/bodies.ts';
import { createDynamoEntryBodies } from '#lib/adapters/aws/dynamodb/entry-bodies.ts';
import { systemClock } from '#lib/adapters/memory/system.ts';
import { bodiesContract } from '#test/contract/bodies.contract.ts';
import { type Dynalite, startDynalite } from '#test/support/dynalite.ts';
import { memoryEntryBodies } from '#test/support/dynamodb-halves.ts';
import { neighbouringIds } from '#test/support/rows.ts';

let server: Dynalite;
beforeAll(async () => {
  server = await startDynalite();
});
afterAll(() => server?.stop());

/** Documents are held to the same contract on S3; here anything of their shape will do. */
bodiesContract('entry bodies on DynamoDB', async () =>
  createBodies(memoryEntryBodies(), createDynamoEntryBodies(server.client, server.names, systemClock)),
);

test('R4.8 a body is as old as its first put, to the millisecond, and young ones fill no page', async () => {
  let now = 1000;
  const bodies = createDynamoEntryBodies(server.client, server.names, { now: () => now });
  const { before, ids } = neighbouringIds(205);
  const [old, ...young] = ids.toReversed();
  await bodies.put(old!, 'text');
  now = 2000;
  await bodies.put(old!, 'text');
  await Promise.all(young.map((id) => bodies.put(id, 'text')));
  expect(await bodies.list(before, 1000, 1)).toEqual([]);
  expect(await bodies.list(before, 1001, 1)).toEqual([old]);
});
