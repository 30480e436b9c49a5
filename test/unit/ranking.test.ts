import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { type Comparable, cosine, rankCandidates } from '#lib/core/ranking.ts';
import { sketch } from '#lib/core/sketch.ts';

const comparable = (id: string, vector: number[], text = ''): Comparable => ({
  id,
  vector,
  sketch: sketch(text),
});
const ranked = (me: Comparable, candidates: Comparable[], floor = 0.75, limit = 10) =>
  rankCandidates(me, candidates, floor, limit).map(({ id }) => id);
const degrees = (angle: number) => [Math.cos((angle * Math.PI) / 180), Math.sin((angle * Math.PI) / 180)];

test('R4.1 cosine compares directions: one for the same, none across, and none with nothing', () => {
  expect(cosine([3, 4], [3, 4])).toBeCloseTo(1);
  expect(cosine([3, 4], [6, 8])).toBeCloseTo(1);
  expect(cosine([1, 0], [0, 1])).toBe(0);
  expect(cosine([1, 0], [-2, 0])).toBe(-1);
  expect(cosine([0, 0], [1, 1])).toBe(0);
  expect(cosine(degrees(0), degrees(60))).toBeCloseTo(0.5);
});

test('R4.1 cosine is symmetric and never beyond one', () => {
  const Vector = fc.array(fc.integer({ min: -99, max: 99 }), { minLength: 3, maxLength: 3 });
  fc.assert(
    fc.property(Vector, Vector, (a, b) => {
      expect(cosine(a, b)).toBe(cosine(b, a));
      expect(Math.abs(cosine(a, b))).toBeLessThanOrEqual(1 + 1e-9);
    }),
  );
});

test('R4.1 candidates below the floor are dropped, the nearest task comes first', () => {
  const me = comparable('me', degrees(0));
  const far = comparable('far', degrees(45));
  const near = comparable('near', degrees(10));
  const nearer = comparable('nearer', degrees(5));
  expect(ranked(me, [far, near, nearer])).toEqual(['nearer', 'near']);
  expect(ranked(me, [far, near, nearer], 0.5)).toEqual(['nearer', 'near', 'far']);
  expect(ranked(me, [])).toEqual([]);
});

test('R4.1 a candidate at the floor stays, also when float32 has rounded it to just below', () => {
  const me = comparable('me', [1, 0]);
  const at = (cos: number) => comparable('edge', [cos, Math.sqrt(1 - cos * cos)]);
  expect(ranked(me, [at(0.75)])).toEqual(['edge']);
  expect(ranked(me, [at(0.75 - 5e-7)])).toEqual(['edge']);
  expect(ranked(me, [at(0.75 - 5e-6)])).toEqual([]);
});

test('R4.1 among equal tasks the content decides, then the id, and the list is cut', () => {
  const me = comparable('me', [1, 0], 'Run of Monday: 41.2 MB/s, p95 12 ms.');
  const sibling = (id: string, text: string) => comparable(id, [1, 0], text);
  const twin = sibling('twin', 'Run of Monday: 41.2 MB/s, p95 12 ms');
  const others = ['d', 'b', 'c', 'a'].map((id) => sibling(id, 'Nothing of the kind'));
  expect(ranked(me, [...others, twin])).toEqual(['twin', 'a', 'b', 'c', 'd']);
  expect(ranked(me, [...others, twin], 0.75, 2)).toEqual(['twin', 'a']);
});

test('R4.1 task and content count together: the same words under another task come after the same task', () => {
  const words = 'Check ERR_TIMEOUT in the log of the gateway first.';
  const me = comparable('me', degrees(0), words);
  const same_words = comparable('same words', degrees(41), words);
  const same_task = comparable('same task', degrees(0), 'Restart the database pool, which may be used up.');
  const both = comparable('both', degrees(1), words);
  expect(ranked(me, [same_task, same_words, both])[0]).toBe('both');
  expect(ranked(me, [same_task, same_words, both]).toSorted()).toEqual(['both', 'same task', 'same words']);
});

