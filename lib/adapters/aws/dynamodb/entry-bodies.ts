import type { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import * as z from 'zod';
import type { EntryBodies } from '#lib/adapters/aws/bodies.ts';
import { absent, attribute, expression } from '#lib/adapters/aws/dynamodb/expressions.ts';
import { parseRow } from '#lib/adapters/aws/dynamodb/rows.ts';
import { openTable, type Row } from '#lib/adapters/aws/dynamodb/table.ts';
import type { TableNames } from '#lib/adapters/aws/tables.ts';
import type { Clock } from '#lib/ports.ts';

const PART = 'text';
const KIND = 'entry';
const key = (id: string) => ({ id, part: PART });

const StoredText = z.strictObject({
  id: z.string(),
  part: z.literal(PART),
  body: z.literal(KIND),
  text: z.string(),
  stored_at: z.number(),
});
const parse = (row: Row) => parseRow(StoredText, row, `text of ${row.id}`);

/** Texts of entries on DynamoDB: part `text` of an item, at most 32 KB (R3.7). The listing may lag behind. */
export function createDynamoEntryBodies(
  client: DynamoDBDocumentClient,
  names: TableNames,
  clock: Pick<Clock, 'now'>,
): EntryBodies {
  const table = openTable(client, names.items);
  return {
    async put(id, text) {
      await table.put({ ...key(id), body: KIND, text, stored_at: clock.now() }, absent('id'));
    },
    async get(id) {
      const row = await table.get(key(id));
      return row && parse(row).text;
    },
    async getMany(ids) {
      const rows = (await table.getMany([...new Set(ids)].map(key))).map(parse);
      return new Map(rows.map(({ id, text }) => [id, text]));
    },
    async erase(id) {
      await table.remove(key(id));
    },
    async list(after, before, limit) {
      const all = expression`${attribute('body')} = ${KIND}`;
      const rows = await table.query({
        index: 'texts',
        // A key may not be compared with an empty string.
        where: after === '' ? all : expression`${all} AND ${attribute('id')} > ${after}`,
        filter: expression`${attribute('stored_at')} < ${before}`,
        limit,
      });
      return rows.map(({ id }) => String(id));
    },
  };
}
