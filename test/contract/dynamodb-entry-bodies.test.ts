import { afterAll, beforeAll, expect, test } from 'vitest';
import { createDynamoEntryBodies, type EntryBodies } from '#lib/adapters/aws/dynamodb/entry-bodies.ts';
import { createMemoryBodies } from '#lib/adapters/memory/bodies.ts';
import { systemClock } from '#lib/adapters/memory/system.ts';
import type { Bodies } from '#lib/ports.ts';
import { bodiesContract } from '#test/contract/bodies.contract.ts';
import { type Dynalite, startDynalite } from '#test/support/dynalite.ts';
import { neighbouringIds } from '#test/support/rows.ts';

let server: Dynalite;
beforeAll(async () => {
  server = await startDynalite();
});
afterAll(() => server?.stop());

/** The documents' half lies in S3, and is held to the same contract there. */
const withDocuments = (entries: EntryBodies, documents: Bodies): Bodies => ({
  put: (id, kind, text) => (kind === 'entry' ? entries.put(id, text) : documents.put(id, kind, text)),
  get: (id, kind) => (kind === 'entry' ? entries.get(id) : documents.get(id, kind)),
  async getMany(bodies) {
    const ids = bodies.filter(({ kind }) => kind === 'entry').map(({ id }) => id);
    const others = bodies.filter(({ kind }) => kind === 'document');
    return new Map([...(await entries.getMany(ids)), ...(await documents.getMany(others))]);
  },
  erase: (id, kind) => (kind === 'entry' ? entries.erase(id) : documents.erase(id, kind)),
  async list(after, before, limit) {
    const ids = await entries.list(after, before, limit);
    const listed = [
      ...ids.map((id) => ({ id, kind: 'entry' as const })),
      ...(await documents.list(after, before, limit)),
    ];
    return listed.sort((a, b) => (a.id < b.id ? -1 : 1)).slice(0, limit);
  },
});

bodiesContract('entry bodies on DynamoDB', async () =>
  withDocuments(
    createDynamoEntryBodies(server.client, server.names, systemClock),
    createMemoryBodies(systemClock),
  ),
);

test('R4.8 a body is as old as its first put, to the millisecond, and young ones fill no page', async () => {
  let now = 1000;
  const bodies = createDynamoEntryBodies(server.client, server.names, { now: () => now });
  const { before, ids } = neighbouringIds(205);
  const [old, ...young] = ids.toReversed();
  await bodies.put(old!, 'text');
  now = 2000;
  await bodies.put(old!, 'text');
  await Promise.all(young.map((id) => bodies.put(id, 'text')));
  expect(await bodies.list(before, 1000, 1)).toEqual([]);
  expect(await bodies.list(before, 1001, 1)).toEqual([old]);
});