test('R4.1 A20 a reworded twin is among the ten of 50 siblings of one task', () => {
  const run = (n: number) =>
    `Run ${n}: ${(40 + n / 7).toFixed(2)} MB/s, p95 ${10 + (n % 9)} ms, ${n * 37} files.`;
  const siblings = Array.from({ length: 50 }, (_, n) => comparable(`sibling ${n}`, [1, 0], run(n)));
  const me = comparable('me', [1, 0], run(17).replace('files', 'source files'));
  expect(ranked(me, siblings)).toHaveLength(10);
  expect(ranked(me, siblings)[0]).toBe('sibling 17');
});

const WORDS = [
  ...'anvil bellows crucible drill engine flange gearbox hopper injector joint kiln lathe'.split(' '),
  ...'网关 超时 连接池 重启 日志 回调 扣款 退款 缓存 队列 主从 切换'.split(' '),
];
const Sentence = fc
  .array(fc.constantFrom(...WORDS), { minLength: 6, maxLength: 10 })
  .map((words) => `${words.join(' ')}.`);
/** 50 contents of one task, which share their words. */
const Contents = (sentences: { minLength: number; maxLength: number }) =>
  fc.uniqueArray(
    fc.array(Sentence, sentences).map((lines) => lines.join('\n\n')),
    { minLength: 50, maxLength: 50 },
  );

test.each([
  ['entries', { minLength: 2, maxLength: 3 }, 20],
  ['long documents', { minLength: 150, maxLength: 200 }, 3],
] as const)(
  'R4.1 A20 among 50 siblings of one task, the reworded twin is among the ten: %s',
  (_, sentences, numRuns) => {
    fc.assert(
      fc.property(
        Contents(sentences),
        fc.nat(49),
        Sentence,
        fc.boolean(),
        (contents, n, sentence, in_front) => {
          const siblings = contents.map((text, at) => comparable(`sibling ${at}`, [1, 0], text));
          const twin = contents[n]!;
          const reworded = in_front ? `${sentence}\n\n${twin}` : `${twin}\n\n${sentence}`;
          const chosen = ranked(comparable('me', [1, 0], reworded), siblings);
          expect(chosen).toHaveLength(10);
          expect(chosen).toContain(`sibling ${n}`);
        },
      ),
      // Nothing would be shown by shrinking, and a broken rank would be shrunk for minutes.
      { numRuns, endOnFailure: true },
    );
  },
);

test('R4.1 short Chinese texts are told apart by words of two characters', () => {
  const me = comparable('me', [1, 0], '四河委员会与奥杜邦委员会合并');
  const same_words = comparable('same words', [1, 0], '合并四河和奥杜邦两个委员会');
  const others = Array.from({ length: 20 }, (_, n) =>
    comparable(`other ${n}`, [1, 0], `第${n}次会议讨论了预算`),
  );
  expect(ranked(me, [...others, same_words])[0]).toBe('same words');
});

test('R4.1 ranking depends on the set of candidates, not on its order', () => {
  const Candidates = fc.uniqueArray(
    fc.record({
      id: fc.string({ minLength: 1, maxLength: 3 }),
      angle: fc.integer({ min: 0, max: 60 }),
      text: fc.string(),
    }),
    { selector: ({ id }) => id, maxLength: 15 },
  );
  fc.assert(
    fc.property(Candidates, fc.integer({ min: 1, max: 5 }), (candidates, limit) => {
      const all = candidates.map(({ id, angle, text }) => comparable(id, degrees(angle), text));
      const me = comparable('me', degrees(0), 'some text');
      expect(ranked(me, all.toReversed(), 0.75, limit)).toEqual(ranked(me, all, 0.75, limit));
      expect(ranked(me, all, 0.75, limit)).toEqual(ranked(me, all, 0.75, 15).slice(0, limit));
    }),
  );
});
