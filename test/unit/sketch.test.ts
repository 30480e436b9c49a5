import { readFileSync } from 'node:fs';
import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { normalise } from '#lib/core/normalise.ts';
import { resemblance, sketch } from '#lib/core/sketch.ts';
import { cpuMs } from '#test/support/cpu-ms.ts';

const word = fc.string({
  unit: fc.constantFrom(...'abcdefghijklmnopqrstuvwxyz支付超时排查锁库'),
  minLength: 3,
  maxLength: 9,
});
const longText = fc.array(word, { minLength: 150, maxLength: 250 });

/** Shingles as they are meant: two characters of CJK, four of all else; a shorter text is one. */
const shinglesOf = (text: string): Set<string> => {
  const whole = normalise(text);
  const starts = Array.from({ length: whole.length }, (_, start) => {
    const size = /\p{Script=Han}/u.test(whole[start]!) ? 2 : 4;
    return { start, end: start + size };
  });
  return new Set(
    starts
      .filter(({ start, end }) => start === 0 || end <= whole.length)
      .map(({ start, end }) => whole.slice(start, end)),
  );
};

/** The share of shingles in common, counted. */
function jaccard(a: string, b: string): number {
  const [left, right] = [shinglesOf(a), shinglesOf(b)];
  return left.intersection(right).size / left.union(right).size;
}

test('R4.1 a sketch is at most 64 unsigned 32-bit values, ascending, the same at every call', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary', maxLength: 300 }), (text) => {
      const values = sketch(text);
      expect(values.length).toBeGreaterThan(0);
      expect(values.length).toBeLessThanOrEqual(64);
      expect(values).toEqual([...new Set(values)].sort((a, b) => a - b));
      expect(values.every((value) => Number.isInteger(value) && value >= 0 && value < 2 ** 32)).toBe(true);
      expect(sketch(text)).toEqual(values);
    }),
  );
  expect(sketch('x'.repeat(300))).toHaveLength(1);
  expect(sketch('支付支付支付')).toHaveLength(2);
  expect(sketch(Array.from({ length: 300 }, (_, n) => `${n} `).join(''))).toHaveLength(64);
});

test('R4.1 the resemblance of short texts is the counted share, not an estimate', () => {
  const short = fc.array(word, { minLength: 1, maxLength: 4 }).map((words) => words.join(' ').slice(0, 35));
  fc.assert(
    fc.property(short, short, fc.nat(20), (one, other, at) => {
      const mixed = one.slice(0, at) + other.slice(at, 30);
      expect(resemblance(sketch(one), sketch(mixed))).toBeCloseTo(jaccard(one, mixed), 10);
    }),
  );
});

test('R4.1 texts that are identical after normalisation resemble each other fully', () => {
  fc.assert(
    fc.property(longText, (words) => {
      expect(resemblance(sketch(words.join(' ')), sketch(words.join('\n  ').toUpperCase()))).toBe(1);
    }),
  );
  expect(resemblance(sketch(''), sketch(' '))).toBe(1);
  expect(resemblance(sketch('锁'), sketch('锁 '))).toBe(1);
});

test('R4.1 long texts that differ by a sentence resemble each other, wherever it stands', () => {
  fc.assert(
    fc.property(longText, fc.array(word, { minLength: 1, maxLength: 8 }), fc.nat(150), (words, added, at) => {
      expect(
        resemblance(sketch(words.join(' ')), sketch(words.toSpliced(at, 2, ...added).join(' '))),
      ).toBeGreaterThan(0.5);
    }),
  );
});

test('R4.1 unrelated texts do not resemble each other', () => {
  fc.assert(
    fc.property(longText, longText, (one, other) => {
      fc.pre(jaccard(one.join(' '), other.join(' ')) < 0.05);
      expect(resemblance(sketch(one.join(' ')), sketch(other.join(' ')))).toBeLessThan(0.2);
    }),
  );
  expect(resemblance(sketch('锁'), sketch('网关'))).toBe(0);
  expect(resemblance(sketch(''), sketch('网关超时'))).toBe(0);
});

test('R4.1 the estimate lies near the counted share', () => {
  const root = '../shared/data/markdown/MicrosoftDocs+PowerShell-Docs/reference';
  const read = (file: string) => readFileSync(`${root}/${file}`, 'utf8');
  const pairs = [
    ['5.1/Microsoft.PowerShell.Management/Copy-Item.md', '7.7/Microsoft.PowerShell.Management/Set-Item.md'],
    ['5.1/Microsoft.PowerShell.Core/ForEach-Object.md', '5.1/Microsoft.PowerShell.Management/Copy-Item.md'],
  ];
  for (const [one = '', other = ''] of pairs) {
    const [a, b] = [read(one), read(other)];
    expect(Math.abs(resemblance(sketch(a), sketch(b)) - jaccard(a, b))).toBeLessThan(0.2);
    const half = a.slice(0, a.length / 2);
    expect(Math.abs(resemblance(sketch(a), sketch(half)) - jaccard(a, half))).toBeLessThan(0.2);
  }
});

test('R4.1 of two sketches the 64 smallest values of both together count', () => {
  expect(resemblance([], [])).toBe(0);
  expect(resemblance([1], [])).toBe(0);
  expect(resemblance([1, 2], [1])).toBe(0.5);
  expect(resemblance([1, 2], [1, 3])).toBe(1 / 3);
  expect(resemblance([1, 5, 9], [2, 5, 9])).toBe(0.5);
  const even = Array.from({ length: 64 }, (_, n) => 2 * n);
  const all = Array.from({ length: 64 }, (_, n) => n);
  expect(resemblance(even, all)).toBe(0.5);
});

test('R4.1 100 KB are sketched within 20 ms', () => {
  const text = Array.from({ length: 17_000 }, (_, n) => `词${n * 7919} `)
    .join('')
    .slice(0, 100_000);
  const times = Array.from({ length: 8 }, () => cpuMs(() => sketch(text)));
  expect(Math.min(...times)).toBeLessThan(20);
});
