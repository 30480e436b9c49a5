import * as z from 'zod';
import { Ground, ItemId, Kind, Path, RejectReason, Relation } from '#lib/core/item.ts';

export const Event = z.enum([
  'admitted',
  'rejected',
  'checked',
  'restored',
  'removed',
  'amended',
  'imported',
  'condensed',
]);
export type Event = z.infer<typeof Event>;

/** What the catalog keeps of a live item, so that L0, paths and the map need no other read (design, section 2). */
export const LivePayload = z.strictObject({
  kind: Kind,
  domain: z.string(),
  title: z.string(),
  keywords: z.array(z.string()),
  /** A generated keyword alone never skips L1 (R6.2). */
  keywords_by_author: z.boolean(),
  covers: z.array(z.string()),
});
export type LivePayload = z.infer<typeof LivePayload>;

/** On what a decision rests; shown by `GET /api/knowledge/status/{id}`. */
export const Basis = z.enum([
  'no_candidates',
  'identical',
  'blocked',
  'judge',
  'last_resort',
  'superseded',
  'human',
  'import',
]);
export type Basis = z.infer<typeof Basis>;

/** One decision in the ledger (protocol, "Entry"): never updated, except to erase a deleted item's payload. `at` in epoch seconds. */
export const Entry = z.strictObject({
  position: z.number().int().positive(),
  at: z.number(),
  /** `pipeline`, or the principal of the human or job that wrote it. */
  by: z.string(),
  event: Event,
  item_id: ItemId,
  /** The item's version that this decision makes: the fold counts one entry a version. */
  attempt: z.number().int(),
  decision_id: z.string(),
  path: Path.optional(),
  path_seq: z.number().int().optional(),
  sources: z.array(ItemId).optional(),
  reason: RejectReason.optional(),
  grounds: z.array(Ground).optional(),
  relations: z.array(Relation).optional(),
  fingerprint: z.string(),
  scopes: z.array(z.string()),
  basis: Basis.optional(),
  /** The model that judged; a stand-in says so in its name. */
  model: z.string().optional(),
  needs_review: z.string().optional(),
  /** A human's own words. */
  note: z.string().optional(),
  live: LivePayload.optional(),
  /** The item was deleted: `live` was taken out of this entry (R3.6). */
  erased: z.boolean().optional(),
});
export type Entry = z.infer<typeof Entry>;

/** An entry before it has a place in the ledger. */
export type Draft = Omit<Entry, 'position'>;

export const PIPELINE = 'pipeline';
