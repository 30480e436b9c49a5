import { afterAll, beforeAll } from 'vitest';
import { createDynamoPaths } from '#lib/adapters/aws/dynamodb/paths.ts';
import { pathsContract } from '#test/contract/paths.contract.ts';
import { type Dynalite, startDynalite } from '#test/support/dynalite.ts';

let server: Dynalite;
beforeAll(async () => {
  server = await startDynalite();
});
afterAll(() => server?.stop());

pathsContract('paths on DynamoDB', async () => createDynamoPaths(server.client, server.names));
