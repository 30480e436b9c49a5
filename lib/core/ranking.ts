import { resemblance } from '#lib/core/sketch.ts';

/** Cosine of two vectors of one length; 0 where one of them is all zeros. */
export function cosine(a: readonly number[], b: readonly number[]): number {
  let dot = 0;
  let aa = 0;
  let bb = 0;
  for (let i = 0; i < a.length; i++) {
    const x = a[i]!;
    const y = b[i]!;
    dot += x * y;
    aa += x * x;
    bb += y * y;
  }
  return aa === 0 || bb === 0 ? 0 : dot / Math.sqrt(aa * bb);
}

export interface Comparable {
  id: string;
  vector: readonly number[];
  sketch: readonly number[];
}

/** A cosine this close below the floor counts as at it: float32 rounding must not decide. */
const ROUNDING = 1e-6;

/** Whether tasks with this cosine are near enough for the judge (R4.1). */
export const reaches = (cosine: number, floor: number): boolean => cosine >= floor - ROUNDING;

/**
 * The candidates that the judge sees (R4.1): those whose task's cosine is at least `floor`, by task and content
 * together, so that the true twin is among the first `limit` even with 50 siblings of one task; ties by id.
 */
export function rankCandidates<C extends Comparable>(
  me: Comparable,
  candidates: readonly C[],
  floor: number,
  limit: number,
): C[] {
  return candidates
    .map((candidate) => ({ candidate, task: cosine(me.vector, candidate.vector) }))
    .filter(({ task }) => reaches(task, floor))
    .map(({ candidate, task }) => ({ candidate, rank: task + resemblance(me.sketch, candidate.sketch) }))
    .sort((a, b) => b.rank - a.rank || (a.candidate.id < b.candidate.id ? -1 : 1))
    .slice(0, limit)
    .map(({ candidate }) => candidate);
}
