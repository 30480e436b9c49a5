import type { Claim } from '#lib/core/item.ts';

/** A vector names its model; one of another model than the index's is made anew before judging. */
export interface TaskVector {
  id: string;
  model: string;
  vector: number[];
  /** MinHash of the content (core/sketch): ranks 50 candidates of one task without reading 50 bodies. */
  sketch: number[];
}

export interface Section {
  heading: string;
  text: string;
}

export interface SectionVector extends Section {
  vector: number[];
}

/** Who was named last at a path. Strongly consistent. */
export interface PathRow {
  path: string;
  seq: number;
  latest_id?: string | undefined;
  body_hash?: string | undefined;
  scopes: string[];
  owner: string;
}

/** `W`: all entries up to this position are in the projection. `physical`: the index's name, `''` elsewhere. */
export interface ProjectionRow {
  name: string;
  physical: string;
  W: number;
  /** Live items that the engine refuses for good: recall compares them always, an alarm names them. */
  parked: string[];
  lease?: Claim | undefined;
}

/** One row a relation; both ends are a view of it (R2.4). */
export interface RelationRow {
  from: string;
  to: string;
  type: string;
  reverse: string;
  pos: number;
  erased?: boolean;
}

/** A helpful point that dedup gave a lineage (R4.3). `timestamp` in epoch seconds. */
export interface HelpfulPoint {
  source: 'dedup';
  related_id: string;
  relation_type: string;
  ground_id: string;
  timestamp: number;
  /** The newcomer's: the history row is shown only to those who may see it. */
  scopes: string[];
}

export interface Evaluation {
  lineage: string;
  /** Points given by dedup; the API adds the 1 of R2.1. */
  points: number;
  pos: number;
  history: HelpfulPoint[];
}

export interface DomainRow {
  domain_id: string;
  description: string;
  when_to_retrieve: string;
  /** Name of the model that wrote the text; a stand-in says so. */
  model: string;
  /** Highest position that changed the domain. */
  dirty_position: number;
  /** Position up to which the text counts. */
  computed_position: number;
  dirty_at: number;
  claim?: Claim | undefined;
  created_at: number;
  updated_at: number;
}

/** One item in the search index. `version` is the ledger position: a lower one never overwrites a higher one. */
export interface IndexDocument {
  id: string;
  version: number;
  live: boolean;
  domain: string;
  scopes: string[];
  title: string;
  keywords: string[];
  /** Everything BM25 reads beside title, keywords and sections (summary, covers, when_to_retrieve). */
  about: string;
  task_vector: number[];
  sections: SectionVector[];
}

export interface SearchQuery {
  vector: number[];
  text: string;
  /** Undefined = everywhere. */
  domain?: string | undefined;
  /** The caller's: only items without scopes, or that share one with these, are found. */
  scopes: readonly string[];
  limit: number;
}

export interface VectorHit {
  id: string;
  section: number;
  heading: string;
  text: string;
  vector: number[];
}

/** `section`: the one that has most of the query's words, where any has one of them. */
export interface TextHit {
  id: string;
  score: number;
  section?: { n: number; heading: string; text: string } | undefined;
}

/** What a session has been given. `version` changes with every write; times in epoch seconds. */
export interface SessionRow {
  key: string;
  /** Successful searches by domain. */
  searches: Record<string, number>;
  /** Fruitless searches by domain; `*` without one. */
  fruitless: Record<string, number>;
  returned: { id: string; path: string; title: string; domain: string; request_id: string }[];
  /** The last 32 answers, oldest first. */
  answers: SessionAnswer[];
  expires_at: number;
}

export interface SessionAnswer {
  request_id: string;
  /** The reply as JSON without its texts: ids, sections, message. */
  reply: string;
}

/** One conditional update that repeats everything that the choice read (protocol, "Sessions"). */
export interface SessionClaim {
  request_id: string;
  /** Refused if one of them was returned before. */
  returned: SessionRow['returned'];
  /** Domain that this call searched with success; counted once. */
  success?: string | undefined;
  /** Domain (`*` without one) of a fruitless search. */
  fruitless?: string | undefined;
  /** Refused if the searches of one of these domains, successful or fruitless, have reached their limit. */
  domains: string[];
  cap: number;
  fruitless_limit: number;
  reply: string;
  now: number;
  expires_at: number;
}

export type ProjectionName = 'records' | 'mirror' | 'index';

/** A row beside those of the projections: the lease of the sweep under way. Its W means nothing. */
export const SWEEP_LEASE = 'sweep';

export type Removal = { id: string; version: number; live: false };

export type Message = { type: 'admit'; item_id: string } | { type: 'recompute'; domain_id: string };
