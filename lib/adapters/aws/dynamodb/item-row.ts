import * as z from 'zod';
import { parseRow } from '#lib/adapters/aws/dynamodb/rows.ts';
import type { Row } from '#lib/adapters/aws/dynamodb/table.ts';
import { Decision, type Fields, type FieldsRetry, Ground, ItemRow, Relation } from '#lib/core/item.ts';

export const META = 'meta';

const StoredDecision = z.strictObject({
  ...Decision.shape,
  grounds: listOrNull(Ground),
  relations: listOrNull(Relation),
});

/** As stored: callers' own JSON as text, since DynamoDB knows fewer numbers and less depth than JSON does. */
const StoredItem = z.strictObject({
  ...ItemRow.shape,
  tags: z.string().transform(parseJson),
  source: z.string().transform(parseJson),
  status: ItemRow.shape.status.default('approved'),
  attempt: ItemRow.shape.attempt.default(1),
  pos: ItemRow.shape.pos.default(0),
  decision: StoredDecision.optional(),
  relationships: z.array(z.unknown()).nullish(),
  part: z.literal(META),
  waiting: z.string().optional(),
  due_at: z.number().optional(),
  incomplete: z.string().optional(),
  retry_at: z.number().optional(),
});

/** An item's row as the table brings it; without a status it is approved, without relations it has none (R2.6). */
export function parseItem(row: Row): ItemRow {
  const what = `item ${row.id}`;
  const { part, waiting, due_at, incomplete, retry_at, relationships, ...item } = parseRow(
    StoredItem,
    row,
    what,
  );
  return parseRow(ItemRow, item, what);
}

export const storeItem = (row: ItemRow): Row => ({
  ...row,
  tags: JSON.stringify(row.tags),
  source: JSON.stringify(row.source),
  part: META,
  ...waitingAs(row.status, row.next_at, row.created_at),
  ...incompleteAs(row.fields, row.fields_retry),
});

/** Keys of the index `due`; both undefined for a row that does not wait. */
export function waitingAs(status: string, next_at: number | undefined, created_at?: number) {
  const waits = status === 'pending' || status === 'processing';
  const due_at = waits ? next_at : status === 'received' ? created_at : undefined;
  return { waiting: due_at === undefined ? undefined : status, due_at };
}

/** Key of the index `incomplete`, and when its row is due. */
export const incompleteAs = ({ missing }: Pick<Fields, 'missing'>, retry: FieldsRetry | undefined) => ({
  incomplete: missing.length > 0 ? 'yes' : undefined,
  retry_at: retry?.at,
});

function listOrNull<T extends z.ZodType>(element: T) {
  return z
    .array(element)
    .nullish()
    .transform((list) => list ?? []);
}

function parseJson(text: string, context: z.RefinementCtx): unknown {
  try {
    return JSON.parse(text);
  } catch {
    context.addIssue({ code: 'custom', message: 'no JSON' });
    return z.NEVER;
  }
}
