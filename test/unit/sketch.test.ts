import { readFileSync } from 'node:fs';
import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { normalise } from '#lib/core/normalise.ts';
import { resemblance, sketch } from '#lib/core/sketch.ts';

const word = fc.string({
  unit: fc.constantFrom(...'abcdefghijklmnopqrstuvwxyz支付超时排查锁库'),
  minLength: 3,
  maxLength: 9,
});
const longText = fc.array(word, { minLength: 150, maxLength: 250 });

/** The share of 4-grams in common, counted. */
function jaccard(a: string, b: string): number {
  const grams = (text: string) =>
    new Set(Array.from({ length: text.length - 3 }, (_, start) => text.slice(start, start + 4)));
  const [left, right] = [grams(normalise(a)), grams(normalise(b))];
  return left.intersection(right).size / left.union(right).size;
}

test('R4.1 a sketch is 64 unsigned 32-bit values, the same at every call', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary', maxLength: 300 }), (text) => {
      const values = sketch(text);
      expect(values).toHaveLength(64);
      expect(values.every((value) => Number.isInteger(value) && value >= 0 && value < 2 ** 32)).toBe(true);
      expect(sketch(text)).toEqual(values);
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

test('R4.1 sketches of different length, or none, do not compare', () => {
  expect(resemblance([], [])).toBe(0);
  expect(resemblance([1, 2], [1])).toBe(0);
  expect(resemblance([1, 2], [1, 3])).toBe(0.5);
});

test('R4.1 100 KB are sketched within 20 ms', () => {
  const text = Array.from({ length: 17_000 }, (_, n) => `词${n * 7919} `)
    .join('')
    .slice(0, 100_000);
  const times = Array.from({ length: 8 }, () => {
    const start = performance.now();
    sketch(text);
    return performance.now() - start;
  });
  expect(Math.min(...times)).toBeLessThan(20);
});
