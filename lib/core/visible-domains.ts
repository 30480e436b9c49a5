import type { Fold } from '#lib/core/fold-state.ts';
import { isLiveState } from '#lib/core/fold-state.ts';
import { firstAfter, isVisible } from '#lib/core/relevance.ts';

/** Ids of a domain's live items that one caller may see, in the order in which they became live. */
export interface VisibleDomain {
  items: readonly string[];
  documents: readonly string[];
}
export type VisibleDomains = ReadonlyMap<string, VisibleDomain>;

/** What of a live item places it; never changes while `live_pos` stays. */
interface Placed {
  id: string;
  live_pos: number;
  domain: string;
  scopes: readonly string[];
  is_document: boolean;
}

interface Grouping {
  /** Of the fold when it was looked at last. */
  position: number;
  placed: Placed[];
  /** By the caller's scopes; all of one position. */
  seen: Map<string, VisibleDomains>;
}

/** Callers with other scopes than these many are looked up again. */
const VIEWS = 16;

const groupings = new WeakMap<Fold, Grouping>();

/**
 * The caller's live items by domain (R5.3, R6.8). What was worked out for a fold is kept with it: the same caller at the
 * same position costs nothing, and a fold that has moved on only what went live since, and a look at what is left.
 */
export function visibleDomains(f: Fold, scopes: readonly string[]): VisibleDomains {
  const { placed, seen } = groupingOf(f);
  const key = JSON.stringify([...new Set(scopes)].sort());
  const known = seen.get(key);
  if (known) return known;
  const view = viewOf(placed, scopes);
  if (seen.size >= VIEWS) seen.clear();
  seen.set(key, view);
  return view;
}

function groupingOf(f: Fold): Grouping {
  const known = groupings.get(f);
  if (known?.position === f.position) return known;
  const placed = known ? broughtUp(f, known) : [...f.live.keys()].flatMap((id) => place(f, id));
  const grouping = { position: f.position, placed, seen: new Map<string, VisibleDomains>() };
  groupings.set(f, grouping);
  return grouping;
}

/** What is still live as it was, then what went live since. */
function broughtUp(f: Fold, { placed, position }: Grouping): Placed[] {
  const still = placed.filter(({ id, live_pos }) => f.live.get(id) === live_pos);
  for (let n = firstAfter(f.enlivened, position); n < f.enlivened.length; n += 1) {
    const { id, position: live_pos } = f.enlivened.at(n)!;
    // One that went live again since then comes later in the list.
    if (f.live.get(id) === live_pos) still.push(...place(f, id));
  }
  return still;
}

function place(f: Fold, id: string): Placed[] {
  const item = f.items.get(id);
  if (!isLiveState(item) || !item.live) return [];
  const { live_pos, scopes, live } = item;
  return [{ id, live_pos, domain: live.domain, scopes, is_document: live.kind === 'document' }];
}

function viewOf(placed: readonly Placed[], scopes: readonly string[]): VisibleDomains {
  const domains = new Map<string, { items: string[]; documents: string[] }>();
  for (const { id, domain, scopes: seen_by, is_document } of placed) {
    if (!isVisible(seen_by, scopes)) continue;
    let view = domains.get(domain);
    if (!view) {
      view = { items: [], documents: [] };
      domains.set(domain, view);
    }
    view.items.push(id);
    if (is_document) view.documents.push(id);
  }
  return domains;
}
