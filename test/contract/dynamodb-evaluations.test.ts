import { afterAll, beforeAll } from 'vitest';
import { createDynamoEvaluations } from '#lib/adapters/aws/dynamodb/evaluations.ts';
import { evaluationsContract } from '#test/contract/evaluations.contract.ts';
import { type Dynalite, startDynalite } from '#test/support/dynalite.ts';

let server: Dynalite;
beforeAll(async () => {
  server = await startDynalite();
});
afterAll(() => server?.stop());

evaluationsContract('evaluations on DynamoDB', async () =>
  createDynamoEvaluations(server.client, server.names),
);
