import type { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import { absent, attribute, expression, update } from '#lib/adapters/aws/dynamodb/expressions.ts';
import { parseRow, StoredPath, without } from '#lib/adapters/aws/dynamodb/rows.ts';
import { openTable } from '#lib/adapters/aws/dynamodb/table.ts';
import type { TableNames } from '#lib/adapters/aws/tables.ts';
import type { Paths } from '#lib/ports.ts';

/** The Paths port on DynamoDB: rows `path#<path>` of the control table. */
export function createDynamoPaths(client: DynamoDBDocumentClient, names: TableNames): Paths {
  const table = openTable(client, names.control);
  const key = (path: string) => ({ name: `path#${path}` });
  return {
    async get(path) {
      const row = await table.get(key(path));
      return row && { path, ...parseRow(StoredPath, without(row, 'name'), `path ${path}`) };
    },
    advance(seen, { path, ...row }) {
      const as_read = seen === 0 ? absent('name') : expression`${attribute('seq')} = ${seen}`;
      return table.put({ ...row, ...key(path) }, as_read);
    },
    async forget(path, id) {
      const change = update({ latest_id: undefined, body_hash: undefined });
      const named = expression`${attribute('latest_id')} = ${id}`;
      return (await table.update(key(path), change, named)) !== undefined;
    },
  };
}
