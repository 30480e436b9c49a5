import type { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import {
  absent,
  attribute,
  exists,
  expression,
  joined,
  update,
} from '#lib/adapters/aws/dynamodb/expressions.ts';
import { parseRow, StoredPoint, StoredSum, without } from '#lib/adapters/aws/dynamodb/rows.ts';
import { type DynamoTable, openTable, type Row } from '#lib/adapters/aws/dynamodb/table.ts';
import type { TableNames } from '#lib/adapters/aws/tables.ts';
import { Unclear } from '#lib/core/errors.ts';
import type { HelpfulPoint } from '#lib/core/rows.ts';
import type { Evaluations } from '#lib/ports.ts';

const SUM = 'eval';
const HISTORY = 'history#';
/** Attribute of the sum's row that holds a point until it moves to a row of its own. */
const POINT = 'point#';
/** As many points as the sum's row holds before they move: far below the 400 KB of a row. */
const HELD = 50;
const DIGITS = 12;

const sumKey = (id: string) => ({ id, part: SUM });
const historyKey = (id: string, position: number) => ({
  id,
  part: HISTORY + String(position).padStart(DIGITS, '0'),
});

/**
 * The Evaluations port on DynamoDB. A point and its history come in one conditional update of the part `eval`, so that
 * they always agree; when that row has many, they move to `history#<position>` rows.
 */
export function createDynamoEvaluations(client: DynamoDBDocumentClient, names: TableNames): Evaluations {
  const table = openTable(client, names.items);
  return {
    async credit(lineage, position, point) {
      const points = attribute('points');
      const change = update({ pos: position, [POINT + position]: point }, [
        expression`${points} = if_not_exists(${points}, ${0}) + ${1}`,
      ]);
      const newer = expression`${absent('pos')} OR ${attribute('pos')} < ${position}`;
      const row = await table.update(sumKey(lineage), change, newer);
      if (row) await moveOut(table, lineage, row);
    },
    async get(lineage) {
      const rows = await readParts(table, lineage);
      const sum = rows.find(({ part }) => part === SUM);
      if (!sum) return undefined;
      const history = [...historyOf(rows)].sort(([a], [b]) => a - b).map(([, point]) => point);
      return { lineage, ...parseRow(StoredSum, sum, `evaluation of ${lineage}`), history };
    },
    async eraseHistory(related, lineages) {
      for (const lineage of lineages) await eraseFrom(table, lineage, related);
    },
  };
}

/** The sum's row and all history rows, in one query. */
const readParts = (table: DynamoTable, id: string): Promise<Row[]> =>
  table.query({
    where: expression`${attribute('id')} = ${id} AND ${attribute('part')} BETWEEN ${SUM} AND ${`${HISTORY}~`}`,
  });

/** Points by position. A row of its own wins over the sum's row: an erased one is in both for a moment. */
function historyOf(rows: readonly Row[]): Map<number, HelpfulPoint> {
  const history = new Map(heldPoints(rows));
  for (const row of rows.filter(({ part }) => part !== SUM)) {
    const position = Number(row.position);
    if (row.erased) history.delete(position);
    else history.set(position, movedPoint(row));
  }
  return history;
}

const movedPoint = (row: Row): HelpfulPoint =>
  parseRow(StoredPoint, without(row, 'id', 'part', 'position'), `history of ${row.id}`);

const heldPoints = (rows: readonly Row[]): [number, HelpfulPoint][] =>
  Object.entries(rows.find(({ part }) => part === SUM) ?? {})
    .filter(([name]) => name.startsWith(POINT))
    .map(([name, point]) => [Number(name.slice(POINT.length)), parseRow(StoredPoint, point, name)]);

/** The rows first, and only where none is: what was erased there stays erased. */
async function moveOut(table: DynamoTable, lineage: string, row: Row): Promise<void> {
  const held = heldPoints([row]);
  if (held.length <= HELD) return;
  try {
    await Promise.all(
      held.map(([position, point]) =>
        table.put({ ...point, position, ...historyKey(lineage, position) }, absent('id')),
      ),
    );
    await takeOut(
      table,
      lineage,
      held.map(([position]) => position),
    );
  } catch (error) {
    // The point is given; the next one moves what this one could not.
    if (!(error instanceof Unclear)) throw error;
  }
}

async function eraseFrom(table: DynamoTable, lineage: string, related: string): Promise<void> {
  const rows = await readParts(table, lineage);
  const moved = rows.filter(({ part, erased }) => part !== SUM && !erased);
  // What is held counts although its row is erased: an earlier call may have ended between the two.
  const positions = [
    ...heldPoints(rows),
    ...moved.map((row): [number, HelpfulPoint] => [Number(row.position), movedPoint(row)]),
  ]
    .filter(([, { related_id }]) => related_id === related)
    .map(([position]) => position);
  // The mark stays, for a mover that has read the point and comes late.
  for (const position of positions)
    await table.put({ position, erased: true, ...historyKey(lineage, position) });
  await takeOut(table, lineage, positions);
}

async function takeOut(table: DynamoTable, lineage: string, positions: readonly number[]): Promise<void> {
  if (positions.length === 0) return;
  const names = positions.map((position) => expression`${attribute(POINT + position)}`);
  await table.update(sumKey(lineage), expression`REMOVE ${joined(names, ', ')}`, exists('id'));
}
