import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createDynamoPorts, type DynamoPorts } from '#lib/adapters/aws/dynamodb/ports.ts';
import { Unclear } from '#lib/core/errors.ts';
import type { SessionClaim } from '#lib/core/rows.ts';
import { type Dynalite, startDynalite } from '#test/support/dynalite.ts';
import { type FaultHandler, faultHandler } from '#test/support/fault-handler.ts';
import { entry, itemRow, pathRow, uniqueHex, uniqueId } from '#test/support/rows.ts';

const NOW = 1_767_225_600_500;

let server: Dynalite;
/** Nothing goes wrong on this one: it prepares, and looks at what was done. */
let sound: DynamoPorts;
beforeAll(async () => {
  server = await startDynalite();
  sound = createDynamoPorts(server.client, server.names);
});
afterAll(() => server?.stop());

/** A call that writes; `refused` = its answer once it is done already; `state` = what must hold after it, done once. */
interface Writing {
  call(ports: DynamoPorts): Promise<unknown>;
  refused: unknown;
  state(): Promise<unknown>;
  done: unknown;
}

const writings: Record<string, () => Promise<Writing>> = {
  async 'ledger.put'() {
    const head = (await sound.ledger.readAfter(0, 1000)).length;
    const mine = entry(head + 1);
    return {
      call: ({ ledger }) => ledger.put(mine),
      refused: false,
      state: () => sound.ledger.readAfter(head, 10),
      done: [mine],
    };
  },
  async 'items.claim'() {
    const row = itemRow();
    await sound.items.insert(row);
    const claim = { token: 'mine', at: NOW };
    const claimed = { ...row, status: 'processing', claim, next_at: NOW + 5 };
    return {
      call: ({ items }) => items.claim(row.id, claim, NOW + 5),
      refused: { claimed: false, row: claimed },
      state: () => sound.items.get(row.id),
      done: claimed,
    };
  },
  async 'items.applyDecision'() {
    const row = itemRow({ next_at: NOW });
    await sound.items.insert(row);
    const decision = { status: 'approved', attempt: 1, grounds: [], relations: [] } as const;
    const { next_at: _, ...rest } = row;
    return {
      call: ({ items }) => items.applyDecision(row.id, 7, { ...decision, grounds: [], relations: [] }, false),
      refused: false,
      state: () => sound.items.get(row.id),
      done: { ...rest, status: 'approved', pos: 7, decision },
    };
  },
  async 'paths.advance'() {
    const row = pathRow();
    return {
      call: ({ paths }) => paths.advance(0, row),
      refused: false,
      state: () => sound.paths.get(row.path),
      done: row,
    };
  },
  async 'sessions.claim'() {
    const key = uniqueHex(16);
    const item = { id: uniqueId(), path: 'a/b.md', title: 't', domain: 'a', request_id: 'r1' };
    const claim: SessionClaim = {
      request_id: 'r1',
      returned: [item],
      success: 'a',
      domains: ['a'],
      cap: 1,
      fruitless_limit: 3,
      reply: '{}',
      now: 1000,
      expires_at: 5000,
    };
    return {
      call: ({ sessions }) => sessions.claim(key, claim),
      refused: false,
      state: () => sound.sessions.get(key),
      done: {
        key,
        searches: { a: 1 },
        fruitless: {},
        returned: [item],
        answers: [{ request_id: 'r1', reply: '{}' }],
        expires_at: 5000,
      },
    };
  },
  async 'projections.advance'() {
    const seen = (await sound.projections.takeLease('records', { token: 'mine', at: NOW }, NOW, NOW))!;
    return {
      call: ({ projections }) => projections.advance('records', 'mine', seen, { W: seen.W + 3, parked: [] }),
      refused: false,
      state: () => sound.projections.get('records'),
      done: { ...seen, W: seen.W + 3 },
    };
  },
  async 'evaluations.credit'() {
    const lineage = uniqueId();
    const point = {
      source: 'dedup',
      related_id: uniqueId(),
      relation_type: 'subset',
      ground_id: lineage,
      timestamp: 1,
      scopes: [],
    } as const;
    return {
      call: ({ evaluations }) => evaluations.credit(lineage, 5, { ...point, scopes: [] }),
      refused: undefined,
      state: () => sound.evaluations.get(lineage),
      done: { lineage, points: 1, pos: 5, history: [point] },
    };
  },
};

describe.each(Object.keys(writings))('R4.7 R6.5 %s', (name) => {
  const opened = async (maxAttempts: number) => {
    const wire: FaultHandler = faultHandler();
    const client = server.connect({ requestHandler: wire.requestHandler, maxAttempts });
    return { wire, ports: createDynamoPorts(client, server.names), ...(await writings[name]!()) };
  };

  test('done twice on the wire is done once, and the second answer is a refusal', async () => {
    const { wire, ports, call, refused, state, done } = await opened(1);
    wire.inject('done twice');
    expect(await call(ports)).toEqual(refused);
    expect(wire.left()).toBe(0);
    expect(await state()).toEqual(done);
  });

  test('done, answer lost, and sent again by the SDK is done once, and the answer is a refusal', async () => {
    const { wire, ports, call, refused, state, done } = await opened(3);
    wire.inject('done, answer lost', 'done, answer lost');
    expect(await call(ports)).toEqual(refused);
    expect(wire.left()).toBe(0);
    expect(await state()).toEqual(done);
  });

  test('done, and every answer lost, is unclear, done, and refused when it is repeated', async () => {
    const { wire, ports, call, refused, state, done } = await opened(2);
    wire.inject('done, answer lost', 'done, answer lost');
    await expect(call(ports)).rejects.toBeInstanceOf(Unclear);
    expect(wire.left()).toBe(0);
    expect(await state()).toEqual(done);
    expect(await call(ports)).toEqual(refused);
    expect(await state()).toEqual(done);
  });

  test('not done, since nobody listens, is unclear', async () => {
    const { call } = await opened(1);
    const nobody = server.connect({ endpoint: 'http://127.0.0.1:1', maxAttempts: 1 });
    await expect(call(createDynamoPorts(nobody, server.names))).rejects.toBeInstanceOf(Unclear);
  });
});
