import * as z from 'zod';
import type { Caller } from '#lib/core/caller.ts';
import { Kind } from '#lib/core/item.ts';
import type { Instance } from '#lib/usecases/instance.ts';
import { settled } from '#lib/usecases/retry.ts';
import { seenBy, type VisibleItem } from '#lib/usecases/visible-item.ts';

/** An item that waits for its decision. Times in epoch seconds. */
export const WaitingItem = z.strictObject({
  id: z.string(),
  kind: Kind,
  domain: z.string(),
  path: z.string().optional(),
  task: z.string(),
  status: z.enum(['pending', 'processing']),
  created_at: z.number(),
});
export const WaitingItems = z.strictObject({ items: z.array(WaitingItem) });
export type WaitingItems = z.infer<typeof WaitingItems>;

/** However far ahead its time is: all that wait. */
const EVER = Number.MAX_SAFE_INTEGER;

/** The queue as the caller may see it: pending and processing items, those that are due first (spec, section 7). */
export const pendingItems =
  (instance: Instance) =>
  async (caller: Caller, { limit }: { limit: number }): Promise<WaitingItems> => {
    const waiting = await waitingItems(instance, caller, limit);
    return {
      items: waiting.map(({ row, status }) => ({
        id: row.id,
        kind: row.kind,
        domain: row.domain,
        ...(row.path !== undefined && { path: row.path }),
        task: row.task,
        status: status === 'processing' ? status : 'pending',
        created_at: row.created_at,
      })),
    };
  };

/** At most `limit` items that wait, and that the caller may see; what the ledger has decided already waits no more. */
export async function waitingItems(
  { catalog, items, clock }: Instance,
  caller: Caller,
  limit: number,
): Promise<VisibleItem[]> {
  const ids = await items.due(EVER, { pending: EVER, processing: EVER }, ROWS_A_CALL);
  const [f, rows] = await Promise.all([catalog.refresh(), settled(clock, () => items.getMany(ids))]);
  const by_id = new Map(rows.map((row) => [row.id, row]));
  return ids
    .flatMap((id) => {
      const row = by_id.get(id);
      const item = row && seenBy(f, caller, row);
      return item && (item.status === 'pending' || item.status === 'processing') ? [item] : [];
    })
    .slice(0, limit);
}

/** What others may not see waits in the same queue. */
const ROWS_A_CALL = 500;
