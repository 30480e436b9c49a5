import { isCjk } from '#lib/core/language.ts';
import { normalise } from '#lib/core/normalise.ts';

const SIZE = 64;

/** Code units of a shingle: two Han characters are a word, two letters are nothing. */
const SHINGLE = { cjk: 2, other: 4 };

/** Code units that are read; more would not change the rank of a candidate. */
const CAP = 500_000;

/** Finaliser of MurmurHash3: every bit of the input reaches every bit of the output. */
function mix(value: number): number {
  let hash = value;
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b);
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35);
  return (hash ^ (hash >>> 16)) >>> 0;
}

/**
 * The 64 smallest hashes of a text's shingles (4-grams, in CJK 2-grams), in its normalised form: unsigned 32-bit
 * values, ascending, for {@link resemblance}. A text with fewer has them all, so short texts are compared exactly.
 */
export function sketch(text: string): number[] {
  const whole = normalise(text.slice(0, CAP));
  const smallest: number[] = [];
  for (let start = 0; start === 0 || start < whole.length; start += 1) {
    const end = start + (isCjk(whole.charCodeAt(start)) ? SHINGLE.cjk : SHINGLE.other);
    // A text shorter than a shingle is one; the end of a longer one is in the shingles before.
    if (end > whole.length && start > 0) continue;
    let hash = 0x9747b28c;
    for (let at = start; at < end && at < whole.length; at += 1) {
      hash = Math.imul(hash ^ whole.charCodeAt(at), 0x01000193);
    }
    insert(smallest, mix(hash));
  }
  return smallest;
}

/** Keeps the list ascending, without doubles and no longer than {@link SIZE}. */
function insert(smallest: number[], hash: number): void {
  let at = smallest.length;
  if (at === SIZE && hash >= smallest[SIZE - 1]!) return;
  while (at > 0 && smallest[at - 1]! >= hash) at -= 1;
  if (smallest[at] === hash) return;
  smallest.splice(at, 0, hash);
  if (smallest.length > SIZE) smallest.pop();
}

/**
 * Estimated share of shingles that two texts have in common (Jaccard), 0 to 1, from their sketches: exact where both
 * have at most 64 of them together, else with an error of about 0.06.
 */
export function resemblance(a: readonly number[], b: readonly number[]): number {
  let common = 0;
  let seen = 0;
  for (let i = 0, j = 0; seen < SIZE && (i < a.length || j < b.length); seen += 1) {
    const x = a[i] ?? Number.POSITIVE_INFINITY;
    const y = b[j] ?? Number.POSITIVE_INFINITY;
    if (x === y) common += 1;
    if (x <= y) i += 1;
    if (y <= x) j += 1;
  }
  return seen === 0 ? 0 : common / seen;
}
