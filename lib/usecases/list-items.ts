import type * as z from 'zod';
import type { Caller } from '#lib/core/caller.ts';
import { type Fold, type ItemState, isLiveState } from '#lib/core/fold-state.ts';
import type { ItemRow } from '#lib/core/item.ts';
import { cursorOf, pageOf, placeOf } from '#lib/core/page.ts';
import { PublicItem } from '#lib/core/public-item.ts';
import { isVisible } from '#lib/core/relevance.ts';
import type { Instance } from '#lib/usecases/instance.ts';
import { relatedIds } from '#lib/usecases/list-relations.ts';
import { settled } from '#lib/usecases/retry.ts';
import { showItems } from '#lib/usecases/show-items.ts';
import { seenBy } from '#lib/usecases/visible-item.ts';

export interface ListInput {
  /** Items a page. */
  limit: number;
  cursor?: string | undefined;
  domain?: string | undefined;
  /** All of these. */
  types?: readonly string[] | undefined;
  /** All of these: `key`, or `key:value`. */
  tags?: readonly string[] | undefined;
  owner?: string | undefined;
  /** Only items that have a relation. */
  related?: boolean | undefined;
  /** Only items that wait for a human's word; rejected ones, too. */
  needs_review?: boolean | undefined;
  /** Only rejected items, which are kept for people to look at and restore, in place of the live ones. */
  status?: 'rejected' | undefined;
}

export const ItemPage = pageOf(PublicItem);
export type ItemPage = z.infer<typeof ItemPage>;

/** Rows that one call reads at most: a filter that few items pass gives short pages, never a slow one. */
const ROWS_A_CALL = 1000;
const ROWS_A_READ = 100;

/** Live items that the caller may see, or rejected ones, the latest first (spec, section 7). Throws `InvalidInput` at a strange cursor. */
export const listItems =
  (instance: Instance) =>
  async (caller: Caller, input: ListInput): Promise<ItemPage> => {
    const before = placeOf(input.cursor);
    const f = await instance.catalog.refresh();
    const related = input.related ? await relatedIds(instance)(caller) : undefined;
    const listed = candidates(f, caller, input)
      .filter(({ place, state }) => place < before && (!related || related.has(state.id)))
      .sort((a, b) => b.place - a.place);

    const found = [];
    let read = 0;
    let last: number | undefined;
    while (read < Math.min(listed.length, ROWS_A_CALL) && found.length < input.limit) {
      const page = listed.slice(read, read + ROWS_A_READ);
      const rows = await rowsOf(instance, page);
      for (const { state, place } of page) {
        if (found.length === input.limit) break;
        read += 1;
        last = place;
        const row = rows.get(state.id);
        const item = row && seenBy(f, caller, row);
        if (item && passes(item.row, input)) found.push(item);
      }
    }
    const items = await showItems(instance)(caller, found);
    return read < listed.length && last !== undefined ? { items, next_cursor: cursorOf(last) } : { items };
  };

async function rowsOf(
  { items, clock }: Instance,
  page: readonly { state: ItemState }[],
): Promise<Map<string, ItemRow>> {
  const rows = await settled(clock, () => items.getMany(page.map(({ state }) => state.id)));
  return new Map(rows.map((row) => [row.id, row]));
}

/** What the ledger alone can tell, with each item's place: no two decisions share one. */
function candidates(f: Fold, { scopes }: Caller, { domain, needs_review, status }: ListInput) {
  const ids = needs_review || status ? f.items.keys() : f.live.keys();
  return [...ids].flatMap((id) => {
    const state = f.items.get(id)!;
    const live = isLiveState(state);
    if (!isVisible(state.scopes, scopes)) return [];
    if (needs_review && (state.needs_review === undefined || state.status === 'removed')) return [];
    if (status && state.status !== status) return [];
    if (domain !== undefined && live && state.live?.domain !== domain) return [];
    return [{ state, place: live ? state.live_pos : (state.decided?.position ?? 0) }];
  });
}

function passes(row: ItemRow, { domain, types = [], tags = [], owner }: ListInput): boolean {
  return (
    (domain === undefined || row.domain === domain) &&
    (owner === undefined || row.owner === owner) &&
    types.every((type) => row.types.includes(type)) &&
    tags.every((tag) => hasTag(row.tags, tag))
  );
}

function hasTag(tags: Readonly<Record<string, string>>, wanted: string): boolean {
  if (Object.hasOwn(tags, wanted)) return true;
  // A key may hold a colon itself.
  return Object.entries(tags).some(([key, value]) => `${key}:${value}` === wanted);
}
