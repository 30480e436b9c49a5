import { absent, attribute, type Expression, expression } from '#lib/adapters/aws/dynamodb/expressions.ts';
import type { DynamoTable, Row } from '#lib/adapters/aws/dynamodb/table.ts';
import type { Items } from '#lib/ports.ts';

const WAITING = ['pending', 'processing'] as const;

/** The listings of the Items port: queries of sparse indexes, eventually consistent. */
export function itemListings(table: DynamoTable): Pick<Items, 'due' | 'received' | 'missingFields'> {
  const due_at = attribute('due_at');
  const waiting = (status: string, when: Expression, limit: number) =>
    table.query({
      index: 'due',
      where: expression`${attribute('waiting')} = ${status} AND ${when}`,
      limit,
    });
  return {
    async due(now, ahead, limit) {
      const found = await Promise.all(
        WAITING.flatMap((status) => [
          waiting(status, expression`${due_at} <= ${now}`, limit),
          // Where the two overlap, the row is there already.
          waiting(status, expression`${due_at} > ${Math.max(now, ahead[status])}`, limit),
        ]),
      );
      const times = new Map(found.flat().map((row) => [idOf(row), Number(row.due_at)]));
      return [...times]
        .sort(([a, x], [b, y]) => x - y || (a < b ? -1 : 1))
        .slice(0, limit)
        .map(([id]) => id);
    },
    async received(created_before, limit) {
      return (await waiting('received', expression`${due_at} < ${created_before}`, limit)).map(idOf);
    },
    async missingFields(now, ahead, limit) {
      const retry_at = attribute('retry_at');
      const due = expression`${absent('retry_at')} OR ${retry_at} <= ${now} OR ${retry_at} > ${ahead}`;
      // Rejected rows stay in the index: one that is restored waits again, and its decision cannot see its fields.
      const rows = await table.query({
        index: 'incomplete',
        where: expression`${attribute('incomplete')} = ${'yes'}`,
        filter: expression`NOT ${attribute('status')} IN (${'rejected'}, ${'removed'}) AND (${due})`,
        limit,
      });
      return rows.map(idOf);
    },
  };
}

const idOf = ({ id }: Row): string => String(id);
