/** One hit of a side; the higher the score, the better. */
export interface Scored {
  id: string;
  score: number;
}

/** `vector`: the item's best hit of the vector side, if that side found it. `score` in [0, 1]. */
export interface FusedHit<VectorScored extends Scored> extends Scored {
  vector: VectorScored | undefined;
}

/**
 * Fuses both sides of L1 into one ranking (design, section 3): the sum of their min-max-normalised scores, over the
 * `depth` best items of each; `weight` is the vector side's, the text side has the rest of 1, times `text_trust` in
 * [0, 1]: how much it can know of this query. An item counts by its best hit, one that a side did not find has 0 there,
 * and a side whose scores are all equal gives 1 to each. Ties by id.
 */
export function fuse<VectorScored extends Scored>(
  by_vector: readonly VectorScored[],
  by_text: readonly Scored[],
  weight: number,
  depth: number,
  text_trust = 1,
): FusedHit<VectorScored>[] {
  const vectors = bestById(by_vector).slice(0, depth);
  const texts = bestById(by_text).slice(0, depth);
  const vector_scores = normalised(vectors);
  const text_scores = normalised(texts);
  const hits = new Map(vectors.map((hit) => [hit.id, hit]));
  return [...new Set([...hits.keys(), ...text_scores.keys()])]
    .map((id) => ({
      id,
      score: weight * (vector_scores.get(id) ?? 0) + (1 - weight) * text_trust * (text_scores.get(id) ?? 0),
      vector: hits.get(id),
    }))
    .sort(bestFirst);
}

const bestFirst = (a: Scored, b: Scored): number => b.score - a.score || (a.id < b.id ? -1 : 1);

function bestById<Hit extends Scored>(hits: readonly Hit[]): Hit[] {
  const best = new Map<string, Hit>();
  for (const hit of hits) {
    const known = best.get(hit.id);
    if (!known || hit.score > known.score) best.set(hit.id, hit);
  }
  return [...best.values()].sort(bestFirst);
}

function normalised(sorted: readonly Scored[]): Map<string, number> {
  const top = sorted[0]?.score ?? 0;
  const range = top - (sorted.at(-1)?.score ?? 0);
  return new Map(sorted.map(({ id, score }) => [id, range > 0 ? 1 - (top - score) / range : 1]));
}
