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
  /** The entry that decided it last. */
  decided?: Entry | undefined;
  /** Positions of entries that hold a payload of its: blanked when it is removed (R3.6). */
  payloads: number[];
}

export interface PathState {
  holder?: string | undefined;
  maxseq: number;
  delseq: number;
  /** Every item that the ledger has seen at the path. */
  versions: Set<string>;
}

/** The meaning of a contiguous prefix of the ledger (protocol, "Fold"). */
export interface Fold {
  position: number;
  items: Map<string, ItemState>;
  paths: Map<string, PathState>;
  /** Ids of live items, and of those that a human rejected, by fingerprint. */
  fingerprints: Map<string, Set<string>>;
  /** Live ids in the order of `live_pos`, latest last: the tail after W is read from its end. */
  live: Map<string, number>;
  /** Every time that something went live, in order: what is new since a position is found from its end. */
  enlivened: { position: number; id: string }[];
  /** Rejected items by the items they lean on. */
  leaners: Map<string, Set<string>>;
  /** Items that hold a relation to this one: how it is read from its end before the rows are written. */
  related: Map<string, Set<string>>;
  /** Points given to a lineage by dedup. */
  points: Map<string, number>;
  /** Decisions that the pipeline did not make, and whether they counted: how their writers find them again. */
  decisions: Map<string, boolean>;
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
