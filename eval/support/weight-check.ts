import { DAMPINGS, fusedKey, type Ranks, type SetRanks, summaryOf, WEIGHTS } from './retrieval-measure.ts';

/** A way to fuse: how much the vectors count, and whether BM25 counts by what the words can tell. */
export interface Fusion {
  damping: (typeof DAMPINGS)[number];
  weight: number;
}

export interface LeftOut {
  set: string;
  /** The best on the other sets, and what it gives on this one. */
  chosen: Fusion;
  r1: number;
  /** The best that any fusion gives on this one. */
  best: number;
}

const FUSIONS: readonly Fusion[] = DAMPINGS.flatMap((damping) =>
  WEIGHTS.map((weight) => ({ damping, weight })),
);

type Measured = readonly { name: string; fused: SetRanks['fused'] }[];

/** Mean R@1 over the sets, without a relevance floor. */
export function meanOf(sets: Measured, { damping, weight }: Fusion): number {
  const ranks = (set: Measured[number]): Ranks => set.fused.get(fusedKey(damping, weight)) ?? [];
  return sets.reduce((sum, set) => sum + summaryOf(ranks(set)).r1, 0) / Math.max(1, sets.length);
}

const bestOn = (sets: Measured): Fusion =>
  FUSIONS.reduce((best, fusion) => (meanOf(sets, fusion) > meanOf(sets, best) ? fusion : best));

/** Each set with the fusion that is best on the others: what a choice made on some sets is worth on one unseen. */
export const leaveOneOut = (sets: Measured): LeftOut[] =>
  sets.map((set) => {
    const chosen = bestOn(sets.filter((other) => other !== set));
    return { set: set.name, chosen, r1: meanOf([set], chosen), best: meanOf([set], bestOn([set])) };
  });
