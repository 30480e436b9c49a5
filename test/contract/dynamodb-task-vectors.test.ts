import { afterAll, beforeAll } from 'vitest';
import { createDynamoTaskVectors } from '#lib/adapters/aws/dynamodb/task-vectors.ts';
import { createMemoryVectors } from '#lib/adapters/memory/vectors.ts';
import type { Vectors } from '#lib/ports.ts';
import { vectorsContract } from '#test/contract/vectors.contract.ts';
import { type Dynalite, startDynalite } from '#test/support/dynalite.ts';

let server: Dynalite;
beforeAll(async () => {
  server = await startDynalite();
});
afterAll(() => server?.stop());

/** The sections' half lies in S3, and is held to the same contract there. */
vectorsContract('task vectors on DynamoDB', async (): Promise<Vectors> => {
  const tasks = createDynamoTaskVectors(server.client, server.names);
  const sections = createMemoryVectors();
  return {
    ...sections,
    saveTask: tasks.saveTask,
    tasks: tasks.tasks,
    async erase(id) {
      await tasks.erase(id);
      await sections.erase(id);
    },
  };
});
