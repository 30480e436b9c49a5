import * as z from 'zod';
import { fuse } from '#lib/core/fusion.ts';
import type { Kind } from '#lib/core/item.ts';
import { acrossLanguages, evidenceOf, type MeaningQuery, sharesWords } from '#lib/core/lookup-evidence.ts';
import type { KeywordMatch } from '#lib/core/matching.ts';
import type { TextHit, VectorHit } from '#lib/core/rows.ts';
import type { Settings } from '#lib/core/settings.ts';

/** A live, visible item as the catalog knows it; `path` is `''` for an entry. */
export interface KnownItem {
  id: string;
  kind: Kind;
  path: string;
  title: string;
  domain: string;
  covers: readonly string[];
  keywords: readonly string[];
  keywords_by_author: boolean;
  scopes: readonly string[];
}

/** An item that answers the query: by a keyword (L0), by meaning, by words (L1), or several of these. */
export interface Match extends KnownItem {
  score: number;
  keyword: boolean;
  by_author: boolean;
  by_meaning: boolean;
  by_words: boolean;
  /** The section that is nearest to the query, else the one that has its words; the excerpt shows it. */
  section?: { n: number; heading: string; text: string } | undefined;
}

/** Where the matches came from. */
export const Level = z.enum(['L0', 'L1', 'L0+L1', 'none']);
export type Level = z.infer<typeof Level>;

export const Confidence = z.enum(['high', 'low', 'none']);
export type Confidence = z.infer<typeof Confidence>;

type L1Settings = Pick<
  Settings,
  'vector_weight' | 'search_depth' | 'relevance_floor' | 'relevance_floor_across'
>;

export const keywordMatch = (
  item: KnownItem,
  { by_author }: Pick<KeywordMatch, 'by_author'> & Partial<KeywordMatch>,
): Match => ({
  ...item,
  score: 1,
  keyword: true,
  by_author,
  by_meaning: false,
  by_words: false,
});

/**
 * The matches in order (R6.3): what L0 found first, then what L1 found, each by the fused score. Something relevant is
 * stored if a hit is near by our own cosine, or shares the query's words; which one is best is the ranking's business, so
 * its first is a match then, too. Other hits that are neither are none; one that `known` does not know (not live, not
 * visible, of another domain) is dropped.
 */
export function rankMatches(
  query: MeaningQuery,
  keyword: readonly Match[],
  hits: { by_vector: readonly VectorHit[]; by_text: readonly TextHit[] },
  known: (id: string) => KnownItem | undefined,
  settings: L1Settings,
): Match[] {
  const { near, by_text, text_trust, words } = evidenceOf(query, hits, known);
  const fused = fuse(near, by_text, settings.vector_weight, settings.search_depth, text_trust);
  const l0 = new Map(keyword.map((match) => [match.id, match]));
  const isAcross = acrossLanguages(query.text);
  const floorOf = (section: string) =>
    isAcross(section) ? settings.relevance_floor_across : settings.relevance_floor;
  const worded = new Map(by_text.map(({ id, section }) => [id, section]));
  const found = fused.map((hit) => ({
    ...known(hit.id)!,
    score: hit.score,
    keyword: false,
    by_author: false,
    by_meaning: hit.vector !== undefined && hit.vector.score >= floorOf(hit.vector.text),
    by_words: sharesWords(words(hit.id)),
    section: hit.vector
      ? { n: hit.vector.section, heading: hit.vector.heading, text: hit.vector.text }
      : worded.get(hit.id),
  }));
  const first = found
    .filter(({ id }) => l0.has(id))
    .map((match) => ({
      ...match,
      ...pick(l0.get(match.id)!),
      // An L0 match is shown from its beginning unless the meaning points into it.
      section: match.by_meaning ? match.section : undefined,
    }));
  const seen = new Set(first.map(({ id }) => id));
  const unranked = keyword.filter(({ id }) => !seen.has(id));
  const counts = ({ by_meaning, by_words }: Match) => by_meaning || by_words;
  const relevant = found.some(counts);
  const rest = found.filter((match, n) => !l0.has(match.id) && (counts(match) || (relevant && n === 0)));
  return [...first, ...unranked, ...rest];
}

const pick = ({ score, keyword, by_author }: Match) => ({ score, keyword, by_author });

/** `asked_l1`: L1 was asked and answered. */
export function levelOf(matches: readonly Match[], asked_l1: boolean): Level {
  if (matches.length === 0) return 'none';
  if (!matches.some(({ keyword }) => keyword)) return 'L1';
  return asked_l1 ? 'L0+L1' : 'L0';
}

/**
 * How sure it is that the first of these is what was asked for. Several keyword matches, or one by a generated keyword,
 * leave that open; L1 is sure when meaning and words agree (R6.2).
 */
export function confidenceOf(matches: readonly Match[], unique: boolean): Confidence {
  const best = matches[0];
  if (best === undefined) return 'none';
  if (unique) return 'high';
  return !best.keyword && best.by_meaning && best.by_words ? 'high' : 'low';
}

/** Exactly one match, by a keyword that its author wrote: L1 is not asked (R6.2). */
export const isUnique = (keyword: readonly Match[]): boolean => keyword.length === 1 && keyword[0]!.by_author;
