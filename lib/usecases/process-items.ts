import * as z from 'zod';
import type { Caller } from '#lib/core/caller.ts';
import { CLAIM_AHEAD_MS } from '#lib/core/settings.ts';
import type { Instance } from '#lib/usecases/instance.ts';
import { waitingItems } from '#lib/usecases/pending-items.ts';
import { sweepWillSend } from '#lib/usecases/upload-document.ts';
import type { VisibleItem } from '#lib/usecases/visible-item.ts';

/** `queued`: ids that were queued now; `freed`: those of them that somebody had been stuck on. */
export const Processed = z.strictObject({ queued: z.array(z.string()), freed: z.array(z.string()) });
export type Processed = z.infer<typeof Processed>;

const ITEMS_A_CALL = 50;

/**
 * Queues up to 50 waiting items now, without waiting for the sweep; with `force` also those whose worker must be dead:
 * it has held them for longer than any function lives (spec, section 7).
 */
export const processItems =
  (instance: Instance) =>
  async (caller: Caller, { force }: { force: boolean }): Promise<Processed> => {
    const outcome: Processed = { queued: [], freed: [] };
    for (const item of await waitingItems(instance, caller, WAITING_A_CALL)) {
      if (outcome.queued.length === ITEMS_A_CALL) break;
      const { id } = item.row;
      const freed = force && (await free(instance, item));
      if (!freed && !(await postpone(instance, item))) continue;
      await instance.queue.send({ type: 'admit', item_id: id }).catch(sweepWillSend);
      outcome.queued.push(id);
      if (freed) outcome.freed.push(id);
    }
    return outcome;
  };

/** Items under work do not count towards the 50. */
const WAITING_A_CALL = 200;

/** So that the sweep does not queue it once more at once. */
async function postpone({ items, clock, settings }: Instance, { row }: VisibleItem): Promise<boolean> {
  if (row.status !== 'pending' || row.next_at === undefined) return false;
  return items.postpone(row.id, row.next_at, clock.now() + settings.requeue_ms);
}

async function free({ items, clock, settings }: Instance, { row }: VisibleItem): Promise<boolean> {
  if (row.status !== 'processing' || !row.claim) return false;
  const now = clock.now();
  const { at, token } = row.claim;
  const stuck = at <= now - settings.lease_ms || at > now + CLAIM_AHEAD_MS;
  return stuck && items.release(row.id, token, now + settings.requeue_ms);
}
