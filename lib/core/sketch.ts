import { normalise } from '#lib/core/normalise.ts';

const SIZE = 64;
const SHINGLE = 4;
const EMPTY = 0xffffffff;

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
 * MinHash of a text: 64 unsigned 32-bit values over the 4-grams of its normalised form, for {@link resemblance}.
 * One permutation: each shingle is hashed once and competes in the bin that its hash names, so a text costs the same
 * for 64 values as for one.
 */
export function sketch(text: string): number[] {
  const shingles = normalise(text.slice(0, CAP));
  const bins = new Array<number>(SIZE).fill(EMPTY);
  const last = Math.max(shingles.length - SHINGLE, 0);
  for (let start = 0; start <= last && shingles.length > 0; start += 1) {
    let hash = 0x9747b28c;
    for (let offset = start; offset < start + SHINGLE && offset < shingles.length; offset += 1) {
      hash = Math.imul(hash ^ shingles.charCodeAt(offset), 0x01000193);
    }
    hash = mix(hash);
    const bin = hash & (SIZE - 1);
    if (hash < (bins[bin] ?? EMPTY)) bins[bin] = hash;
  }
  return fillEmpty(bins);
}

/**
 * Short texts leave bins empty. Each borrows from a full one that depends on nothing but its own number, so that two
 * texts borrow alike (optimal densification, Shrivastava 2017).
 */
function fillEmpty(bins: readonly number[]): number[] {
  if (bins.every((value) => value === EMPTY)) return [...bins];
  return bins.map((value, bin) => {
    let found = value;
    for (let attempt = 1; found === EMPTY; attempt += 1) {
      found = bins[mix(bin * 0x10001 + attempt) & (SIZE - 1)] ?? EMPTY;
    }
    return found;
  });
}

/** Estimated share of 4-grams that two texts have in common (Jaccard), 0 to 1, from their sketches; the error is about 0.06. */
export function resemblance(a: readonly number[], b: readonly number[]): number {
  if (a.length === 0 || a.length !== b.length) return 0;
  return a.filter((value, at) => value === b[at]).length / a.length;
}
