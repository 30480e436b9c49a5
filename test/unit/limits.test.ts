import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { cut, utf8Bytes } from '#lib/core/limits.ts';

test.each([
  ['abc', 2, 'ab'],
  ['abc', 3, 'abc'],
  ['abc', 4, 'abc'],
  ['abc', 0, ''],
  ['', 1, ''],
  ['a😀b', 2, 'a😀'],
  ['😀😀😀', 2, '😀😀'],
  ['😀😀', 3, '😀😀'],
  ['a\uffffb', 2, 'a\uffff'],
  ['支付超时', 2, '支付'],
])('R3.7 the text %j cut to %i characters is %j', (text, codePoints, kept) => {
  expect(cut(text, codePoints)).toBe(kept);
});

test('R3.7 a cut counts characters and halves none', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary' }), fc.nat({ max: 20 }), (text, codePoints) => {
      expect(cut(text, codePoints)).toBe([...text].slice(0, codePoints).join(''));
    }),
  );
});

test('R3.7 the size of a text is that of its UTF-8', () => {
  expect(['', 'a', 'é', '支', '😀'].map(utf8Bytes)).toEqual([0, 1, 2, 3, 4]);
});
