import type { Entry } from '#lib/core/entry.ts';
import { step } from '#lib/core/fold.ts';
import type { Change, Fold } from '#lib/core/fold-state.ts';

/** What one entry changed; `made_live`: the item of the entry went live by it, which a later one may hide. */
export interface Applied {
  change: Change;
  made_live: boolean;
}

/** Applies one entry to the fold; `undefined` when the fold stops there. */
export function applyEntry(f: Fold, entry: Entry): Applied | undefined {
  const change = step(f, entry);
  return change && { change, made_live: f.items.get(entry.item_id)?.live_pos === entry.position };
}

/** What the last entries changed: what a projection that is a little behind has to write, without a fold of its own. */
export interface RecentChanges {
  add(applied: Applied): void;
  /** What every entry after `position` changed, up to the head of this fold; `undefined` = not known that far back. */
  after(position: number, f: Fold): Applied[] | undefined;
}

/** Enough for a projection that waits for a refresh while hundreds are admitted; about 1 KB each. */
const KEPT = 1000;

export function createRecentChanges(): RecentChanges {
  let kept: Applied[] = [];
  const positionOf = ({ change }: Applied): number => change.entry.position;
  return {
    add(applied) {
      const last = kept.at(-1);
      // The fold was loaded from elsewhere meanwhile: what came before does not lead up to this one.
      if (last && positionOf(last) !== positionOf(applied) - 1) kept = [];
      kept.push(applied);
      if (kept.length > 2 * KEPT) kept = kept.slice(-KEPT);
    },
    after(position, f) {
      if (position === f.position) return [];
      const [first] = kept;
      const last = kept.at(-1);
      if (!first || !last || position > f.position || positionOf(last) !== f.position) return undefined;
      return positionOf(first) > position + 1 ? undefined : kept.slice(position + 1 - positionOf(first));
    },
  };
}
