import type { Change, Fold } from '#lib/core/fold-state.ts';
import { isLiveState } from '#lib/core/fold-state.ts';
import { type KeywordIndex, putItem, removeItem } from '#lib/core/keyword-index.ts';

/** Brings the index of keywords to where the fold is after this change, the next one since it was there last. */
export function followChange(index: KeywordIndex, f: Fold, { touched }: Change): void {
  for (const id of touched) {
    const item = f.items.get(id);
    if (!isLiveState(item) || !item.live) removeItem(index, id);
    else {
      const { scopes, live_pos } = item;
      const { keywords, keywords_by_author, domain } = item.live;
      putItem(index, { id, keywords, keywords_by_author, domain, scopes, live_pos });
    }
  }
}
