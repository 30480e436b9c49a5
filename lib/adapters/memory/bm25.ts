import type { TextHit } from '#lib/core/rows.ts';
import { terms } from '#lib/core/terms.ts';

const K1 = 1.2;
const B = 0.75;

/** What OpenSearch's `cjk` analyzer leaves out: Lucene's English stop words, and letters that full-width text is full of. */
const STOP_WORDS: ReadonlySet<string> = new Set(
  `a and are as at be but by for if in into is it no not of on or s such t that the their then there these they this to
  was will with www`.split(/\s+/),
);

export const searchable = (text: string): string[] => terms(text).filter((term) => !STOP_WORDS.has(term));

/** Texts of one document and how much a term in them counts. */
export type WeightedText = readonly [text: string, weight: number];

export interface TextIndex {
  put(id: string, texts: readonly WeightedText[]): void;
  remove(id: string): void;
  /** The best `limit` accepted documents, best first, equal scores by id. */
  search(text: string, accepts: (id: string) => boolean, limit: number): TextHit[];
  /** How much each of a query's terms tells, by how few documents have it; those that none has are left out. */
  rarities(text: string): ReadonlyMap<string, number>;
}

/** BM25 over inverted postings (k1 1.2, b 0.75; lower-cased words without stop words, and CJK bigrams). */
export function createTextIndex(): TextIndex {
  const postings = new Map<string, Map<string, number>>();
  const documents = new Map<string, { length: number; terms: string[] }>();
  let total = 0;

  const remove = (id: string) => {
    const document = documents.get(id);
    if (!document) return;
    documents.delete(id);
    total -= document.length;
    for (const term of document.terms) {
      const posting = postings.get(term)!;
      posting.delete(id);
      if (posting.size === 0) postings.delete(term);
    }
  };

  const rarities = (text: string) => {
    const found = new Map<string, number>();
    for (const term of searchable(text)) {
      const size = postings.get(term)?.size;
      if (size !== undefined) found.set(term, Math.log(1 + (documents.size - size + 0.5) / (size + 0.5)));
    }
    return found;
  };

  return {
    remove,
    rarities,
    put(id, texts) {
      remove(id);
      const frequencies = new Map<string, number>();
      let length = 0;
      for (const [text, weight] of texts) {
        for (const term of searchable(text)) {
          frequencies.set(term, (frequencies.get(term) ?? 0) + weight);
          length += weight;
        }
      }
      for (const [term, frequency] of frequencies) {
        const posting = postings.get(term) ?? new Map<string, number>();
        postings.set(term, posting.set(id, frequency));
      }
      documents.set(id, { length, terms: [...frequencies.keys()] });
      total += length;
    },
    search(text, accepts, limit) {
      const average = total / Math.max(1, documents.size);
      const scores = new Map<string, number>();
      for (const [term, rarity] of rarities(text)) {
        for (const [id, frequency] of postings.get(term)!) {
          const damping = K1 * (1 - B + (B * documents.get(id)!.length) / average);
          const gain = (rarity * frequency * (K1 + 1)) / (frequency + damping);
          scores.set(id, (scores.get(id) ?? 0) + gain);
        }
      }
      return [...scores]
        .filter(([id]) => accepts(id))
        .sort(([a, x], [b, y]) => y - x || (a < b ? -1 : 1))
        .slice(0, limit)
        .map(([id, score]) => ({ id, score }));
    },
  };
}
