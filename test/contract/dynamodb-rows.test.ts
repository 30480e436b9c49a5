import { GetCommand, PutCommand, UpdateCommand } from '@aws-sdk/lib-dynamodb';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createDynamoPorts, type DynamoPorts } from '#lib/adapters/aws/dynamodb/ports.ts';
import { prepareProjections } from '#lib/adapters/aws/dynamodb/projections.ts';
import type { SessionClaim } from '#lib/core/rows.ts';
import { type Dynalite, startDynalite } from '#test/support/dynalite.ts';
import { decision, itemRow, point, uniqueHex, uniqueId } from '#test/support/rows.ts';

let server: Dynalite;
let ports: DynamoPorts;
beforeAll(async () => {
  server = await startDynalite();
  ports = createDynamoPorts(server.client, server.names);
});
afterAll(() => server?.stop());

const stored = async (id: string, part: string) =>
  (await server.client.send(new GetCommand({ TableName: server.names.items, Key: { id, part } }))).Item;

/** The item's row with some attributes set and others taken out, as another system may have left it. */
const change = async (id: string, update: string, values?: Record<string, unknown>) =>
  server.client.send(
    new UpdateCommand({
      TableName: server.names.items,
      Key: { id, part: 'meta' },
      UpdateExpression: update,
      ExpressionAttributeNames: { '#status': 'status' },
      ...(values && { ExpressionAttributeValues: values }),
    }),
  );

test('R2.6 a row without a status is approved, and one without relations has none', async () => {
  const row = itemRow({ decision: decision({ relations: [] }) });
  await ports.items.insert(row);
  await change(row.id, 'SET relationships = :null, decision.relations = :null REMOVE #status, pos', {
    ':null': null,
  });
  expect(await ports.items.get(row.id)).toEqual({ ...row, status: 'approved', pos: 0 });
  expect((await ports.items.claim(row.id, { token: 't', at: 1 }, 1)).claimed).toBe(false);
  expect(await ports.items.applyDecision(row.id, 1, decision({ status: 'checked' }), false)).toBe(true);
  expect((await ports.items.get(row.id))?.status).toBe('checked');
});

test('R4.1 a row that cannot be read is an error, not an absence', async () => {
  const row = itemRow();
  await ports.items.insert(row);
  await change(row.id, 'SET #status = :unheard', { ':unheard': 'unheard of' });
  await expect(ports.items.get(row.id)).rejects.toMatchObject({ code: 'unreadable_row' });
  await expect(ports.items.getMany([row.id])).rejects.toMatchObject({ code: 'unreadable_row' });
});

test('R4.3 a long history moves to rows of its own, and a mover that comes late brings no erased one back', async () => {
  const lineage = uniqueId();
  const points = Array.from({ length: 60 }, (_, timestamp) => point({ timestamp }));
  for (const [n, each] of points.entries()) await ports.evaluations.credit(lineage, n + 1, each);
  const sum = (await stored(lineage, 'eval'))!;
  expect(Object.keys(sum).filter((name) => name.startsWith('point#'))).toHaveLength(9);

  const gone = [points[3]!, points[57]!];
  for (const { related_id } of gone) await ports.evaluations.eraseHistory(related_id, [lineage]);
  const left = points.filter((each) => !gone.includes(each));
  expect((await ports.evaluations.get(lineage))?.history).toEqual(left);
  for (const position of ['000000000004', '000000000058'])
    expect(await stored(lineage, `history#${position}`)).toEqual({
      id: lineage,
      part: `history#${position}`,
      position: Number(position),
      erased: true,
    });
  expect((await stored(lineage, 'eval'))?.['point#58']).toBeUndefined();

  // What a mover read before the erasure, and writes after it.
  await server.client.send(
    new UpdateCommand({
      TableName: server.names.items,
      Key: { id: lineage, part: 'eval' },
      UpdateExpression: 'SET #point = :point',
      ExpressionAttributeNames: { '#point': 'point#4' },
      ExpressionAttributeValues: { ':point': points[3] },
    }),
  );
  expect((await ports.evaluations.get(lineage))?.history).toEqual(left);
  const later = Array.from({ length: 45 }, (_, n) => point({ timestamp: 60 + n }));
  for (const [n, each] of later.entries()) await ports.evaluations.credit(lineage, 61 + n, each);
  expect(Object.keys((await stored(lineage, 'eval'))!)).not.toContain('point#4');
  expect((await ports.evaluations.get(lineage))?.history).toEqual([...left, ...later]);
});

