import { afterAll, beforeAll, describe } from 'vitest';
import { createDynamoDomains } from '#lib/adapters/aws/dynamodb/domains.ts';
import { domainsContract } from '#test/contract/domains.contract.ts';
import { createTables, type Dynalite, startDynalite } from '#test/support/dynalite.ts';

let server: Dynalite;
beforeAll(async () => {
  server = await startDynalite();
});
afterAll(() => server?.stop());

describe('domains on DynamoDB', () =>
  // The contract wants an empty store each time.
  domainsContract(async () => createDynamoDomains(server.client, await createTables(server.client))));
