import fc from 'fast-check';
import { expect, test } from 'vitest';
import { fuse } from '#lib/core/fusion.ts';

const scores = (hits: { id: string; score: number }[]) => hits.map(({ id, score }) => [id, score]);

test('R6.3 both sides are min-max-normalised and summed by weight; missing on one side is 0', () => {
  const by_vector = [
    { id: 'a', score: 0.9 },
    { id: 'b', score: 0.7 },
    { id: 'c', score: 0.5 },
  ];
  const by_text = [
    { id: 'b', score: 12 },
    { id: 'd', score: 8 },
    { id: 'a', score: 4 },
  ];
  expect(scores(fuse(by_vector, by_text, 0.4, 100))).toEqual([
    ['b', expect.closeTo(0.4 * 0.5 + 0.6, 10)],
    ['a', 0.4],
    ['d', expect.closeTo(0.3, 10)],
    ['c', 0],
  ]);
});

test('R6.3 a side with one hit, or with equal scores, gives 1 to each', () => {
  expect(scores(fuse([{ id: 'a', score: -0.2 }], [], 0.4, 100))).toEqual([['a', 0.4]]);
  const equal = [
    { id: 'b', score: 3 },
    { id: 'a', score: 3 },
  ];
  expect(scores(fuse([], equal, 0.4, 100))).toEqual([
    ['a', 0.6],
    ['b', 0.6],
  ]);
});

test('R6.3 an item counts by its best section, which is kept', () => {
  const sections = [
    { id: 'a', score: 0.2, section: 0 },
    { id: 'b', score: 0.4, section: 0 },
    { id: 'a', score: 0.8, section: 3 },
  ];
  expect(fuse(sections, [{ id: 'c', score: 1 }], 0.4, 100)).toEqual([
    { id: 'c', score: 0.6, vector: undefined },
    { id: 'a', score: 0.4, vector: { id: 'a', score: 0.8, section: 3 } },
    { id: 'b', score: 0, vector: { id: 'b', score: 0.4, section: 0 } },
  ]);
});

test('R6.3 only the best of each side, items and not sections, are fused', () => {
  const sections = [
    { id: 'a', score: 0.9 },
    { id: 'a', score: 0.8 },
    { id: 'b', score: 0.7 },
    { id: 'c', score: 0.1 },
  ];
  expect(scores(fuse(sections, [], 0.4, 2))).toEqual([
    ['a', 0.4],
    ['b', 0],
  ]);
});

test('R6.3 no hits, no ranking', () => {
  expect(fuse([], [], 0.4, 100)).toEqual([]);
});

const hits = fc.array(
  fc.record({
    id: fc.constantFrom('a', 'b', 'c', 'd', 'e'),
    score: fc.double({ min: -1, max: 50, noNaN: true }),
  }),
);

test('R6.3 the ranking does not depend on the order of the hits, and scores lie in [0, 1]', () => {
  fc.assert(
    fc.property(hits, hits, fc.double({ min: 0, max: 1, noNaN: true }), (by_vector, by_text, weight) => {
      const fused = scores(fuse(by_vector, by_text, weight, 100));
      expect(scores(fuse(by_vector.toReversed(), by_text.toReversed(), weight, 100))).toEqual(fused);
      for (const [, score] of fused) {
        expect(score).toBeGreaterThanOrEqual(0);
        expect(score).toBeLessThanOrEqual(1 + 1e-12);
      }
    }),
  );
});

const weight = fc.double({ min: 0, max: 1, noNaN: true });
const scoreOf = (fused: { id: string; score: number }[], id: string) =>
  fused.find((hit) => hit.id === id)?.score;

test('R6.3 the text side counts by what it can know of the query', () => {
  const by_vector = [
    { id: 'a', score: 0.9 },
    { id: 'b', score: 0.5 },
  ];
  const by_text = [
    { id: 'b', score: 7 },
    { id: 'a', score: 3 },
  ];
  expect(scores(fuse(by_vector, by_text, 0.4, 100, 0.5))).toEqual([
    ['a', 0.4],
    ['b', 0.3],
  ]);
});

test('R6.3 without trust the order is the vectors’, and less trust never lifts an item', () => {
  fc.assert(
    fc.property(hits, hits, weight, weight, weight, (by_vector, by_text, w, x, y) => {
      const blind = fuse(by_vector, by_text, w, 100, 0);
      const alone = fuse(by_vector, [], w, 100);
      for (const { id, score } of alone) expect(scoreOf(blind, id)).toBe(score);
      const [less, more] = [Math.min(x, y), Math.max(x, y)].map((trust) =>
        fuse(by_vector, by_text, w, 100, trust),
      );
      for (const { id, score } of more!) expect(scoreOf(less!, id)).toBeLessThanOrEqual(score);
    }),
  );
});

test('R6.3 an item that is better on both sides is never behind', () => {
  fc.assert(
    fc.property(hits, hits, weight, weight, (by_vector, by_text, w, trust) => {
      const best = { id: 'best', score: 51 };
      const [first] = fuse([...by_vector, best], [...by_text, best], w, 100, trust);
      expect(first!.score).toBeCloseTo(w + (1 - w) * trust, 10);
      expect(scoreOf(fuse([...by_vector, best], [...by_text, best], w, 100, trust), 'best')).toBe(
        first!.score,
      );
    }),
  );
});
