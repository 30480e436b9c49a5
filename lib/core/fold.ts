import { type Entry, Event, PIPELINE } from '#lib/core/entry.ts';
import type { Step } from '#lib/core/fold-effects.ts';
import {
  credit,
  end,
  enliven,
  lean,
  makeLive,
  markLeaners,
  pathFor,
  pathState,
  reject,
  touchDomain,
} from '#lib/core/fold-effects.ts';
import type { Change, Fold, ItemState } from '#lib/core/fold-state.ts';
import { attemptOf, emptyFold, isLiveState, own } from '#lib/core/fold-state.ts';

const KNOWN_EVENTS: ReadonlySet<string> = new Set(Event.options);

/**
 * Applies one entry, in place. Returns what it changed, or `undefined` when the fold stops there: the entry is not the
 * next one, or its event is unknown to this version of the code.
 */
export function step(f: Fold, e: Entry): Change | undefined {
  if (e.position !== f.position + 1 || !KNOWN_EVENTS.has(e.event)) return undefined;
  f.position = e.position;
  const change: Change = {
    entry: e,
    void: false,
    touched: new Set(),
    credits: [],
    domains: new Set(),
    paths: new Set(),
  };
  change.void = !counts({ f, e, change });
  // Of a void entry too: what it says of the item is erased with the item.
  if (e.live) own(f.items, e.item_id)?.payloads.push(e.position);
  if (e.by !== PIPELINE) f.decisions.set(e.decision_id, !change.void);
  return change;
}

/** The fold of all entries up to the first gap. */
export function foldOf(entries: Iterable<Entry>): Fold {
  const f = emptyFold();
  for (const e of entries) if (!step(f, e)) break;
  return f;
}

function counts(s: Step): boolean {
  switch (s.e.event) {
    case 'admitted':
    case 'rejected':
    case 'checked':
    case 'restored':
      return decision(s);
    case 'removed':
      return removed(s);
    case 'amended':
      return amended(s);
    case 'imported':
      if (s.f.items.has(s.e.item_id)) return false;
      decide(s, itemFor(s));
      makeLive(s, itemFor(s));
      return true;
    case 'condensed':
      return condensed(s);
  }
}

function decision(s: Step): boolean {
  const known = s.f.items.get(s.e.item_id);
  if (s.e.attempt !== attemptOf(s.f, s.e.item_id) + 1) return false;
  if (!legal(s.e, known)) return false;
  const item = itemFor(s);
  decide(s, item);
  if (s.e.event === 'rejected') rejected(s, item);
  else if (s.e.event === 'checked') checked(s, item);
  else makeLive(s, item);
  return true;
}

/** What every decision that counts sets, whatever it says. */
function decide(s: Step, item: ItemState): void {
  lean(s, item, []);
  item.attempt = s.e.attempt;
  const { position, at, basis, model, note } = s.e;
  item.decided = { position, at, basis, model, note };
  item.reason = undefined;
  item.ended_at = undefined;
  item.needs_review = s.e.needs_review;
  if (s.e.path_seq !== undefined) item.path_seq = s.e.path_seq;
  s.change.touched.add(item.id);
}

function checked(s: Step, item: ItemState): void {
  item.status = 'checked';
  item.live = s.e.live ?? item.live;
  item.needs_review = undefined;
  item.reason = undefined;
  touchDomain(s, item);
}

function rejected(s: Step, item: ItemState): void {
  const path = pathFor(s, item);
  if (path && (item.path_seq ?? 0) < path.delseq) {
    end(s, item, 'removed');
    return;
  }
  const grounds = s.e.grounds ?? [];
  reject(s, item, s.e.reason ?? 'known', grounds);
  if (s.e.reason === 'superseded') item.ended_at = s.e.at;
  if (s.e.reason === 'human') markLeaners(s, item);
  if ((s.e.reason ?? 'known') === 'known') for (const ground of grounds) credit(s, item, ground);
}

function removed(s: Step): boolean {
  const item = itemFor(s);
  s.change.touched.add(item.id);
  if (s.e.path !== undefined && s.e.path_seq !== undefined) {
    const path = pathState(s, s.e.path);
    path.maxseq = Math.max(path.maxseq, s.e.path_seq);
    path.delseq = Math.max(path.delseq, s.e.path_seq);
    for (const id of path.versions) {
      const { path_seq = 0, status } = s.f.items.get(id)!;
      if (path_seq < s.e.path_seq && status !== 'removed') end(s, own(s.f.items, id)!, 'removed');
    }
  }
  if (item.status !== 'removed') end(s, item, 'removed');
  return true;
}

function amended(s: Step): boolean {
  const item = own(s.f.items, s.e.item_id);
  if (!isLiveState(item)) return false;
  item.live = s.e.live ?? item.live;
  s.change.touched.add(item.id);
  enliven(s, item);
  return true;
}

function condensed(s: Step): boolean {
  const sources = (s.e.sources ?? []).map((id) => s.f.items.get(id));
  if (s.f.items.has(s.e.item_id) || !sources.every(isLiveState)) return false;
  for (const { id } of sources) end(s, own(s.f.items, id)!, 'condensed');
  decide(s, itemFor(s));
  makeLive(s, itemFor(s));
  return true;
}

/** The item's state, made now if this is the first the ledger says of it. */
function itemFor(s: Step): ItemState {
  const known = own(s.f.items, s.e.item_id);
  if (known) return known;
  const item: ItemState = {
    id: s.e.item_id,
    status: 'pending',
    attempt: 0,
    live_pos: 0,
    grounds: [],
    relations: [],
    credited: new Set(),
    lineage: s.e.item_id,
    path: s.e.path,
    path_seq: s.e.path_seq,
    fingerprint: s.e.fingerprint,
    scopes: s.e.scopes,
    payloads: [],
  };
  s.f.items.set(item.id, item);
  if (item.path !== undefined) pathState(s, item.path).versions.add(item.id);
  return item;
}

function legal(e: Entry, known: ItemState | undefined): boolean {
  const by_pipeline = e.event === 'admitted' || (e.event === 'rejected' && e.by === PIPELINE);
  if (by_pipeline) return known === undefined || known.status === 'pending';
  return e.event === 'restored' ? known?.status === 'rejected' : isLiveState(known);
}
