import type { SearchQuery } from '#lib/core/rows.ts';
import { terms } from '#lib/core/terms.ts';

/**
 * The engine allows 1,024 clauses a query, and each term is one in each of the five text fields: of a longer text the
 * first terms, each once, stand for it.
 */
const MOST_TERMS = 150;

const LIVE = { term: { live: true } };
const UNSCOPED = { bool: { must_not: { exists: { field: 'scopes' } } } };

/**
 * A vector of zeros has no direction, and nothing is near it: the engine refuses it. It computes in float32, where one
 * so short or so long that its square is lost scores NaN, before everything else.
 */
export function hasDirection(vector: readonly number[]): boolean {
  // What is not a number is for the engine to refuse.
  if (!vector.every(Number.isFinite)) return true;
  const square = vector.reduce((sum, value) => sum + value * value, 0);
  return square > 1e-30 && square < 1e30;
}

/**
 * The `k` live items nearest by task vector, of those that everyone may see who may see an item with these scopes. The
 * filter is inside the k-NN clause: it is applied before the `k` are chosen.
 */
export const nearestBody = (vector: readonly number[], k: number, scopes: readonly string[]) => ({
  size: k,
  _source: ['task_vector'],
  query: { knn: { task_vector: { vector, k, filter: { bool: { filter: [LIVE, comparable(scopes)] } } } } },
});

/** The scope rule: without scopes, or with all of the newcomer's; a newcomer for all is compared with those for all only. */
const comparable = (scopes: readonly string[]): object =>
  scopes.length === 0
    ? UNSCOPED
    : {
        bool: {
          should: [UNSCOPED, { bool: { filter: scopes.map((scope) => ({ term: { scopes: scope } })) } }],
        },
      };

/** Each item's nearest section; `k` counts items, the filter on their fields is applied before they are chosen. */
export const sectionsBody = (query: SearchQuery) => ({
  size: query.limit,
  _source: false,
  query: {
    nested: {
      path: 'sections',
      score_mode: 'max',
      query: {
        knn: {
          'sections.vector': {
            vector: query.vector,
            k: query.limit,
            filter: { bool: { filter: visible(query) } },
          },
        },
      },
      inner_hits: { size: 1, _source: ['sections.heading', 'sections.text', 'sections.vector'] },
    },
  },
});

const FIELDS = ['title^3', 'keywords^2', 'about', 'text'];

/**
 * BM25 over all texts of an item as if they were one field, in which a word of the title counts three times (as in
 * memory). Over the seven sets of `data/retrieval`: mean R@1 .699 (.701 in memory); scored field by field and added up,
 * with the best section for the text, .671. The section that has most of the words comes along, and counts nothing.
 */
export const textBody = (query: SearchQuery) => {
  const text = shortened(query.text);
  return {
    size: query.limit,
    _source: false,
    query: {
      bool: {
        filter: visible(query),
        must: { combined_fields: { query: text, fields: FIELDS } },
        should: {
          nested: {
            path: 'sections',
            score_mode: 'max',
            boost: 0,
            query: { match: { 'sections.text': text } },
            inner_hits: { size: 1, _source: ['sections.heading', 'sections.text'] },
          },
        },
      },
    },
  };
};

/** Live, of the domain asked for, and without scopes or with one of the caller's (R6.8). */
function visible({ domain, scopes }: SearchQuery): object[] {
  return [
    LIVE,
    ...(domain === undefined ? [] : [{ term: { domain } }]),
    scopes.length === 0
      ? UNSCOPED
      : { bool: { minimum_should_match: 1, should: [UNSCOPED, { terms: { scopes } }] } },
  ];
}

function shortened(text: string): string {
  const found = [...new Set(terms(text))];
  return found.length <= MOST_TERMS ? text : found.slice(0, MOST_TERMS).join(' ');
}

/** Removals a day old are taken out for good: no write from before them can still be on its way. */
export const oldRemovals = (before: number) => ({
  query: { bool: { filter: [{ term: { live: false } }, { range: { removed_at: { lt: before } } }] } },
});
