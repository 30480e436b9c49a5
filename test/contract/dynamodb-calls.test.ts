import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createDynamoPorts, type DynamoPorts } from '#lib/adapters/aws/dynamodb/ports.ts';
import type { SessionClaim } from '#lib/core/rows.ts';
import { type Dynalite, startDynalite } from '#test/support/dynalite.ts';
import {
  decision,
  entry,
  fields,
  itemRow,
  pathRow,
  point,
  relationRow,
  taskVector,
  uniqueHex,
  uniqueId,
} from '#test/support/rows.ts';
import { recordCalls } from '#test/support/sdk-calls.ts';

let server: Dynalite;
let ports: DynamoPorts;
let calls: ReturnType<typeof recordCalls>;
beforeAll(async () => {
  server = await startDynalite();
  ports = createDynamoPorts(server.client, server.names);
  calls = recordCalls(server.client);
});
afterAll(() => server?.stop());

const NOW = 1_767_225_600_500;
const claim = { token: 't', at: NOW };
const sessionClaim = (request_id: string): SessionClaim => ({
  request_id,
  returned: [],
  success: request_id,
  domains: [request_id],
  cap: 1,
  fruitless_limit: 3,
  reply: '{}',
  now: 1000,
  expires_at: 5000,
});

/** A fresh item with what a case needs of it. */
const stored = async (overrides: Parameters<typeof itemRow>[0] = {}) => {
  const row = itemRow(overrides);
  await ports.items.insert(row);
  return row.id;
};
const received = () => stored({ status: 'received', path_seq: 1 });

type Case = [call: string, act: () => Promise<() => Promise<unknown>>, made: string[]];

