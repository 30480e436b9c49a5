import { afterAll, beforeAll } from 'vitest';
import { createDynamoItems } from '#lib/adapters/aws/dynamodb/items.ts';
import { itemsContract } from '#test/contract/items.contract.ts';
import { type Dynalite, startDynalite } from '#test/support/dynalite.ts';

let server: Dynalite;
beforeAll(async () => {
  server = await startDynalite();
});
afterAll(() => server?.stop());

itemsContract('items on DynamoDB', async () => createDynamoItems(server.client, server.names));
