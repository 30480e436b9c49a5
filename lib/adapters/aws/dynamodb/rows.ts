import * as z from 'zod';
import type { Row } from '#lib/adapters/aws/dynamodb/table.ts';
import { KnowHubError } from '#lib/core/errors.ts';
import { Claim } from '#lib/core/item.ts';
import type {
  DomainRow,
  Evaluation,
  HelpfulPoint,
  PathRow,
  ProjectionRow,
  RelationRow,
  SessionRow,
} from '#lib/core/rows.ts';

/** What is stored beside the attributes that a row takes from its key. */
export const StoredPath = z.strictObject({
  seq: z.number(),
  latest_id: z.string().optional(),
  body_hash: z.string().optional(),
  scopes: z.array(z.string()),
  owner: z.string(),
}) satisfies z.ZodType<Omit<PathRow, 'path'>>;

export const StoredProjection = z.strictObject({
  physical: z.string(),
  W: z.number(),
  parked: z.array(z.string()),
  lease: Claim.optional(),
}) satisfies z.ZodType<Omit<ProjectionRow, 'name'>>;

export const StoredRelation = z.strictObject({
  from: z.string(),
  to: z.string(),
  type: z.string(),
  reverse: z.string(),
  pos: z.number(),
}) satisfies z.ZodType<RelationRow>;

export const StoredDomain = z.strictObject({
  domain_id: z.string(),
  description: z.string(),
  when_to_retrieve: z.string(),
  model: z.string(),
  dirty_position: z.number(),
  computed_position: z.number(),
  dirty_at: z.number(),
  claim: Claim.optional(),
  created_at: z.number(),
  updated_at: z.number(),
}) satisfies z.ZodType<DomainRow>;

export const StoredPart = z.strictObject({ key: z.string(), text: z.string() });

export const StoredPoint = z.strictObject({
  source: z.literal('dedup'),
  related_id: z.string(),
  relation_type: z.string(),
  ground_id: z.string(),
  timestamp: z.number(),
  scopes: z.array(z.string()),
}) satisfies z.ZodType<HelpfulPoint>;

export const StoredSum = z.object({ points: z.number(), pos: z.number() }) satisfies z.ZodType<
  Pick<Evaluation, 'points' | 'pos'>
>;

/** One granted claim of a session; its reply is taken out once it is too old to be given again. */
export const StoredClaim = z.strictObject({
  request_id: z.string(),
  returned: z.array(
    z.strictObject({
      id: z.string(),
      path: z.string(),
      title: z.string(),
      domain: z.string(),
      request_id: z.string(),
    }),
  ) satisfies z.ZodType<SessionRow['returned']>,
  success: z.string().optional(),
  fruitless: z.string().optional(),
  reply: z.string().optional(),
});
export type StoredClaim = z.infer<typeof StoredClaim>;

/** Parses a row at this edge. Throws: a row that we cannot read must not be taken for one that is not there. */
export function parseRow<T>(schema: z.ZodType<T>, row: unknown, what: string): T {
  const parsed = schema.safeParse(row);
  if (parsed.success) return parsed.data;
  throw new KnowHubError('unreadable_row', `${what}: ${z.prettifyError(parsed.error)}`, {
    cause: parsed.error,
  });
}

/** The row without the attributes that only DynamoDB needs. */
export const without = (row: Row, ...names: readonly string[]): Row =>
  Object.fromEntries(Object.entries(row).filter(([name]) => !names.includes(name)));
