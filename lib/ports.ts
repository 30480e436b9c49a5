import type { Caller } from '#lib/core/caller.ts';
import type { Completion, Reply } from '#lib/core/completion.ts';
import type { Entry } from '#lib/core/entry.ts';
import type { InboxFile, QuarantineReport, UploadTicket } from '#lib/core/inbox.ts';
import type { Claim, Decision, Fields, FieldsRetry, ItemRow, JudgeFailures, Kind } from '#lib/core/item.ts';
import type {
  DomainRow,
  Evaluation,
  HelpfulPoint,
  IndexDocument,
  Message,
  PathRow,
  ProjectionRow,
  RelationRow,
  Removal,
  SearchQuery,
  SectionVector,
  SessionClaim,
  SessionRow,
  TaskVector,
  TextHit,
  VectorHit,
} from '#lib/core/rows.ts';

/**
 * Everything outside, on one page. Every call can throw `Unclear`: it may have happened, may still happen, or never
 * will. A call that writes is one conditional write, safe to repeat; `false` or a refusal means "the condition did not
 * hold when I looked", which after a lost answer includes "because I did it myself a moment ago".
 */
export interface Ports {
  clock: Clock;
  random: Random;
  ledger: Ledger;
  items: Items;
  bodies: Bodies;
  vectors: Vectors;
  paths: Paths;
  projections: Projections;
  relations: Relations;
  evaluations: Evaluations;
  domains: Domains;
  mirror: Mirror;
  inbox: Inbox;
  index: SearchIndex;
  sessions: Sessions;
  snapshots: Snapshots;
  queue: Queue;
  model: Model;
  log: Log;
}

/** Epoch milliseconds. May step back. */
export interface Clock {
  now(): number;
  sleep(ms: number): Promise<void>;
}

export interface Random {
  /** `digits` random hex digits. */
  hex(digits: number): string;
  /** In [0, 1). */
  fraction(): number;
}

/** The ordered log of every decision. Strongly consistent. */
export interface Ledger {
  /** Puts the entry at its position if nothing is there; `false` = taken (by anybody, oneself included). */
  put(entry: Entry): Promise<boolean>;
  /** At most `limit` entries after `position`, ascending. A reader applies them up to the first gap. */
  readAfter(position: number, limit: number): Promise<Entry[]>;
  /** Takes `live` out of the entry of an erased item (R3.6). Idempotent. */
  erase(position: number): Promise<void>;
}

/** Item rows. Reads by id are strongly consistent, the listings are not. */
export interface Items {
  /** Stores the row if the id is absent. */
  insert(row: ItemRow): Promise<boolean>;
  get(id: string): Promise<ItemRow | undefined>;
  /** In any order; ids without a row are left out; a cut answer throws `Partial`. */
  getMany(ids: readonly string[]): Promise<ItemRow[]>;
  /** Sets `path_seq` only while the row is `received`, and only upwards. */
  raiseSeq(id: string, seq: number): Promise<'raised' | 'not_received' | 'absent'>;
  /** `received` → `pending`, only if the row's seq is `seq`. */
  accept(
    id: string,
    seq: number,
    next_at: number,
  ): Promise<'accepted' | 'not_received' | 'other_seq' | 'absent'>;
  /** Deletes the row only if it is still `received` with `seq`. */
  dropReceived(id: string, seq: number): Promise<boolean>;
  /** `pending` → `processing` under the claim (R4.6). A refusal brings the row as it is. */
  claim(id: string, claim: Claim, next_at: number): Promise<{ claimed: boolean; row: ItemRow | undefined }>;
  /** `processing` → `pending`, only if the claim is still `token`'s. */
  release(id: string, token: string, next_at: number, failures?: JudgeFailures): Promise<boolean>;
  /** Moves `next_at` of a `pending` row, only if it is the one read. */
  postpone(id: string, seen: number, next_at: number): Promise<boolean>;
  /** Completes the fields that were missing, or says in `retry` when to ask again; refused once none is missing or the item is removed. */
  completeFields(id: string, fields: Fields, task: string, retry?: FieldsRetry): Promise<boolean>;
  /** Writes a decision over the row if `row.pos < position`, and ends the claim. `erase` leaves a tombstone. A row that is absent becomes a tombstone too. */
  applyDecision(id: string, position: number, decision: Decision, erase: boolean): Promise<boolean>;
  /**
   * Ids of waiting rows, oldest first: `next_at <= now`, or so far ahead that a clock must have stepped back since
   * (later than `ahead` of its status). Eventually consistent.
   */
  due(now: number, ahead: { pending: number; processing: number }, limit: number): Promise<string[]>;
  /** Ids of `received` rows created before `created_before` (epoch seconds). Eventually consistent. */
  received(created_before: number, limit: number): Promise<string[]>;
  /** Ids of rows with fields that wait for the model, without those to retry after `now` and up to `ahead`. Eventually consistent. */
  missingFields(now: number, ahead: number, limit: number): Promise<string[]>;
}

