import { afterAll, beforeAll } from 'vitest';
import { createDynamoLedger } from '#lib/adapters/aws/dynamodb/ledger.ts';
import { ledgerContract } from '#test/contract/ledger.contract.ts';
import { type Dynalite, startDynalite } from '#test/support/dynalite.ts';

let server: Dynalite;
beforeAll(async () => {
  server = await startDynalite();
});
afterAll(() => server?.stop());

ledgerContract('ledger on DynamoDB', async () => createDynamoLedger(server.client, server.names));
