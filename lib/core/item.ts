import * as z from 'zod';

/** `knowledge-YYYYMMDD-HHMMSS-xxxxxxxx` (UTC, 8 hex); older ids of 4 characters or without a time stay valid (R2.1). */
export const ItemId = z
  .string()
  .regex(/^knowledge-\d{8}(-\d{6})?-[0-9a-z]{4,8}$/, 'must look like knowledge-20260131-120000-1a2b3c4d');

/** `{category}/{filename}`: a document's identity (spec, section 1); 64 + 1 + 200 characters of up to two UTF-16 units. */
export const Path = z.string().min(3).max(530);

export const Kind = z.enum(['entry', 'document']);
export type Kind = z.infer<typeof Kind>;

/** What a reader sees of the item's life. `received` and `removed` are ours: not yet accepted, and erased. */
export const Status = z.enum([
  'received',
  'pending',
  'processing',
  'approved',
  'checked',
  'rejected',
  'removed',
]);
export type Status = z.infer<typeof Status>;

/** Lower snake case; the six of R2.4 and whatever the judge coins. */
export const RelationType = z
  .string()
  .regex(/^[a-z][a-z0-9]*(_[a-z0-9]+)*$/)
  .max(64);

/** Why an item is not live (protocol, "Fold"). */
export const RejectReason = z.enum(['known', 'superseded', 'replaced', 'condensed', 'blocked', 'human']);
export type RejectReason = z.infer<typeof RejectReason>;

export const Ground = z.strictObject({ id: ItemId, type: RelationType });
export type Ground = z.infer<typeof Ground>;

/** From the item to `to`; `reverse` is the type read from the other end, `none` when that side is not written. */
export const Relation = z.strictObject({ to: ItemId, type: RelationType, reverse: RelationType });
export type Relation = z.infer<typeof Relation>;

export const FieldName = z.enum(['title', 'summary', 'keywords', 'covers', 'when_to_retrieve']);
export type FieldName = z.infer<typeof FieldName>;

/** A document's frontmatter fields as they count: the author's, completed by the model (R2.2, R3.2). */
export const Fields = z.strictObject({
  title: z.string(),
  summary: z.string(),
  keywords: z.array(z.string()),
  covers: z.array(z.string()),
  when_to_retrieve: z.string(),
  /** Fields that the model wrote; the rest is the author's. */
  generated: z.array(FieldName),
  /** Fields that nobody has written yet: the model was down, the sweep fills them in. */
  missing: z.array(FieldName),
});
export type Fields = z.infer<typeof Fields>;

/** What an entry has: its task says what it is for. */
export const NO_FIELDS: Fields = {
  title: '',
  summary: '',
  keywords: [],
  covers: [],
  when_to_retrieve: '',
  generated: [],
  missing: [],
};

/** A worker's hold on a `processing` item; `at` in epoch milliseconds (R4.6). */
export const Claim = z.strictObject({ token: z.string(), at: z.number() });
export type Claim = z.infer<typeof Claim>;

/** How often, and since when (epoch milliseconds), the judge could not be reached for this attempt (R4.5). */
export const JudgeFailures = z.strictObject({ count: z.number(), first_at: z.number(), last: z.string() });
export type JudgeFailures = z.infer<typeof JudgeFailures>;

/** How often the model had no usable answer for the missing fields, and when it is asked again (epoch milliseconds). */
export const FieldsRetry = z.strictObject({ count: z.number(), at: z.number() });
export type FieldsRetry = z.infer<typeof FieldsRetry>;

/** What the records projection writes over an item's row, and nobody else (protocol, "Project"). */
export const Decision = z.strictObject({
  status: Status,
  attempt: z.number().int(),
  reason: RejectReason.optional(),
  basis: z.string().optional(),
  model: z.string().optional(),
  needs_review: z.string().optional(),
  grounds: z.array(Ground),
  relations: z.array(Relation),
  lineage: ItemId.optional(),
  path_seq: z.number().int().optional(),
  decided_at: z.number().optional(),
  next_at: z.number().optional(),
});
export type Decision = z.infer<typeof Decision>;

/**
 * One item as stored: R2.1 plus what the pipeline needs. Its text is a body, its eval belongs to the lineage, its
 * relations are rows of their own. `created_at`, `updated_at`, `decided_at` in epoch seconds; `next_at` and claims
 * in epoch milliseconds.
 */
export const ItemRow = z.strictObject({
  id: ItemId,
  kind: Kind,
  domain: z.string(),
  path: Path.optional(),
  path_seq: z.number().int().optional(),
  task: z.string(),
  message_id: z.string(),
  types: z.array(z.string()),
  tags: z.record(z.string(), z.string()),
  tag_keys: z.array(z.string()),
  scopes: z.array(z.string()),
  owner: z.string(),
  resource_ids: z.array(z.string()),
  source: z.record(z.string(), z.unknown()),
  /** A document's frontmatter as a JSON string, at most 64 KB; shown, never filtered on. */
  metadata: z.string(),
  fields: Fields,
  /** The first 2,000 code points of the body (R6.4). */
  excerpt: z.string(),
  body_hash: z.string(),
  fingerprint: z.string(),
  created_at: z.number(),
  updated_at: z.number(),

  status: Status,
  /** The attempt that is expected or under way: 1 at first, one more each time a ground of the rejection ended. */
  attempt: z.number().int(),
  /** Position of the last ledger entry applied to this row; 0 before the first. */
  pos: z.number().int(),
  claim: Claim.optional(),
  /** When the sweep must look at it again, epoch milliseconds; only items that wait have one. */
  next_at: z.number().optional(),
  judge_failures: JudgeFailures.optional(),
  fields_retry: FieldsRetry.optional(),
  decision: Decision.optional(),
});
export type ItemRow = z.infer<typeof ItemRow>;
