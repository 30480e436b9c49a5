import type { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import {
  absent,
  attribute,
  type Expression,
  exists,
  expression,
  joined,
  update,
} from '#lib/adapters/aws/dynamodb/expressions.ts';
import { itemListings } from '#lib/adapters/aws/dynamodb/item-listings.ts';
import { incompleteAs, META, parseItem, storeItem, waitingAs } from '#lib/adapters/aws/dynamodb/item-row.ts';
import { type DynamoTable, openTable } from '#lib/adapters/aws/dynamodb/table.ts';
import type { TableNames } from '#lib/adapters/aws/tables.ts';
import { Unclear } from '#lib/core/errors.ts';
import type { Decision, ItemRow, Status } from '#lib/core/item.ts';
import { tombstone } from '#lib/core/tombstone.ts';
import type { Items } from '#lib/ports.ts';

/** A row comes or goes once in a life: more often than this between two of our calls, and something is wrong. */
const ROUNDS = 3;

const key = (id: string) => ({ id, part: META });
const all = (...conditions: Expression[]) => joined(conditions, ' AND ');
const hasStatus = (status: Status) => expression`${attribute('status')} = ${status}`;
const hasSeq = (seq: number) => expression`${attribute('path_seq')} = ${seq}`;

/** The Items port on DynamoDB: one conditional write a call; a refusal that must say why reads the row again. */
export function createDynamoItems(client: DynamoDBDocumentClient, names: TableNames): Items {
  const table = openTable(client, names.items);
  const get = async (id: string): Promise<ItemRow | undefined> => {
    const row = await table.get(key(id));
    return row && parseItem(row);
  };
  const write = async (id: string, change: Record<string, unknown>, condition: Expression) =>
    (await table.update(key(id), update(change), condition)) !== undefined;

  return {
    ...itemListings(table),
    get,
    insert: (row) => table.put(storeItem(row), absent('id')),
    async getMany(ids) {
      return (await table.getMany([...new Set(ids)].map(key))).map(parseItem);
    },
    async raiseSeq(id, seq) {
      const lower = expression`(${absent('path_seq')} OR ${attribute('path_seq')} < ${seq})`;
      if (await write(id, { path_seq: seq }, all(hasStatus('received'), lower))) return 'raised';
      const row = await get(id);
      if (!row) return 'absent';
      if (row.status !== 'received') return 'not_received';
      if ((row.path_seq ?? 0) >= seq) return 'raised';
      throw changedMeanwhile(id);
    },
    async accept(id, seq, next_at) {
      const change = { status: 'pending', next_at, ...waitingAs('pending', next_at) };
      if (await write(id, change, all(hasStatus('received'), hasSeq(seq)))) return 'accepted';
      const row = await get(id);
      if (!row) return 'absent';
      if (row.status !== 'received') return 'not_received';
      if (row.path_seq !== seq) return 'other_seq';
      throw changedMeanwhile(id);
    },
    dropReceived: (id, seq) => table.remove(key(id), all(hasStatus('received'), hasSeq(seq))),
    async claim(id, claim, next_at) {
      const change = { status: 'processing', claim, next_at, ...waitingAs('processing', next_at) };
      const row = await table.update(key(id), update(change), hasStatus('pending'));
      return row ? { claimed: true, row: parseItem(row) } : { claimed: false, row: await get(id) };
    },
    release(id, token, next_at, failures) {
      const held = expression`${attribute('claim', 'token')} = ${token}`;
      const change = {
        status: 'pending',
        claim: undefined,
        next_at,
        ...waitingAs('pending', next_at),
        ...(failures && { judge_failures: failures }),
      };
      return write(id, change, all(hasStatus('processing'), held));
    },
    postpone(id, seen, next_at) {
      const as_read = expression`${attribute('next_at')} = ${seen}`;
      const change = { next_at, ...waitingAs('pending', next_at) };
      return write(id, change, all(hasStatus('pending'), as_read));
    },
    completeFields(id, fields, task, retry) {
      const waits = expression`size(${attribute('fields', 'missing')}) > ${0}`;
      const there = expression`NOT ${hasStatus('removed')}`;
      return write(
        id,
        { fields, task, fields_retry: retry, ...incompleteAs(fields, retry) },
        all(there, waits),
      );
    },
    applyDecision: (id, position, decision, erase) => applyDecision(table, id, position, decision, erase),
  };
}

async function applyDecision(
  table: DynamoTable,
  id: string,
  position: number,
  decision: Decision,
  erase: boolean,
): Promise<boolean> {
  // A row from before the ledger has no position.
  const older = expression`(${absent('pos')} OR ${attribute('pos')} < ${position})`;
  const grave = storeItem(tombstone(id, position, decision));
  if (erase) return table.put(grave, older);
  const change = decidedAs(position, decision);
  for (let round = 0; round < ROUNDS; round += 1) {
    if (await table.update(key(id), update(change), all(exists('id'), older))) return true;
    const row = await table.get(key(id));
    if (row) return refusedOr(id, parseItem(row), position);
    if (await table.put(grave, absent('id'))) return true;
  }
  throw changedMeanwhile(id);
}

/** What a decision changes of a row; undefined = taken out. Ends the claim. */
const decidedAs = (position: number, decision: Decision) => ({
  status: decision.status,
  attempt: decision.attempt,
  pos: position,
  decision,
  ...(decision.path_seq !== undefined && { path_seq: decision.path_seq }),
  claim: undefined,
  judge_failures: undefined,
  next_at: decision.next_at,
  ...waitingAs(decision.status, decision.next_at),
});

function refusedOr(id: string, row: ItemRow, position: number): false {
  if (row.pos >= position) return false;
  throw changedMeanwhile(id);
}

/** The condition was refused, and the row read after it says that it holds: whoever asks again gets a clear answer. */
const changedMeanwhile = (id: string) => new Unclear(`item ${id} changed between two reads`);
