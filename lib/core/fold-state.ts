import type { Entry, LivePayload } from '#lib/core/entry.ts';
import type { Ground, RejectReason, Relation } from '#lib/core/item.ts';

/** What the ledger says of one item. Kept for items that are decided and not live, too: their grounds may end. */
export interface ItemState {
  id: string;
  status: 'pending' | 'approved' | 'checked' | 'rejected' | 'removed';
  reason?: RejectReason | undefined;
  /** Number of decisions that counted: the item's version. */
  attempt: number;
  /** Position of the entry that made it live, or changed it while live. */
  live_pos: number;
  grounds: Ground[];
  relations: Relation[];
  /** Lineages that this item has given a point, over all its attempts (R4.3). */
  credited: Set<string>;
  lineage: string;
  path?: string | undefined;
  path_seq?: number | undefined;
  fingerprint: string;
  scopes: string[];
  live?: LivePayload | undefined;
  needs_review?: string | undefined;
  /** When it was superseded, replaced or condensed (epoch seconds): it is kept for 30 days from then. */
  ended_at?: number | undefined;
  /** The entry that decided it last, as far as anybody asks for it. */
  decided?: Decided | undefined;
  /** Positions of entries that hold a payload of its: blanked when it is removed (R3.6). */
  payloads: number[];
}

export type Decided = Pick<Entry, 'position' | 'at' | 'basis' | 'model' | 'note'>;

export interface PathState {
  holder?: string | undefined;
  maxseq: number;
  delseq: number;
  /** Every item that the ledger has seen at the path. */
  versions: Set<string>;
}

/** What the fold asks of a Map, in a Map's order: it is one, or lies over the columns of a snapshot. */
export interface Table<Value> extends Iterable<[string, Value]> {
  readonly size: number;
  /** To be read: what is done to it may be lost. */
  get(key: string): Value | undefined;
  has(key: string): boolean;
  set(key: string, value: Value): unknown;
  delete(key: string): boolean;
  keys(): IterableIterator<string>;
  values(): IterableIterator<Value>;
  /** Where `get` gives out a copy: the value itself. */
  own?(key: string): Value | undefined;
}

/** The value to be changed in place. */
export const own = <Value>(table: Table<Value>, key: string): Value | undefined =>
  table.own ? table.own(key) : table.get(key);

/** What the fold asks of an Array that only grows. */
export interface Sequence<Value> {
  readonly length: number;
  at(n: number): Value | undefined;
  push(value: Value): unknown;
}

/** The meaning of a contiguous prefix of the ledger (protocol, "Fold"). */
export interface Fold {
  position: number;
  /** Position of the last entry that erased something: an older snapshot still holds what it erased (R3.6). */
  erased_at: number;
  items: Table<ItemState>;
  paths: Table<PathState>;
  /** Ids of live items, and of those that a human rejected, by fingerprint. */
  fingerprints: Table<Set<string>>;
  /** Live ids in the order of `live_pos`, latest last: the tail after W is read from its end. */
  live: Table<number>;
  /** Every time that something went live, in order: what is new since a position is found from its end. */
  enlivened: Sequence<{ position: number; id: string }>;
  /** Rejected items by the items they lean on. */
  leaners: Table<Set<string>>;
  /** Items that hold a relation to this one: how it is read from its end before the rows are written. */
  related: Table<Set<string>>;
  /** Points given to a lineage by dedup. */
  points: Table<number>;
  /** Decisions that the pipeline did not make, and whether they counted: how their writers find them again. */
  decisions: Table<boolean>;
}

/** What one entry changed: what a projection has to write. */
export interface Change {
  entry: Entry;
  /** It does not count: another decision on this attempt was first, or it is not legal any more. */
  void: boolean;
  /** Items whose status, grounds, review mark, seq or payload changed. */
  touched: Set<string>;
  /** Points to give, one a lineage. */
  credits: { lineage: string; ground_id: string; type: string }[];
  /** Domains whose live items changed. */
  domains: Set<string>;
  /** Paths whose holder changed. */
  paths: Set<string>;
}

export type LiveState = ItemState & { status: 'approved' | 'checked' };

export const isLiveState = (item: ItemState | undefined): item is LiveState =>
  item !== undefined && (item.status === 'approved' || item.status === 'checked');

export const emptyFold = (): Fold => ({
  position: 0,
  erased_at: 0,
  items: new Map(),
  paths: new Map(),
  fingerprints: new Map(),
  live: new Map(),
  enlivened: [],
  leaners: new Map(),
  related: new Map(),
  points: new Map(),
  decisions: new Map(),
});

/** How many attempts of the item were decided. */
export const attemptOf = (f: Fold, id: string): number => f.items.get(id)?.attempt ?? 0;

export const isRemoved = (f: Fold, id: string): boolean => f.items.get(id)?.status === 'removed';

export const pathOf = (f: Fold, path: string): PathState =>
  f.paths.get(path) ?? { maxseq: 0, delseq: 0, versions: new Set() };
