import * as z from 'zod';
import { excerpt } from '#lib/core/excerpt.ts';
import type { ItemRow } from '#lib/core/item.ts';
import { Kind } from '#lib/core/item.ts';
import { Confidence, type KnownItem, Level } from '#lib/core/lookup-match.ts';
import type { Section } from '#lib/core/rows.ts';
import { sectionText } from '#lib/core/sections.ts';
import { SuppressionReason } from '#lib/core/session-choice.ts';

/** One item as handed over. An entry has no path, and what is shown from its beginning no section: `''`. */
export const LookupDocument = z.strictObject({
  id: z.string(),
  kind: Kind,
  path: z.string(),
  title: z.string(),
  domain: z.string(),
  covers: z.array(z.string()),
  when_to_retrieve: z.string(),
  excerpt: z.string(),
  truncated: z.boolean(),
  /** 1 for a keyword match, else the fused score of L1, in [0, 1]. */
  score: z.number(),
  /** Heading path of the section that matched. */
  section: z.string(),
});
export type LookupDocument = z.infer<typeof LookupDocument>;

/** The answer to a lookup (R6.1). */
export const LookupReply = z.strictObject({
  request_id: z.string(),
  level: Level,
  confidence: Confidence,
  documents: z.array(LookupDocument),
  message: z.string(),
  suppressed: z.array(z.strictObject({ id: z.string(), path: z.string(), reason: SuppressionReason })),
  session: z.strictObject({ searched_domains: z.array(z.string()), returned: z.array(z.string()) }),
  took_ms: z.number(),
  /** Names of stand-in models that shaped the answer; absent when none did. */
  stand_ins: z.array(z.string()).optional(),
});
export type LookupReply = z.infer<typeof LookupReply>;

/** What a session keeps of an answer: everything but the texts, which are read again, and only by who may (R6.1). */
export const StoredAnswer = z.strictObject({
  /** Hash of what was asked: the request id of another question is refused. */
  asked: z.string(),
  outcome: z.enum(['found', 'nothing_new', 'nothing_found']),
  domain: z.string(),
  level: Level,
  confidence: Confidence,
  keyword_only: z.boolean(),
  stand_ins: z.array(z.string()),
  documents: z.array(
    z.strictObject({
      id: z.string(),
      score: z.number(),
      /** Number of the section that is shown. */
      section: z.number().int().nullable(),
      /** The item's, so that it is named again only to who may see it. */
      scopes: z.array(z.string()),
    }),
  ),
  suppressed: z.array(z.strictObject({ id: z.string(), reason: SuppressionReason })),
});
export type StoredAnswer = z.infer<typeof StoredAnswer>;

/** The document as it is handed over: the section that matched, with its heading, else the beginning (R6.4). */
export function lookupDocument(
  item: KnownItem,
  row: ItemRow,
  score: number,
  section: Section | undefined,
  code_points: number,
): LookupDocument {
  return {
    id: item.id,
    kind: item.kind,
    path: item.path,
    title: item.title,
    domain: item.domain,
    covers: [...item.covers],
    when_to_retrieve: row.fields.when_to_retrieve,
    // A row's excerpt that was cut carries its dots, and so is longer than the limit.
    ...excerpt(section ? sectionText(section) : row.excerpt, code_points),
    score,
    section: section?.heading ?? '',
  };
}
