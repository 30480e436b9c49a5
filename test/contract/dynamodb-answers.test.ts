import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createDynamoPorts } from '#lib/adapters/aws/dynamodb/ports.ts';
import { Partial, Unclear } from '#lib/core/errors.ts';
import { type Dynalite, startDynalite } from '#test/support/dynalite.ts';
import { faultHandler, type WireFault } from '#test/support/fault-handler.ts';
import { entry, itemRow } from '#test/support/rows.ts';

let server: Dynalite;
beforeAll(async () => {
  server = await startDynalite();
});
afterAll(() => server?.stop());

const opened = (...faults: WireFault[]) => {
  const wire = faultHandler();
  wire.inject(...faults);
  const client = server.connect({ requestHandler: wire.requestHandler, maxAttempts: 1 });
  return { wire, ports: createDynamoPorts(client, server.names) };
};
const error = (type: string) => JSON.stringify({ __type: `com.amazonaws.dynamodb.v20120810#${type}` });

describe('R4.8 what DynamoDB answers', () => {
  test.each([
    ['an internal error', 500, error('InternalServerError')],
    ['unavailability', 503, '<html>'],
    ['throttling', 400, error('ThrottlingException')],
    ['an overloaded partition', 400, error('ProvisionedThroughputExceededException')],
    ['too many requests', 400, error('RequestLimitExceeded')],
    ['a success cut short', 200, '{"Items": [{'],
  ])('with %s is unclear, for readers and writers', async (_, status, body) => {
    const { ports } = opened({ status, body }, { status, body });
    await expect(ports.ledger.readAfter(0, 5)).rejects.toBeInstanceOf(Unclear);
    await expect(ports.ledger.put(entry(1))).rejects.toBeInstanceOf(Unclear);
  });

  test.each(['ValidationException', 'AccessDeniedException', 'ResourceNotFoundException'])(
    'with %s is our mistake, and no reason to come again',
    async (type) => {
      const { ports } = opened({ status: 400, body: error(type) });
      await expect(ports.ledger.put(entry(1))).rejects.toMatchObject({ name: type });
    },
  );

  test('in part is asked for the rest, and answered whole', async () => {
    const row = itemRow();
    const unprocessed = (names: string) => ({
      status: 200,
      body: JSON.stringify({
        Responses: {},
        UnprocessedKeys: { [names]: { Keys: [{ id: { S: row.id }, part: { S: 'meta' } }] } },
      }),
    });
    const { ports, wire } = opened();
    await ports.items.insert(row);
    wire.inject(...Array.from({ length: 3 }, () => unprocessed(server.names.items)));
    expect(await ports.items.getMany([row.id])).toEqual([row]);
    expect(wire.left()).toBe(0);

    wire.inject(...Array.from({ length: 5 }, () => unprocessed(server.names.items)));
    await expect(ports.items.getMany([row.id])).rejects.toBeInstanceOf(Partial);
    expect(wire.left()).toBe(0);
  });

  test('cut in the middle of a page is read on', async () => {
    const [first, second] = [entry(1), entry(2)];
    const { ports, wire } = opened();
    for (const each of [first, second]) await ports.ledger.put(each);
    const key = { ledger: { S: 'main' }, position: { N: '1' } };
    const item = {
      ...key,
      at: { N: String(first.at) },
      by: { S: first.by },
      event: { S: first.event },
      item_id: { S: first.item_id },
      attempt: { N: '1' },
      decision_id: { S: first.decision_id },
      fingerprint: { S: first.fingerprint },
      scopes: { L: [] },
    };
    const cut = JSON.stringify({ Items: [item], Count: 1, LastEvaluatedKey: key });
    wire.inject({ status: 200, body: cut });
    expect(await ports.ledger.readAfter(0, 5)).toEqual([first, second]);
    wire.inject({ status: 200, body: cut });
    expect(await ports.ledger.readAfter(0, 1)).toEqual([first]);
  });
});
