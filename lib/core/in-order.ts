/** The numbers from the first up to, but without, the second. */
export type Range = readonly [from: number, to: number];

/** Which of two things is meant. */
export type Which = 0 | 1;

/**
 * Merges two sorted ranges in one pass: hands over every number that is `kept`, in their common order; of two that are
 * equal the first range's comes first. `compare` is below 0 if the first range's `n` comes before the second's `m`.
 */
export function inOrder(
  ranges: readonly [Range, Range],
  kept: (which: Which, n: number) => boolean,
  compare: (n: number, m: number) => number,
  take: (which: Which, n: number) => void,
): void {
  let n = ranges[0][0];
  let m = ranges[1][0];
  const n_end = ranges[0][1];
  const m_end = ranges[1][1];
  for (;;) {
    while (n < n_end && !kept(0, n)) n += 1;
    while (m < m_end && !kept(1, m)) m += 1;
    if (n >= n_end && m >= m_end) return;
    if (m >= m_end || (n < n_end && compare(n, m) <= 0)) take(0, n++);
    else take(1, m++);
  }
}
