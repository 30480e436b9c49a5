import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { bucketCount, bucketOf, bucketsOf } from '#lib/core/buckets.ts';

const items = (count: number) =>
  Array.from({ length: count }, (_, n) => ({
    id: `knowledge-20260101-000000-${n.toString(16).padStart(8, '0')}`,
  }));

const changed = (before: { id: string }[][], after: { id: string }[][]) =>
  after.filter((bucket, n) => JSON.stringify(bucket) !== JSON.stringify(before[n])).length;

test('R5.2 up to 60 items are one part, more of them are parts of 60 on average', () => {
  expect([0, 1, 60, 61, 100, 121, 5000].map(bucketCount)).toEqual([1, 1, 1, 2, 2, 3, 84]);
});

test('R5.2 the number of parts is bounded: their summaries fit one merging call', () => {
  expect(bucketCount(100_000)).toBe(256);
});

test('R5.1 one more item changes one part, and where the count grows the part that is split besides', () => {
  for (let count = 1; count < 400; count += 1) {
    const grows = bucketCount(count + 1) > bucketCount(count);
    const parts = changed(bucketsOf(items(count)), bucketsOf(items(count + 1)));
    expect(parts).toBeLessThanOrEqual(grows ? 3 : 1);
  }
});

test('R5.1 an item stays in its part, or moves to the one that was added', () => {
  fc.assert(
    fc.property(fc.string(), fc.integer({ min: 1, max: 400 }), (id, buckets) => {
      const before = bucketOf(id, buckets);
      expect(before).toBeGreaterThanOrEqual(0);
      expect(before).toBeLessThan(buckets);
      expect([before, buckets]).toContain(bucketOf(id, buckets + 1));
    }),
  );
});

test('R5.1 the same items make the same parts in whatever order they come, and each is in exactly one', () => {
  const all = items(300);
  const parts = bucketsOf(all);
  expect(bucketsOf(all.toReversed())).toEqual(parts);
  expect(parts.flat().toSorted((a, b) => (a.id < b.id ? -1 : 1))).toEqual(all);
  expect(Math.max(...parts.map((part) => part.length))).toBeLessThan(120);
});
