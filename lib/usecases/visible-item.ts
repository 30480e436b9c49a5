import type { Caller } from '#lib/core/caller.ts';
import { NotFound } from '#lib/core/errors.ts';
import type { Fold, ItemState } from '#lib/core/fold-state.ts';
import type { ItemRow } from '#lib/core/item.ts';
import { type PublicStatus, publicStatus } from '#lib/core/public-item.ts';
import { isVisible } from '#lib/core/relevance.ts';
import type { Instance } from '#lib/usecases/instance.ts';
import { settled } from '#lib/usecases/retry.ts';

/** An item that is there for the caller; `state` is undefined before its first decision. */
export interface VisibleItem {
  row: ItemRow;
  state: ItemState | undefined;
  status: PublicStatus;
}

/** The row as the caller may see it by the ledger; `undefined` if it is not there for it (R6.8, R6.9). */
export function seenBy(f: Fold, caller: Pick<Caller, 'scopes'>, row: ItemRow): VisibleItem | undefined {
  const state = f.items.get(row.id);
  const status = publicStatus(row, state);
  return status !== undefined && isVisible(row.scopes, caller.scopes) ? { row, state, status } : undefined;
}

/** The item, live or not, as the caller may see it. Throws `NotFound`. */
export async function visibleItem(
  { catalog, items, clock }: Instance,
  caller: Caller,
  id: string,
): Promise<VisibleItem> {
  const [f, row] = await Promise.all([catalog.refresh(), settled(clock, () => items.get(id))]);
  const item = row && seenBy(f, caller, row);
  if (!item) throw new NotFound(`no item ${id}`);
  return item;
}
