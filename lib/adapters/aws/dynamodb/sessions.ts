import type { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import * as z from 'zod';
import { isTooLarge } from '#lib/adapters/aws/dynamodb/errors.ts';
import {
  absent,
  attribute,
  type Expression,
  expression,
  joined,
  update,
} from '#lib/adapters/aws/dynamodb/expressions.ts';
import { parseRow, StoredClaim } from '#lib/adapters/aws/dynamodb/rows.ts';
import { type DynamoTable, openTable, type Row } from '#lib/adapters/aws/dynamodb/table.ts';
import type { TableNames } from '#lib/adapters/aws/tables.ts';
import { Conflict, Unclear } from '#lib/core/errors.ts';
import type { SessionClaim, SessionRow } from '#lib/core/rows.ts';
import { ANSWERS, afterClaim, domainsOf } from '#lib/core/session.ts';
import type { Sessions } from '#lib/ports.ts';

/** How many replies that are too old to be given again a row may hold before they are taken out. */
const STALE = 32;

const StoredSession = z.object({
  key: z.string(),
  claims: z.array(StoredClaim),
  count: z.number(),
  expires_at: z.number(),
});
type StoredSession = z.infer<typeof StoredSession>;

/**
 * The Sessions port on DynamoDB. A row is the list of the claims that were granted, in order: what a reader sees is
 * made of them by the same function as everywhere. Beside it, one attribute for everything that a claim must find
 * unchanged, since a condition cannot look into a list:
 * `returned#<id>`; `searches#<domain>` and `fruitless#<domain>`, how many; `answer#<request id>`, the count of claims
 * from which on the answer is forgotten. A session that outgrows its row throws `Conflict`.
 */
export function createDynamoSessions(client: DynamoDBDocumentClient, names: TableNames): Sessions {
  const table = openTable(client, names.sessions);
  return {
    async get(key) {
      const row = await table.get({ key });
      return row && sessionOf(parse(row));
    },
    async claim(key, claim) {
      const row = await table.update({ key }, additions(claim), holds(claim)).catch(sessionIsFull);
      if (row) {
        await takeOutStale(table, parse(row));
        return true;
      }
      // Refused; or the session has expired, which counts as absent: then it is replaced whole.
      return table.put(opened(key, claim), expression`${attribute('expires_at')} <= ${claim.now}`);
    },
    async forget(key) {
      await table.remove({ key });
    },
  };
}

/** More than a thousand searches: the caller's to end, not ours to repeat. */
function sessionIsFull(error: unknown): never {
  if (isTooLarge(error)) throw new Conflict('the session is full: end it, or begin another');
  throw error;
}

const parse = (row: Row): StoredSession => parseRow(StoredSession, row, 'session');

const sessionOf = ({ key, claims, expires_at }: StoredSession): SessionRow | undefined =>
  claims.reduce<SessionRow | undefined>(
    (row, { reply = '', ...claim }) =>
      afterClaim(row, key, {
        ...claim,
        reply,
        expires_at,
        now: 0,
        domains: [],
        cap: 0,
        fruitless_limit: 0,
      }),
    undefined,
  );

const stored = ({ request_id, returned, success, fruitless, reply }: SessionClaim): StoredClaim => ({
  request_id,
  returned,
  success,
  fruitless,
  reply,
});

/** `claimHolds` of the core as a condition, on a row that is absent or has not expired. */
function holds(claim: SessionClaim): Expression {
  const answer = `answer#${claim.request_id}`;
  const unchanged = [
    expression`${attribute('expires_at')} > ${claim.now}`,
    expression`(${absent(answer)} OR ${attribute(answer)} < ${attribute('count')})`,
    ...claim.returned.map(({ id }) => absent(`returned#${id}`)),
    ...claim.domains.map((domain) => isBelow(`searches#${domain}`, claim.cap)),
    ...domainsOf(claim).map((domain) => isBelow(`fruitless#${domain}`, claim.fruitless_limit)),
  ];
  return expression`${absent('key')} OR (${joined(unchanged, ' AND ')})`;
}

const isBelow = (name: string, limit: number): Expression =>
  expression`(${absent(name)} OR ${attribute(name)} < ${limit})`;

const countedAs = ({ success, fruitless }: SessionClaim): string[] => [
  ...(success === undefined ? [] : [`searches#${success}`]),
  ...(fruitless === undefined ? [] : [`fruitless#${fruitless}`]),
];

/** `afterClaim` of the core as an update. */
function additions(claim: SessionClaim): Expression {
  const plus = (name: string, from: string, n: number) =>
    expression`${attribute(name)} = if_not_exists(${attribute(from)}, ${0}) + ${n}`;
  const claims = attribute('claims');
  return update(
    {
      expires_at: claim.expires_at,
      ...Object.fromEntries(claim.returned.map(({ id }) => [`returned#${id}`, 1])),
    },
    [
      expression`${claims} = list_append(if_not_exists(${claims}, ${[]}), ${[stored(claim)]})`,
      plus('count', 'count', 1),
      plus(`answer#${claim.request_id}`, 'count', ANSWERS),
      ...countedAs(claim).map((name) => plus(name, name, 1)),
    ],
  );
}

/** The whole row of a session that begins with the claim. */
const opened = (key: string, claim: SessionClaim): Row => ({
  key,
  expires_at: claim.expires_at,
  claims: [stored(claim)],
  count: 1,
  [`answer#${claim.request_id}`]: ANSWERS,
  ...Object.fromEntries(claim.returned.map(({ id }) => [`returned#${id}`, 1])),
  ...Object.fromEntries(countedAs(claim).map((name) => [name, 1])),
});

/** Claims stay in their places, so that this can come late, or not at all. */
async function takeOutStale(table: DynamoTable, { key, claims }: StoredSession): Promise<void> {
  const stale = claims.flatMap(({ reply }, n) => (n < claims.length - ANSWERS && reply ? [n] : []));
  const last = stale.at(-1);
  if (last === undefined || stale.length < STALE) return;
  const replies = stale.map((n) => expression`${attribute('claims', n, 'reply')}`);
  // A session that expired and began anew in between has another claim there.
  const same = expression`${attribute('claims', last, 'request_id')} = ${claims[last]!.request_id}`;
  try {
    await table.update({ key }, expression`REMOVE ${joined(replies, ', ')}`, same);
  } catch (error) {
    // The claim is granted; the next one takes them out.
    if (!(error instanceof Unclear)) throw error;
  }
}