/** Texts, stored before their row and never changed. A document's are its bytes, verbatim (UTF-8). */
export interface Bodies {
  put(id: string, kind: Kind, text: string): Promise<void>;
  get(id: string, kind: Kind): Promise<string | undefined>;
  /** By id; those without a text are left out; a cut answer throws `Partial`. */
  getMany(bodies: readonly { id: string; kind: Kind }[]): Promise<Map<string, string>>;
  erase(id: string, kind: Kind): Promise<void>;
  /** Ids of bodies stored before `before` (epoch milliseconds), in id order after `after`: for the sweep of orphans. */
  list(after: string, before: number, limit: number): Promise<{ id: string; kind: Kind }[]>;
}

export interface Vectors {
  saveTask(vector: TaskVector): Promise<void>;
  /** Strongly consistent; ids without one are left out; a cut answer throws `Partial`. */
  tasks(ids: readonly string[]): Promise<TaskVector[]>;
  saveSections(id: string, model: string, sections: SectionVector[]): Promise<void>;
  sections(id: string, model: string): Promise<SectionVector[] | undefined>;
  /** Where sections lie, of all models, in the order of places after `after`: for the sweep of what was left behind. */
  listSections(after: string, limit: number): Promise<{ id: string; place: string }[]>;
  erase(id: string): Promise<void>;
}

export interface Paths {
  get(path: string): Promise<PathRow | undefined>;
  /** Writes the row if its seq is still `seen` (0 = absent). */
  advance(seen: number, row: PathRow): Promise<boolean>;
  /** Clears `latest_id` and `body_hash` if `id` is named there; the seq stays. */
  forget(path: string, id: string): Promise<boolean>;
}

/** Strongly consistent. The lease saves work; the position guards make it safe. */
export interface Projections {
  /** The row of the current index projection's name is read through this. */
  pointer(): Promise<string>;
  get(name: string): Promise<ProjectionRow | undefined>;
  /** In any order; names without a row are left out; a cut answer throws `Partial`. */
  getMany(names: readonly string[]): Promise<ProjectionRow[]>;
  /** Takes the lease if the row exists and none is held, or the one held is older than `expired_before` or newer than `not_after`. */
  takeLease(
    name: string,
    lease: Claim,
    expired_before: number,
    not_after: number,
  ): Promise<ProjectionRow | undefined>;
  releaseLease(name: string, token: string): Promise<void>;
  /** Moves W if the row exists and token, W and physical are as read; with `release` it gives the lease back, too. */
  advance(
    name: string,
    token: string,
    seen: ProjectionRow,
    next: { W: number; parked: string[]; release?: boolean },
  ): Promise<boolean>;
  /** One write `{W: 0, physical}` if token, W and physical are as read. */
  rebase(name: string, token: string, seen: ProjectionRow, physical: string): Promise<boolean>;
}

export interface Relations {
  /** Writes the row if the one stored has a lower `pos`. */
  put(row: RelationRow): Promise<void>;
  /** Rows with the item at either end. */
  of(id: string): Promise<RelationRow[]>;
  byType(type: string): Promise<RelationRow[]>;
  types(): Promise<string[]>;
}

export interface Evaluations {
  /** Adds one point and its history row if the lineage's `pos < position`. */
  credit(lineage: string, position: number, point: HelpfulPoint): Promise<void>;
  get(lineage: string): Promise<Evaluation | undefined>;
  /** Takes an erased item's history rows out; the sum stays. */
  eraseHistory(related: string, lineages: readonly string[]): Promise<void>;
}

/** Strongly consistent by id; the listings are not. */
export interface Domains {
  get(domain_id: string): Promise<DomainRow | undefined>;
  list(): Promise<DomainRow[]>;
  /** Raises `dirty_position` (creating the row); `now` epoch milliseconds. Idempotent. */
  markDirty(domain_id: string, position: number, now: number): Promise<void>;
  /** A claim is granted if none is held, or the one held is older than `expired_before` or newer than `not_after`. */
  claim(
    domain_id: string,
    claim: Claim,
    expired_before: number,
    not_after: number,
  ): Promise<DomainRow | undefined>;
  release(domain_id: string, token: string): Promise<void>;
  /** Writes the text only over one with a lower `computed_position`, and ends the token's claim. */
  save(
    domain_id: string,
    token: string,
    text: Pick<DomainRow, 'description' | 'when_to_retrieve' | 'model' | 'computed_position' | 'updated_at'>,
  ): Promise<boolean>;
  /** Summary of one part of a large domain; `key` is the hash of what it was made from. */
  part(domain_id: string, n: number): Promise<{ key: string; text: string } | undefined>;
  savePart(domain_id: string, n: number, part: { key: string; text: string }): Promise<void>;
}

