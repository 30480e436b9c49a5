import * as z from 'zod';

const minutes = (n: number) => n * 60_000;

/** A `next_at` further ahead than this was written by a clock that has stepped back since: it is due (protocol, "Clocks"). */
export const WAIT_AHEAD_MS = minutes(15);

/** A claim or lease further ahead than these has expired (protocol, "Clocks"). */
export const CLAIM_AHEAD_MS = minutes(1);
export const LEASE_AHEAD_MS = minutes(2);

/** Superseded, replaced and condensed items can be restored this long (epoch seconds), and are erased after it. */
export const RESTORABLE_SECONDS = 30 * 24 * 3600;

/** Everything about KnowHub's behaviour that a deployment may choose. Times in milliseconds unless the name says otherwise. */
export const Settings = z.strictObject({
  /** Candidates below this cosine never reach the judge (R4.1); a property of the embedder. */
  similarity_floor: z.number().min(0).max(1).default(0.75),
  /** How many neighbours by task vector the index is asked for before ranking (design, section 2). */
  recall_k: z.number().int().positive().default(50),
  /** How many candidates one judge call sees (R4.1). */
  max_candidates: z.number().int().positive().default(10),
  /** Code points of one side that the judge sees (design, section 3). */
  judge_view_budget: z.number().int().default(8000),
  /** How long an unreachable judge is waited for before the way out of R4.5. */
  judge_patience_ms: z.number().default(minutes(15)),
  judge_back_off_ms: z.number().default(15_000),
  /** A `processing` claim older than this goes back to `pending` (R4.6). */
  claim_reset_ms: z.number().default(minutes(5)),
  lease_ms: z.number().default(minutes(2)),
  /** How long after queueing an item the sweep queues it again. */
  requeue_ms: z.number().default(minutes(1)),
  /** An uploader gives up at its own function timeout (protocol, "Uploads at a path"). */
  upload_patience_ms: z.number().default(90_000),
  /** How long a `received` row waits to be named; one of an import, which has no path, a day. */
  received_ttl_ms: z.number().default(minutes(60)),
  import_ttl_ms: z.number().default(minutes(24 * 60)),
  orphan_body_ttl_ms: z.number().default(minutes(120)),
  /** How many items one pass of the sweep handles (R4.8). */
  sweep_limit: z.number().int().default(50),
  /** For how many documents one pass asks the model for missing fields: it must end within its function's time. */
  fill_limit: z.number().int().default(10),
  /** A snapshot of the catalog is written when the ledger is this many entries past the last one. */
  snapshot_every: z.number().int().positive().default(500),
  /** An instance that has read this many entries at once, and is not at the end, looks for a newer snapshot. */
  reload_behind: z.number().int().positive().default(2000),
  recompute_delay_ms: z.number().default(15_000),
  /** Successful searches per domain and session (R6.6). */
  searches_per_domain: z.number().int().positive().default(1),
  fruitless_limit: z.number().int().positive().default(3),
  session_ttl_s: z.number().default(24 * 3600),
  map_budget_tokens: z.number().int().default(6000),
  excerpt_code_points: z.number().int().default(2000),
  /** Weight of the vector side in the fusion of L1 (design, section 3); a property of the embedder. */
  vector_weight: z.number().min(0).max(1).default(0.4),
  /** Hits of each side that L1 fuses. */
  search_depth: z.number().int().default(100),
  /** Documents handed over by one lookup. */
  top_k: z.number().int().positive().default(3),
  /** Below this cosine, and without a lexical match, L1 found nothing relevant; a property of the embedder. */
  relevance_floor: z.number().default(0.3),
  /** The same, where the query is of another language than the section. */
  relevance_floor_across: z.number().default(0.3),
});
export type Settings = z.infer<typeof Settings>;
