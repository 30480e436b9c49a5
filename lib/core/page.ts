import * as z from 'zod';
import { InvalidInput } from '#lib/core/errors.ts';

/** One page of a listing; `next_cursor` is there when more may follow. */
export const pageOf = <Item extends z.ZodType>(item: Item) =>
  z.strictObject({ items: z.array(item), next_cursor: z.string().optional() });

const Cursor = z.strictObject({ before: z.number().int().positive() });

/** An opaque cursor: the next page begins below this place in the ledger. */
export const cursorOf = (before: number): string => btoa(JSON.stringify({ before }));

/** The place that a cursor stands for; the top without one. Throws `InvalidInput` that names `cursor`. */
export function placeOf(cursor: string | undefined): number {
  if (cursor === undefined) return Number.MAX_SAFE_INTEGER;
  try {
    return Cursor.parse(JSON.parse(atob(cursor))).before;
  } catch {
    throw new InvalidInput('cursor', 'cursor: not one that this listing has given');
  }
}
