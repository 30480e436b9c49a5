import { fuse } from '#lib/core/fusion.ts';
import { acrossLanguages, evidenceOf, sharesWords } from '#lib/core/lookup-evidence.ts';
import { lookup } from '#lib/usecases/lookup.ts';
import type { Running } from './measure-cosines.ts';
import type { RetrievalQuery, RetrievalSet } from './retrieval-sets.ts';
import type { RetrievalWorld } from './retrieval-world.ts';
import { stillWanted } from './still-wanted.ts';

export const WEIGHTS = [0, 0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 1] as const;
export const DAMPINGS = ['by words', 'none'] as const;

/** Ranks of the first right document, from 1; 0 = not among the first ten. One number a query. */
export type Ranks = number[];

/** What speaks for an answer: the best cosines of its hits by language, and whether one shares the words. */
export interface Support {
  same: number;
  across: number;
  by_words: boolean;
}

export interface SetRanks {
  shipped: Ranks;
  bm25: Ranks;
  vectors: Ranks;
  /** By `${damping} ${weight}`: fused without a relevance floor. */
  fused: Map<string, Ranks>;
  /** Of the queries whose right document comes first without a floor; else `undefined`. */
  first: (Support | undefined)[];
}

export const fusedKey = (damping: (typeof DAMPINGS)[number], weight: number): string =>
  `${damping} ${weight}`;

const TOP = 10;
const CALLER = { principal: 'evaluation', scopes: [] };

export interface Summary {
  r1: number;
  r5: number;
  mrr: number;
}

/** R@1, R@5 and MRR@10: a query counts as found where one of its right documents is. */
export function summaryOf(ranks: Ranks): Summary {
  const share = (counts: (rank: number) => number) =>
    ranks.reduce((sum, rank) => sum + (rank === 0 ? 0 : counts(rank)), 0) / Math.max(1, ranks.length);
  return {
    r1: share((rank) => (rank === 1 ? 1 : 0)),
    r5: share((rank) => (rank <= 5 ? 1 : 0)),
    mrr: share((rank) => 1 / rank),
  };
}

/** Rank of the first right one among the first ten of `ids`, 0 without. */
export function rankOf(ids: readonly string[], right: ReadonlySet<string>): number {
  return ids.slice(0, TOP).findIndex((id) => right.has(id)) + 1;
}

/** Ranks by the product's own lookup, without a session, so that nothing is held back. */
export async function shippedRanks(
  world: RetrievalWorld,
  set: RetrievalSet,
  running: Running,
): Promise<Ranks> {
  const ranks: Ranks = [];
  for (const { text, right } of set.queries) {
    await stillWanted(running.signal);
    running.tell(`${set.name}: ${ranks.length}/${set.queries.length} lookups`);
    const { documents } = await lookup(world.instance)(CALLER, { query: text });
    const ids = documents.map(({ id }) => world.original.get(id)!);
    ranks.push(rankOf(ids, right));
  }
  return ranks;
}

/** Ranks by each side of L1 alone, and by their fusion with every weight. */
export async function sideRanks(
  world: RetrievalWorld,
  set: RetrievalSet,
  running: Running,
): Promise<Omit<SetRanks, 'shipped'>> {
  const ranks: Omit<SetRanks, 'shipped'> = { bm25: [], vectors: [], fused: new Map(), first: [] };
  const { vector_weight, search_depth } = world.instance.settings;
  for (const query of set.queries) {
    await stillWanted(running.signal);
    running.tell(`${set.name}: ${ranks.bm25.length}/${set.queries.length} searches`);
    const found = await evidenceFor(world, query);
    const ids = (hits: readonly { id: string }[]) => hits.map(({ id }) => world.original.get(id)!);
    ranks.bm25.push(rankOf(ids(found.by_text), query.right));
    ranks.vectors.push(rankOf(ids(found.near.toSorted((a, b) => b.score - a.score)), query.right));
    for (const damping of DAMPINGS)
      for (const weight of WEIGHTS) {
        const trust = damping === 'none' ? 1 : found.text_trust;
        const fused = fuse(found.near, found.by_text, weight, search_depth, trust);
        const key = fusedKey(damping, weight);
        const known = ranks.fused.get(key) ?? [];
        ranks.fused.set(key, known);
        known.push(rankOf(ids(fused), query.right));
      }
    const [best] = fuse(found.near, found.by_text, vector_weight, search_depth, trustOf(world, found));
    const right = best && query.right.has(world.original.get(best.id)!);
    ranks.first.push(right ? supportOf(found, query) : undefined);
  }
  return ranks;
}

type Found = Awaited<ReturnType<typeof evidenceFor>>;

/** How much the words count in the fusion, as the product has it. */
export const trustOf = ({ instance }: RetrievalWorld, { text_trust }: Found): number =>
  instance.model.embedder.stand_in ? 1 : text_trust;

/** What speaks for the hits; its trust in the words is that of an embedder which sees meanings. */
export async function evidenceFor({ instance, physical }: RetrievalWorld, { text }: RetrievalQuery) {
  const [vector] = await instance.model.embed([text], 'query');
  const hits = await instance.index.search(physical, {
    ...{ vector: vector!, text, scopes: [], limit: instance.settings.search_depth },
  });
  const known = (id: string) => instance.catalog.fold.items.get(id)?.live;
  return evidenceOf({ text, vector: vector!, by_words_alone: false }, hits, known);
}

function supportOf(found: Found, { text }: RetrievalQuery): Support {
  const isAcross = acrossLanguages(text);
  const best = { same: -1, across: -1 };
  for (const hit of found.near) {
    const side = isAcross(hit.text) ? 'across' : 'same';
    best[side] = Math.max(best[side], hit.score);
  }
  const ids = [...found.near, ...found.by_text].map(({ id }) => id);
  return { ...best, by_words: ids.some((id) => sharesWords(found.words(id))) };
}

/** What speaks for answers to queries that these documents cannot answer. */
export async function foreignSupport(
  world: RetrievalWorld,
  queries: readonly RetrievalQuery[],
  running: Running,
): Promise<Support[]> {
  const served: Support[] = [];
  for (const query of queries) {
    await stillWanted(running.signal);
    running.tell(`unanswerable questions: ${served.length}/${queries.length}`);
    served.push(supportOf(await evidenceFor(world, query), query));
  }
  return served;
}