test('R3.6 an erasure that broke off between its two writes is completed by its repeat', async () => {
  const lineage = uniqueId();
  const given = point();
  await ports.evaluations.credit(lineage, 1, given);
  const part = 'history#000000000001';
  await server.client.send(
    new PutCommand({
      TableName: server.names.items,
      Item: { id: lineage, part, position: 1, erased: true },
    }),
  );
  expect((await ports.evaluations.get(lineage))?.history).toEqual([]);
  await ports.evaluations.eraseHistory(given.related_id, [lineage]);
  expect((await stored(lineage, 'eval'))?.['point#1']).toBeUndefined();
});

test('R6.7 a session that has expired begins anew with a claim that meets nothing of it', async () => {
  const key = uniqueHex(16);
  const claim = (request_id: string, now: number): SessionClaim => ({
    request_id,
    returned: [],
    success: request_id,
    domains: [request_id],
    cap: 1,
    fruitless_limit: 3,
    reply: '{}',
    now,
    expires_at: now + 100,
  });
  await ports.sessions.claim(key, claim('old', 1000));
  expect(await ports.sessions.claim(key, claim('new', 1100))).toBe(true);
  expect(await ports.sessions.get(key)).toEqual({
    key,
    searches: { new: 1 },
    fruitless: {},
    returned: [],
    answers: [{ request_id: 'new', reply: '{}' }],
    expires_at: 1200,
  });
  expect(await ports.sessions.claim(key, claim('old', 1150))).toBe(true);
});

test('R6.5 replies that no repeat can ask for any more are taken out of a long session', async () => {
  const key = uniqueHex(16);
  const claim = (n: number): SessionClaim => ({
    request_id: `r${n}`,
    returned: [],
    success: `d${n}`,
    domains: [`d${n}`],
    cap: 1,
    fruitless_limit: 3,
    reply: `reply ${n}`,
    now: 1000,
    expires_at: 5000,
  });
  for (let n = 0; n < 70; n += 1) expect(await ports.sessions.claim(key, claim(n))).toBe(true);
  const { Item } = await server.client.send(
    new GetCommand({ TableName: server.names.sessions, Key: { key } }),
  );
  const { claims } = Item as { claims: { reply?: string }[] };
  const replies = claims.map(({ reply }) => reply);
  expect(replies.slice(0, 32)).toEqual(Array.from({ length: 32 }, () => undefined));
  expect(replies.slice(32)).toEqual(Array.from({ length: 38 }, (_, n) => `reply ${n + 32}`));

  const session = (await ports.sessions.get(key))!;
  expect(session.answers).toEqual(
    Array.from({ length: 32 }, (_, n) => ({ request_id: `r${n + 38}`, reply: `reply ${n + 38}` })),
  );
  expect(Object.keys(session.searches)).toHaveLength(70);
  // Forgotten is forgotten for both: the condition goes by the same 32 as the reader.
  expect(await ports.sessions.claim(key, { ...claim(38), success: 'x', domains: ['x'] })).toBe(false);
  expect(await ports.sessions.claim(key, { ...claim(37), success: 'x', domains: ['x'] })).toBe(true);
});

test("R6.5 a session that outgrows its row is the caller's to end, and stays as it was", async () => {
  const key = uniqueHex(16);
  const claim = (request_id: string): SessionClaim => ({
    request_id,
    returned: [],
    fruitless: request_id,
    domains: [],
    cap: 1,
    fruitless_limit: 3,
    reply: 'r'.repeat(150_000),
    now: 1000,
    expires_at: 5000,
  });
  for (const request_id of ['r1', 'r2']) await ports.sessions.claim(key, claim(request_id));
  const before = await ports.sessions.get(key);
  await expect(ports.sessions.claim(key, claim('r3'))).rejects.toMatchObject({ code: 'conflict' });
  expect(await ports.sessions.get(key)).toEqual(before);
});

test('R4.8 preparing a deployment again leaves its projections as they are', async () => {
  const lease = { token: 't', at: 5 };
  const seen = (await ports.projections.takeLease('index', lease, 0, 0))!;
  await ports.projections.rebase('index', 't', seen, 'knowledge-1');
  await prepareProjections(server.client, server.names);
  expect(await ports.projections.get('index')).toEqual({ ...seen, physical: 'knowledge-1' });
});
