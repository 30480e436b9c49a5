import type { EntryBodies } from '#lib/adapters/aws/bodies.ts';
import type { TaskVectors } from '#lib/adapters/aws/vectors.ts';
import { createMemoryBodies } from '#lib/adapters/memory/bodies.ts';
import { systemClock } from '#lib/adapters/memory/system.ts';
import { createMemoryVectors } from '#lib/adapters/memory/vectors.ts';

/** Stands in for the half of the Bodies port that lies in DynamoDB. */
export function memoryEntryBodies(): EntryBodies {
  const bodies = createMemoryBodies(systemClock);
  const entry = (id: string) => ({ id, kind: 'entry' as const });
  return {
    put: (id, text) => bodies.put(id, 'entry', text),
    get: (id) => bodies.get(id, 'entry'),
    getMany: (ids) => bodies.getMany(ids.map(entry)),
    erase: (id) => bodies.erase(id, 'entry'),
    list: async (after, before, limit) => (await bodies.list(after, before, limit)).map(({ id }) => id),
  };
}

/** Stands in for the half of the Vectors port that lies in DynamoDB. */
export const memoryTaskVectors = (): TaskVectors => createMemoryVectors();
