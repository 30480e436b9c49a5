import type { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import { absent, attribute, exists, expression, update } from '#lib/adapters/aws/dynamodb/expressions.ts';
import { parseRow, without } from '#lib/adapters/aws/dynamodb/rows.ts';
import { openTable } from '#lib/adapters/aws/dynamodb/table.ts';
import type { TableNames } from '#lib/adapters/aws/tables.ts';
import { Entry } from '#lib/core/entry.ts';
import type { Ledger } from '#lib/ports.ts';

/** The only ledger; a tenant of its own would be another. */
const MAIN = 'main';

/** The Ledger port on DynamoDB: one put an entry, one query a page. */
export function createDynamoLedger(client: DynamoDBDocumentClient, names: TableNames): Ledger {
  const table = openTable(client, names.ledger);
  return {
    put: (entry) => table.put({ ...entry, ledger: MAIN }, absent('position')),
    async readAfter(position, limit) {
      const rows = await table.query({
        where: expression`${attribute('ledger')} = ${MAIN} AND ${attribute('position')} > ${position}`,
        limit,
      });
      return rows.map((row) => parseRow(Entry, without(row, 'ledger'), `ledger ${row.position}`));
    },
    async erase(position) {
      const change = update({ erased: true, live: undefined });
      await table.update({ ledger: MAIN, position }, change, exists('position'));
    },
  };
}
