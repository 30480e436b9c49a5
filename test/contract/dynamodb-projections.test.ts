import { afterAll, beforeAll } from 'vitest';
import { createDynamoProjections } from '#lib/adapters/aws/dynamodb/projections.ts';
import { projectionsContract } from '#test/contract/projections.contract.ts';
import { type Dynalite, startDynalite } from '#test/support/dynalite.ts';

let server: Dynalite;
beforeAll(async () => {
  server = await startDynalite();
});
afterAll(() => server?.stop());

projectionsContract('projections on DynamoDB', async () =>
  createDynamoProjections(server.client, server.names),
);
