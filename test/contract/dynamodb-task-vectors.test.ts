import { afterAll, beforeAll } from 'vitest';
import { createDynamoTaskVectors } from '#lib/adapters/aws/dynamodb/task-vectors.ts';
import { createVectors } from '#lib/adapters/aws/vectors.ts';
import { createMemoryVectors } from '#lib/adapters/memory/vectors.ts';
import { vectorsContract } from '#test/contract/vectors.contract.ts';
import { type Dynalite, startDynalite } from '#test/support/dynalite.ts';

let server: Dynalite;
beforeAll(async () => {
  server = await startDynalite();
});
afterAll(() => server?.stop());

/** Sections are held to the same contract on S3. */
vectorsContract('task vectors on DynamoDB', async () =>
  createVectors(createMemoryVectors(), createDynamoTaskVectors(server.client, server.names)),
);
