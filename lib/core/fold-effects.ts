import type { Entry } from '#lib/core/entry.ts';
import type { Change, Fold, ItemState, PathState } from '#lib/core/fold-state.ts';
import { isLiveState, own, type Table } from '#lib/core/fold-state.ts';
import type { Ground, RejectReason } from '#lib/core/item.ts';

/** One entry on its way into the fold. */
export interface Step {
  f: Fold;
  e: Entry;
  change: Change;
}

export function makeLive(s: Step, item: ItemState): void {
  const path = pathFor(s, item);
  const seq = item.path_seq ?? 0;
  if (path && seq < path.maxseq) {
    if (seq < path.delseq) end(s, item, 'removed');
    else {
      reject(s, item, 'superseded', []);
      item.ended_at = s.e.at;
      // A restoration that came too late: what leaned on the item would lean on nothing.
      wakeLeaners(s, item);
    }
    return;
  }
  if (path) {
    const holder = path.holder === undefined ? undefined : own(s.f.items, path.holder);
    if (holder && holder.id !== item.id) {
      item.lineage = holder.lineage;
      end(s, holder, 'replaced');
    } else item.lineage = item.id;
    path.holder = item.id;
    path.maxseq = seq;
    s.change.paths.add(item.path!);
  } else item.lineage = item.id;
  item.status = 'approved';
  item.relations = s.e.relations ?? [];
  for (const { to } of item.relations) setAt(s.f.related, to).add(item.id);
  item.live = s.e.live ?? item.live;
  if (item.fingerprint !== s.e.fingerprint) {
    own(s.f.fingerprints, item.fingerprint)?.delete(item.id);
    item.fingerprint = s.e.fingerprint;
  }
  enliven(s, item);
  if (s.e.event === 'restored') markLeaners(s, item);
}

export function enliven(s: Step, item: ItemState): void {
  item.live_pos = s.e.position;
  s.f.live.delete(item.id);
  s.f.live.set(item.id, s.e.position);
  s.f.enlivened.push({ position: s.e.position, id: item.id });
  finger(s, item);
  touchDomain(s, item);
}

/** Rejected by the pipeline, or by a human while live: the item is not an end, what leans on it stays. */
export function reject(s: Step, item: ItemState, reason: RejectReason, grounds: Ground[]): void {
  retire(s, item);
  item.status = 'rejected';
  item.reason = reason;
  lean(s, item, grounds);
  finger(s, item);
  s.change.touched.add(item.id);
}

export function credit(s: Step, item: ItemState, ground: Ground): void {
  if (ground.type !== 'duplicate' && ground.type !== 'subset') return;
  const lineage = s.f.items.get(ground.id)?.lineage ?? ground.id;
  if (item.credited.has(lineage)) return;
  item.credited.add(lineage);
  s.f.points.set(lineage, (s.f.points.get(lineage) ?? 0) + 1);
  s.change.credits.push({ lineage, ground_id: ground.id, type: ground.type });
}

/** The item ends: what was rejected because of it is judged again. */
export function end(s: Step, item: ItemState, how: 'removed' | 'replaced' | 'condensed'): void {
  retire(s, item);
  lean(s, item, []);
  item.needs_review = undefined;
  if (how === 'removed') {
    item.status = 'removed';
    item.reason = undefined;
    item.live = undefined;
    s.f.erased_at = s.e.position;
  } else {
    item.status = 'rejected';
    item.reason = how;
    item.ended_at = s.e.at;
  }
  finger(s, item);
  s.change.touched.add(item.id);
  wakeLeaners(s, item);
}

/** Everything that was rejected because of the item is judged again. */
function wakeLeaners(s: Step, item: ItemState): void {
  for (const id of s.f.leaners.get(item.id) ?? []) {
    const leaner = own(s.f.items, id)!;
    if (leaner.id === item.id || leaner.status !== 'rejected') continue;
    lean(s, leaner, []);
    leaner.status = 'pending';
    leaner.reason = undefined;
    leaner.needs_review = undefined;
    finger(s, leaner);
    s.change.touched.add(leaner.id);
  }
}

/** Takes a live item out of what can be found, and off its path. */
function retire(s: Step, item: ItemState): void {
  if (s.f.live.delete(item.id)) touchDomain(s, item);
  const path = pathFor(s, item);
  if (path?.holder === item.id) {
    path.holder = undefined;
    s.change.paths.add(item.path!);
  }
}

/** A rejection that leans on what a human rejected stays, and is marked until the last such ground is back. */
export function markLeaners(s: Step, item: ItemState): void {
  for (const id of s.f.leaners.get(item.id) ?? []) {
    const leaner = own(s.f.items, id)!;
    const doubtful = leaner.grounds.find((ground) => s.f.items.get(ground.id)?.reason === 'human');
    leaner.needs_review = doubtful && `its ground ${doubtful.id} was rejected by a human`;
    s.change.touched.add(id);
  }
}

export function lean(s: Step, item: ItemState, grounds: Ground[]): void {
  for (const { id } of item.grounds) own(s.f.leaners, id)?.delete(item.id);
  for (const { id } of grounds) setAt(s.f.leaners, id).add(item.id);
  item.grounds = grounds;
}

/** Keeps the fingerprint map: live items are twins to newcomers, those that a human rejected block them. */
function finger(s: Step, item: ItemState): void {
  const counts = isLiveState(item) || (item.status === 'rejected' && item.reason === 'human');
  if (counts) setAt(s.f.fingerprints, item.fingerprint).add(item.id);
  else own(s.f.fingerprints, item.fingerprint)?.delete(item.id);
}

/** The set at the key, to be changed; made now if there is none. */
function setAt(table: Table<Set<string>>, key: string): Set<string> {
  const set = own(table, key) ?? new Set();
  table.set(key, set);
  return set;
}

export function pathFor(s: Step, item: ItemState): PathState | undefined {
  return item.path === undefined ? undefined : pathState(s, item.path);
}

export function pathState(s: Step, path: string): PathState {
  const state = own(s.f.paths, path) ?? { maxseq: 0, delseq: 0, versions: new Set() };
  s.f.paths.set(path, state);
  return state;
}

export function touchDomain(s: Step, item: ItemState): void {
  if (item.live) s.change.domains.add(item.live.domain);
}