/** `knowledge_base/{path}`: unscoped live documents, for people. */
export interface Mirror {
  head(path: string): Promise<{ etag: string; item_id: string } | undefined>;
  read(path: string): Promise<string | undefined>;
  /** Writes if the object's ETag is the one read; `undefined` = if absent. */
  put(path: string, item_id: string, text: string, etag: string | undefined): Promise<boolean>;
  remove(path: string, etag: string): Promise<boolean>;
  list(after: string, limit: number): Promise<string[]>;
}

/** `inbox/`: files that wait to be taken in (R3.1). A key is the object's own, decoded. */
export interface Inbox {
  /** What lies at the key now, without its bytes if there are more than `limit`; `undefined` = nothing. */
  read(key: string, limit: number): Promise<InboxFile | undefined>;
  /** Removes the file if its ETag is the one read: a newer one stays. */
  remove(key: string, etag: string): Promise<boolean>;
  /** Copies the file into quarantine, its report beside it, if its ETag is the one read. In the inbox it stays. */
  quarantine(key: string, etag: string, report: QuarantineReport): Promise<boolean>;
  /** Keys of files dropped before `before` (epoch milliseconds), in the order of their UTF-8 bytes after `after`. */
  list(after: string, before: number, limit: number): Promise<string[]>;
  /** Lets whoever holds it drop one file of 1 to `max_bytes` bytes at the key, in the caller's name. */
  ticket(key: string, caller: Caller, max_bytes: number, expires_in_s: number): Promise<UploadTicket>;
}

/** Visible within a second of `bulk`. A missing index throws `IndexUnavailable`, missing shards or a time-out throw `Partial`. */
export interface SearchIndex {
  exists(physical: string): Promise<boolean>;
  /** One create call a name, never retried. */
  create(physical: string): Promise<void>;
  list(): Promise<string[]>;
  drop(physical: string): Promise<void>;
  /** Returns once what it wrote can be found. `refused`: ids that the engine refuses for good (a version conflict is no refusal). */
  bulk(physical: string, documents: readonly (IndexDocument | Removal)[]): Promise<{ refused: string[] }>;
  /**
   * The `k` live items nearest by task vector, with their vectors: the cosine is computed by us. Of those only that
   * everyone may see who may see an item with these `scopes` (the scope rule), so that others take no places.
   */
  nearest(
    physical: string,
    vector: readonly number[],
    k: number,
    scopes: readonly string[],
  ): Promise<{ id: string; vector: number[] }[]>;
  /** Sections by vector and items by BM25, live and visible ones only, in one round trip. */
  search(physical: string, query: SearchQuery): Promise<{ by_vector: VectorHit[]; by_text: TextHit[] }>;
  /** Version and `live` of the ids that are there. */
  present(
    physical: string,
    ids: readonly string[],
  ): Promise<{ id: string; version: number; live: boolean }[]>;
}

export interface Sessions {
  /** Strongly consistent; an expired row may still come: the reader checks `expires_at`. */
  get(key: string): Promise<SessionRow | undefined>;
  /** `false` if a condition no longer holds, or `request_id` has an answer already. An expired row counts as absent. */
  claim(key: string, claim: SessionClaim): Promise<boolean>;
  forget(key: string): Promise<void>;
}

/** Folds of a prefix of the ledger, as bytes: disposable, each can be made again. Strongly consistent. */
export interface Snapshots {
  /** Those there are, by schema and position. */
  list(): Promise<{ schema: number; position: number }[]>;
  /** Throws where what lies there is not what was put. */
  get(schema: number, position: number): Promise<Uint8Array | undefined>;
  /** Whoever folds the same entries puts the same bytes. */
  put(schema: number, position: number, bytes: Uint8Array): Promise<void>;
  remove(schema: number, position: number): Promise<void>;
}

/** At least once, in any order; messages are hints, rows are the truth. */
export interface Queue {
  send(message: Message, delay_ms?: number): Promise<void>;
}

export type { Completion, Reply };

/** Throws `ModelUnavailable` on outage, throttling and time-out. `stand_in`: rules in place of a model, shown wherever their output shows. */
export interface Model {
  readonly embedder: { name: string; dimensions: number; stand_in: boolean };
  readonly writer: { name: string; stand_in: boolean };
  embed(texts: readonly string[], role: 'query' | 'passage'): Promise<number[][]>;
  complete(completion: Completion<unknown>): Promise<Reply>;
}

export type Log = Record<
  'debug' | 'info' | 'warn',
  (message: string, fields?: Record<string, unknown>) => void
>;
