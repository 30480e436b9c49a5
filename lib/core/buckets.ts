import { sha256 } from '#lib/core/normalise.ts';

/** Items that one model call summarises; in a large domain, the mean of its parts (R5.2). */
const ITEMS_A_CALL = 60;
/** Above this many parts their summaries no longer fit one merging call: the parts grow instead. */
const MOST_BUCKETS = 256;

/** Into how many parts a domain of `items` items is divided; 1 = one call writes all of it. */
export const bucketCount = (items: number): number =>
  Math.min(MOST_BUCKETS, Math.max(1, Math.ceil(items / ITEMS_A_CALL)));

/**
 * The part that an item belongs to, by linear hashing: when the count grows by one, one part is split and every other
 * item stays where it is. Doubling instead would, at one document too many, summarise the whole domain again.
 */
export function bucketOf(id: string, buckets: number): number {
  const half = 2 ** Math.floor(Math.log2(buckets));
  const hash = Number.parseInt(sha256(id).slice(0, 8), 16);
  const bucket = hash % (half * 2);
  return bucket < buckets ? bucket : bucket - half;
}

/** The parts of a domain, each in id order: the same items give the same parts, whatever order they came in. */
export function bucketsOf<Item extends { id: string }>(items: readonly Item[]): Item[][] {
  const buckets: Item[][] = Array.from({ length: bucketCount(items.length) }, () => []);
  const ordered = items.toSorted((a, b) => (a.id < b.id ? -1 : 1));
  for (const item of ordered) buckets[bucketOf(item.id, buckets.length)]!.push(item);
  return buckets;
}
