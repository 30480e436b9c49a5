import type { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import { attribute, exists, expression, update } from '#lib/adapters/aws/dynamodb/expressions.ts';
import { isFree, isHeld } from '#lib/adapters/aws/dynamodb/leases.ts';
import { parseRow, StoredDomain, StoredPart, without } from '#lib/adapters/aws/dynamodb/rows.ts';
import { openTable, type Row } from '#lib/adapters/aws/dynamodb/table.ts';
import type { TableNames } from '#lib/adapters/aws/tables.ts';
import { Unclear } from '#lib/core/errors.ts';
import type { DomainRow } from '#lib/core/rows.ts';
import type { Domains } from '#lib/ports.ts';

const TEXT = 'text';
/** Between two of them somebody else's whole rewrite of the domain must have happened. */
const ROUNDS = 5;

const key = (domain_id: string) => ({ domain_id, part: TEXT });
const partKey = (domain_id: string, n: number) => ({ domain_id, part: `bucket#${n}` });
const parse = (row: Row): DomainRow =>
  parseRow(StoredDomain, without(row, 'part'), `domain ${row.domain_id}`);

/** The Domains port on DynamoDB. */
export function createDynamoDomains(client: DynamoDBDocumentClient, names: TableNames): Domains {
  const table = openTable(client, names.domains);
  const get = async (domain_id: string) => {
    const row = await table.get(key(domain_id));
    return row && parse(row);
  };

  /** A burst finds the domain dirty: the first of the two updates is the only one then. */
  const raise = async (domain_id: string, position: number, now: number): Promise<boolean> => {
    const dirty = attribute('dirty_position');
    const computed = attribute('computed_position');
    const was_dirty = expression`${dirty} < ${position} AND ${dirty} > ${computed}`;
    const raised = await table.update(key(domain_id), update({ dirty_position: position }), was_dirty);
    if (raised) return true;
    const seconds = Math.floor(now / 1000);
    const first = { description: '', when_to_retrieve: '', model: '', computed_position: 0 };
    const kept = Object.entries({ ...first, created_at: seconds, updated_at: seconds }).map(
      ([name, value]) => expression`${attribute(name)} = if_not_exists(${attribute(name)}, ${value})`,
    );
    const was_clean = expression`attribute_not_exists(${dirty}) OR (${dirty} < ${position} AND ${dirty} <= ${computed})`;
    const change = update({ dirty_position: position, dirty_at: now }, kept);
    return (await table.update(key(domain_id), change, was_clean)) !== undefined;
  };

  return {
    get,
    async list() {
      return (await table.scan(expression`${attribute('part')} = ${TEXT}`)).map(parse);
    },
    async markDirty(domain_id, position, now) {
      for (let round = 0; round < ROUNDS; round += 1) {
        if (await raise(domain_id, position, now)) return;
        // Refused by both: raised that far already, or computed in between.
        if (((await get(domain_id))?.dirty_position ?? 0) >= position) return;
      }
      throw new Unclear(`domain ${domain_id} could not be marked`);
    },
    async claim(domain_id, claim, expired_before, not_after) {
      const free = expression`${exists('domain_id')} AND ${isFree('claim', claim, expired_before, not_after)}`;
      const row = await table.update(key(domain_id), update({ claim }), free);
      return row && parse(row);
    },
    async release(domain_id, token) {
      await table.update(key(domain_id), update({ claim: undefined }), isHeld('claim', token));
    },
    async save(domain_id, token, text) {
      const { description, when_to_retrieve, model, computed_position, updated_at } = text;
      const values = { description, when_to_retrieve, model, computed_position, updated_at };
      const older = expression`${attribute('computed_position')} < ${computed_position}`;
      const mine = expression`${older} AND ${isHeld('claim', token)}`;
      if (await table.update(key(domain_id), update({ ...values, claim: undefined }), mine)) return true;
      // Where the claim is another's, or nobody's, it stays as it is.
      return (await table.update(key(domain_id), update(values), older)) !== undefined;
    },
    async part(domain_id, n) {
      const row = await table.get(partKey(domain_id, n));
      return row && parseRow(StoredPart, without(row, 'domain_id', 'part'), `part of ${domain_id}`);
    },
    async savePart(domain_id, n, { key: made_from, text }) {
      await table.put({ key: made_from, text, ...partKey(domain_id, n) });
    },
  };
}
