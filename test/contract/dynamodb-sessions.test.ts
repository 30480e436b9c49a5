import { afterAll, beforeAll } from 'vitest';
import { createDynamoSessions } from '#lib/adapters/aws/dynamodb/sessions.ts';
import { sessionsContract } from '#test/contract/sessions.contract.ts';
import { type Dynalite, startDynalite } from '#test/support/dynalite.ts';

let server: Dynalite;
beforeAll(async () => {
  server = await startDynalite();
});
afterAll(() => server?.stop());

sessionsContract('R6.5 R6.6 R6.7 sessions on DynamoDB', async () =>
  createDynamoSessions(server.client, server.names),
);
