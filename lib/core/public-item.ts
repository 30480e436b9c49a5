import * as z from 'zod';
import type { ItemState } from '#lib/core/fold-state.ts';
import { Fields, type ItemRow, Kind } from '#lib/core/item.ts';
import { isVisible } from '#lib/core/relevance.ts';
import type { Evaluation, HelpfulPoint } from '#lib/core/rows.ts';

/** What of an item's life is shown. `received` and `removed` are ours: such an item is not there. */
export const PublicStatus = z.enum(['pending', 'processing', 'approved', 'checked', 'rejected']);
export type PublicStatus = z.infer<typeof PublicStatus>;

export const PublicRelation = z.strictObject({ type: z.string(), target: z.string() });
export type PublicRelation = z.infer<typeof PublicRelation>;

const HistoryEntry = z.strictObject({
  source: z.string(),
  related_id: z.string(),
  relation_type: z.string(),
  /** Epoch seconds. */
  timestamp: z.number(),
});

/** Eval of an item's lineage (R2.1): sums over all callers; of the histories the last 50 rows, and how many there are, that the caller may see. */
export const PublicEval = z.strictObject({
  score: z.number(),
  helpful: z.number().int(),
  harmful: z.number().int(),
  confidence: z.number(),
  helpful_history: z.array(HistoryEntry),
  helpful_history_count: z.number().int(),
  harmful_history: z.array(HistoryEntry),
  harmful_history_count: z.number().int(),
});
export type PublicEval = z.infer<typeof PublicEval>;

/** An item as the API shows it (R2.1): never its vector, claim, attempt or place in the ledger. Times in epoch seconds. */
export const PublicItem = z.strictObject({
  id: z.string(),
  kind: Kind,
  domain: z.string(),
  /** A document's. */
  path: z.string().optional(),
  message_id: z.string(),
  task: z.string(),
  /** Without frontmatter. A listing shows its beginning. */
  content: z.string(),
  truncated: z.boolean(),
  types: z.array(z.string()),
  tags: z.record(z.string(), z.string()),
  tag_keys: z.array(z.string()),
  scopes: z.array(z.string()),
  owner: z.string(),
  resource_ids: z.array(z.string()),
  source: z.record(z.string(), z.unknown()),
  eval: PublicEval,
  created_at: z.number(),
  updated_at: z.number(),
  status: PublicStatus,
  relationships: z.array(PublicRelation),
  metadata: z.string(),
  /** A document's frontmatter as it counts, and which of it a model wrote, or has yet to write. */
  fields: Fields.optional(),
  needs_review: z.string().optional(),
});
export type PublicItem = z.infer<typeof PublicItem>;

/** What beside its row an item is shown with. */
export interface Shown {
  status: PublicStatus;
  content: string;
  truncated: boolean;
  eval: PublicEval;
  relationships: PublicRelation[];
  needs_review: string | undefined;
}

/** The item as the API shows it (R2.1). */
export function publicItem(row: ItemRow, shown: Shown): PublicItem {
  const { needs_review, ...rest } = shown;
  return {
    id: row.id,
    kind: row.kind,
    domain: row.domain,
    ...(row.path !== undefined && { path: row.path }),
    message_id: row.message_id,
    task: row.task,
    types: row.types,
    tags: row.tags,
    tag_keys: row.tag_keys,
    scopes: row.scopes,
    owner: row.owner,
    resource_ids: row.resource_ids,
    source: row.source,
    created_at: row.created_at,
    updated_at: row.updated_at,
    metadata: row.metadata,
    ...(row.kind === 'document' && { fields: row.fields }),
    ...(needs_review !== undefined && { needs_review }),
    ...rest,
  };
}

/**
 * Status by the ledger, which the row follows (R6.9); `undefined`: the item is not there. While it waits only the row
 * knows whether somebody works on it.
 */
export function publicStatus(
  row: Pick<ItemRow, 'status'>,
  state: ItemState | undefined,
): PublicStatus | undefined {
  const status = state === undefined ? row.status : state.status;
  if (status === 'removed' || status === 'received' || row.status === 'removed') return undefined;
  if (status === 'pending') return row.status === 'processing' ? 'processing' : 'pending';
  return status;
}

const HISTORY_SHOWN = 50;

/** Every item starts with one helpful point and these (R2.1). */
const SCORE = 3;
const CONFIDENCE = 0.7;

/** Eval as shown to a caller with these scopes; `is_gone`: an item that was erased. */
export function publicEval(
  evaluation: Evaluation | undefined,
  scopes: readonly string[],
  is_gone: (id: string) => boolean,
): PublicEval {
  const history = (evaluation?.history ?? []).filter(
    (point) => isVisible(point.scopes, scopes) && !is_gone(point.related_id),
  );
  return {
    score: SCORE,
    helpful: 1 + (evaluation?.points ?? 0),
    harmful: 0,
    confidence: CONFIDENCE,
    helpful_history: history.slice(-HISTORY_SHOWN).map(historyEntry),
    helpful_history_count: history.length,
    harmful_history: [],
    harmful_history_count: 0,
  };
}

const historyEntry = ({ source, related_id, relation_type, timestamp }: HelpfulPoint) => ({
  source,
  related_id,
  relation_type,
  timestamp,
});
