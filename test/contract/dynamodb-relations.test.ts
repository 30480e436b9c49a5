import { afterAll, beforeAll } from 'vitest';
import { createDynamoRelations } from '#lib/adapters/aws/dynamodb/relations.ts';
import { relationsContract } from '#test/contract/relations.contract.ts';
import { type Dynalite, startDynalite } from '#test/support/dynalite.ts';

let server: Dynalite;
beforeAll(async () => {
  server = await startDynalite();
});
afterAll(() => server?.stop());

relationsContract('relations on DynamoDB', async () => createDynamoRelations(server.client, server.names));
