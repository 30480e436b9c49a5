import type { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import * as z from 'zod';
import { absent, attribute, expression } from '#lib/adapters/aws/dynamodb/expressions.ts';
import { parseRow, StoredRelation, without } from '#lib/adapters/aws/dynamodb/rows.ts';
import { openTable, type Row } from '#lib/adapters/aws/dynamodb/table.ts';
import type { TableNames } from '#lib/adapters/aws/tables.ts';
import type { Relations } from '#lib/ports.ts';

const TYPES = { name: 'relation_types' };
const KnownTypes = z.strictObject({ types: z.set(z.string()) });
const NO_TYPE = 'none';

const parse = (row: Row) =>
  parseRow(StoredRelation, without(row, 'edge', 'reverse_type'), `relation from ${row.from}`);

/**
 * The Relations port on DynamoDB. `of` and `byType` read indexes and may lag behind. `types` also names those whose
 * last relation was erased: whether one has live relations is for `byType` to say.
 */
export function createDynamoRelations(client: DynamoDBDocumentClient, names: TableNames): Relations {
  const table = openTable(client, names.relations);
  const control = openTable(client, names.control);
  const known = new Set<string>();
  const listed = absent('erased');

  /** Before the row, so that no row is of an unknown type. Types are few: once a process for each. */
  const makeKnown = async (...types: readonly string[]) => {
    const fresh = new Set(types.filter((type) => type !== NO_TYPE && !known.has(type)));
    if (fresh.size === 0) return;
    await control.update(TYPES, expression`ADD ${attribute('types')} ${fresh}`);
    for (const type of fresh) known.add(type);
  };

  return {
    async put({ from, to, type, reverse, pos, erased }) {
      if (!erased) await makeKnown(type, reverse);
      const row = { from, to, type, reverse, pos, ...(erased && { erased }) };
      const reverse_type = reverse === NO_TYPE || reverse === type ? undefined : reverse;
      const newer = expression`${absent('from')} OR ${attribute('pos')} < ${pos}`;
      await table.put({ ...row, edge: `${type}#${to}`, reverse_type }, newer);
    },
    async of(id) {
      const [outgoing, incoming] = await Promise.all([
        table.query({ where: expression`${attribute('from')} = ${id}`, filter: listed }),
        table.query({ index: 'by_to', where: expression`${attribute('to')} = ${id}`, filter: listed }),
      ]);
      return [...outgoing, ...incoming.filter(({ from }) => from !== id)].map(parse);
    },
    async byType(type) {
      const [named, reversed] = await Promise.all([
        table.query({ index: 'by_type', where: expression`${attribute('type')} = ${type}`, filter: listed }),
        table.query({
          index: 'by_reverse',
          where: expression`${attribute('reverse_type')} = ${type}`,
          filter: listed,
        }),
      ]);
      return [...named, ...reversed].map(parse);
    },
    async types() {
      const row = await control.get(TYPES);
      if (!row) return [];
      return [...parseRow(KnownTypes, without(row, 'name'), 'relation types').types].sort();
    },
  };
}