/** What each call costs (design, section 8). `act` prepares, and returns the call that is counted. */
const cases: Case[] = [
  ['ledger.put', async () => () => ports.ledger.put(entry(1)), ['PutItem']],
  ['ledger.put, taken', async () => () => ports.ledger.put(entry(1)), ['PutItem']],
  ['ledger.readAfter, one page', async () => () => ports.ledger.readAfter(0, 500), ['Query']],
  ['ledger.readAfter, full', async () => () => ports.ledger.readAfter(0, 1), ['Query']],
  ['ledger.erase', async () => () => ports.ledger.erase(1), ['UpdateItem']],

  ['items.insert', async () => () => ports.items.insert(itemRow()), ['PutItem']],
  ['items.get', async () => () => ports.items.get(uniqueId()), ['GetItem']],
  [
    'items.getMany of 130',
    async () => () => ports.items.getMany(Array.from({ length: 130 }, uniqueId)),
    ['BatchGetItem', 'BatchGetItem'],
  ],
  ['items.getMany of none', async () => () => ports.items.getMany([]), []],
  [
    'items.raiseSeq',
    async () => {
      const id = await received();
      return () => ports.items.raiseSeq(id, 2);
    },
    ['UpdateItem'],
  ],
  [
    'items.accept',
    async () => {
      const id = await received();
      return () => ports.items.accept(id, 1, NOW);
    },
    ['UpdateItem'],
  ],
  [
    'items.accept, refused',
    async () => {
      const id = await received();
      return () => ports.items.accept(id, 2, NOW);
    },
    ['UpdateItem', 'GetItem'],
  ],
  [
    'items.dropReceived',
    async () => {
      const id = await received();
      return () => ports.items.dropReceived(id, 1);
    },
    ['DeleteItem'],
  ],
  [
    'items.claim',
    async () => {
      const id = await stored();
      return () => ports.items.claim(id, claim, NOW);
    },
    ['UpdateItem'],
  ],
  [
    'items.claim, refused',
    async () => {
      const id = await stored({ status: 'approved' });
      return () => ports.items.claim(id, claim, NOW);
    },
    ['UpdateItem', 'GetItem'],
  ],
  ['items.release', async () => () => ports.items.release(uniqueId(), 't', NOW), ['UpdateItem']],
  ['items.postpone', async () => () => ports.items.postpone(uniqueId(), NOW, NOW), ['UpdateItem']],
  [
    'items.completeFields',
    async () => () => ports.items.completeFields(uniqueId(), fields(), 't'),
    ['UpdateItem'],
  ],
  [
    'items.applyDecision',
    async () => {
      const id = await stored();
      return () => ports.items.applyDecision(id, 1, decision(), false);
    },
    ['UpdateItem'],
  ],
  [
    'items.applyDecision, erasing',
    async () => {
      const id = await stored();
      return () => ports.items.applyDecision(id, 1, decision(), true);
    },
    ['PutItem'],
  ],
  [
    'items.applyDecision, refused',
    async () => {
      const id = await stored({ pos: 5 });
      return () => ports.items.applyDecision(id, 5, decision(), false);
    },
    ['UpdateItem', 'GetItem'],
  ],
  [
    'items.due',
    async () => () => ports.items.due(NOW, { pending: NOW, processing: NOW }, 50),
    ['Query', 'Query', 'Query', 'Query'],
  ],
  ['items.received', async () => () => ports.items.received(NOW, 50), ['Query']],
  ['items.missingFields', async () => () => ports.items.missingFields(NOW, NOW, 50), ['Query']],

  ['paths.get', async () => () => ports.paths.get('a/b.md'), ['GetItem']],
  ['paths.advance', async () => () => ports.paths.advance(0, pathRow()), ['PutItem']],
  ['paths.forget', async () => () => ports.paths.forget('a/b.md', uniqueId()), ['UpdateItem']],

  ['projections.pointer', async () => () => ports.projections.pointer(), ['GetItem']],
  ['projections.get', async () => () => ports.projections.get('records'), ['GetItem']],
  [
    'projections.getMany',
    async () => () => ports.projections.getMany(['records', 'index']),
    ['BatchGetItem'],
  ],
  [
    'projections.takeLease',
    async () => () => ports.projections.takeLease('records', claim, NOW, NOW),
    ['UpdateItem'],
  ],
  [
    'projections.advance',
    async () => {
      const seen = (await ports.projections.get('records'))!;
      return () => ports.projections.advance('records', 't', seen, { W: 1, parked: [] });
    },
    ['UpdateItem'],
  ],
  [
    'projections.rebase',
    async () => {
      const seen = (await ports.projections.get('records'))!;
      return () => ports.projections.rebase('records', 't', seen, 'x');
    },
    ['UpdateItem'],
  ],
  [
    'projections.releaseLease',
    async () => () => ports.projections.releaseLease('records', 't'),
    ['UpdateItem'],
  ],

  [
    'relations.put, the first of its type in this process',
    async () => () => ports.relations.put(relationRow({ type: 'counted', reverse: 'counted' })),
    ['UpdateItem', 'PutItem'],
  ],
  [
    'relations.put',
    async () => () => ports.relations.put(relationRow({ type: 'counted', reverse: 'none' })),
    ['PutItem'],
  ],
  ['relations.of', async () => () => ports.relations.of(uniqueId()), ['Query', 'Query']],
  ['relations.byType', async () => () => ports.relations.byType('counted'), ['Query', 'Query']],
  ['relations.types', async () => () => ports.relations.types(), ['GetItem']],

  ['evaluations.credit', async () => () => ports.evaluations.credit(uniqueId(), 1, point()), ['UpdateItem']],
  ['evaluations.get', async () => () => ports.evaluations.get(uniqueId()), ['Query']],

  [
    'domains.markDirty, clean',
    async () => () => ports.domains.markDirty('counted', 1, NOW),
    ['UpdateItem', 'UpdateItem'],
  ],
  ['domains.markDirty, dirty', async () => () => ports.domains.markDirty('counted', 2, NOW), ['UpdateItem']],
  ['domains.get', async () => () => ports.domains.get('counted'), ['GetItem']],
  ['domains.list', async () => () => ports.domains.list(), ['Scan']],
  ['domains.claim', async () => () => ports.domains.claim('counted', claim, NOW, NOW), ['UpdateItem']],
  [
    'domains.save',
    async () => () =>
      ports.domains.save('counted', 't', {
        description: '',
        when_to_retrieve: '',
        model: '',
        computed_position: 2,
        updated_at: 1,
      }),
    ['UpdateItem'],
  ],
  ['domains.release', async () => () => ports.domains.release('counted', 't'), ['UpdateItem']],
  [
    'domains.savePart',
    async () => () => ports.domains.savePart('counted', 0, { key: '', text: '' }),
    ['PutItem'],
  ],
  ['domains.part', async () => () => ports.domains.part('counted', 0), ['GetItem']],

  ['sessions.get', async () => () => ports.sessions.get(uniqueHex()), ['GetItem']],
  ['sessions.claim', async () => () => ports.sessions.claim('counted', sessionClaim('a')), ['UpdateItem']],
  [
    'sessions.claim, refused',
    async () => () => ports.sessions.claim('counted', sessionClaim('a')),
    ['UpdateItem', 'PutItem'],
  ],
  ['sessions.forget', async () => () => ports.sessions.forget('counted'), ['DeleteItem']],

  ['task_vectors.saveTask', async () => () => ports.task_vectors.saveTask(taskVector()), ['PutItem']],
  ['task_vectors.tasks', async () => () => ports.task_vectors.tasks([uniqueId()]), ['BatchGetItem']],
  ['task_vectors.erase', async () => () => ports.task_vectors.erase(uniqueId()), ['DeleteItem']],
  ['entry_bodies.put', async () => () => ports.entry_bodies.put(uniqueId(), ''), ['PutItem']],
  ['entry_bodies.get', async () => () => ports.entry_bodies.get(uniqueId()), ['GetItem']],
  ['entry_bodies.list', async () => () => ports.entry_bodies.list('', NOW, 50), ['Query']],
];

describe('R6.6 R6.9 AWS calls of a port call', () => {
  test.each(cases)('%s', async (_, act, made) => {
    const call = await act();
    calls.take();
    await call();
    expect(calls.take()).toEqual(made);
  });
});
