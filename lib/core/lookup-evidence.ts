import { languageOf } from '#lib/core/language.ts';
import { cosine } from '#lib/core/ranking.ts';
import type { TextHit, VectorHit } from '#lib/core/rows.ts';
import { coverages, tellingTerms } from '#lib/core/terms.ts';

/**
 * The query's telling words count as found from this share on. With the stand-in embedder, over five of the sets in
 * `data/retrieval`: half loses up to 32 % of the right answers, a quarter serves up to 42 % of the questions that the
 * set cannot answer; a third loses at most 13 % and serves at most 24 %.
 */
const WORDS_FOUND = 1 / 3;

/** Fewer telling terms than these are a name as often as not, and names are the same in every language. */
const TERMS_OF_A_LANGUAGE = 3;

/** What L1 is asked. `by_words_alone`: its vectors stand for words, not meanings (a stand-in's). */
export interface MeaningQuery {
  text: string;
  vector: readonly number[];
  by_words_alone: boolean;
}

/** An item's fields in which words are looked for. */
export interface Worded {
  title: string;
  keywords: readonly string[];
  covers: readonly string[];
}

/** How much of the query's telling terms an item has: of all, and of those that its language can have. */
export interface WordShares {
  all: number;
  possible: number;
}

/** What speaks for the hits of one query. */
export interface Evidence {
  /** The sections found by vector, scored by our own cosine. */
  near: (VectorHit & { score: number })[];
  by_text: TextHit[];
  /** In [0, 1]: how much the words of this query can tell. */
  text_trust: number;
  /** Of an item that is among the hits. */
  words: (id: string) => WordShares;
}

/**
 * What speaks for each hit that `known` knows (R6.3). The words can tell as much as the text that has most of the
 * telling terms: so a question in another language, or in other words, is left to the vectors. Where those see nothing
 * but words themselves there is nobody to leave it to.
 */
export function evidenceOf(
  query: MeaningQuery,
  hits: { by_vector: readonly VectorHit[]; by_text: readonly TextHit[] },
  known: (id: string) => Worded | undefined,
): Evidence {
  const near = hits.by_vector
    .filter(({ id, vector }) => known(id) && vector.length === query.vector.length)
    .map((hit) => ({ ...hit, score: cosine(query.vector, hit.vector) }));
  const by_text = hits.by_text.filter(({ id }) => known(id));
  const shares = wordShares(query.text, near, by_text, known);
  const words = (id: string) => shares.get(id)!;
  const text_trust = query.by_words_alone ? 1 : Math.max(0, ...by_text.map(({ id }) => words(id).all));
  return { near, by_text, text_trust, words };
}

/** By id, in the item's fields and the section that is nearest. */
function wordShares(
  query: string,
  near: Evidence['near'],
  by_text: readonly TextHit[],
  known: (id: string) => Worded | undefined,
): Map<string, WordShares> {
  const telling = tellingTerms(query);
  const nearest = new Map<string, { heading: string; text: string }>(
    // What no vector is near to is judged by the section that has its words.
    by_text.flatMap(({ id, section }) => (section ? [[id, section]] : [])),
  );
  for (const hit of near.toSorted((a, b) => a.score - b.score)) nearest.set(hit.id, hit);
  const ids = new Set([...near, ...by_text].map(({ id }) => id));
  return new Map(
    [...ids].map((id) => {
      const { title, keywords, covers } = known(id)!;
      const section = nearest.get(id);
      const texts = [title, ...keywords, ...covers, section?.heading ?? '', section?.text ?? ''];
      return [id, coverages(telling, texts.join('\n'))];
    }),
  );
}

/** Enough of the query's words to be a match by words. */
export const sharesWords = ({ all, possible }: WordShares): boolean => all >= WORDS_FOUND || possible === 1;

/** Whether a section is of another language than the query: embedders place such texts further apart. */
export function acrossLanguages(query: string): (section: string) => boolean {
  const language = languageOf(query);
  const in_a_language = tellingTerms(query).length >= TERMS_OF_A_LANGUAGE;
  return (section) => in_a_language && languageOf(section) !== language;
}
