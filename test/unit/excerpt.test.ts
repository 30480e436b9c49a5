import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { excerpt } from '#lib/core/excerpt.ts';

test('R6.4 L9 2,001 emoji become 2,000 and three dots', () => {
  expect(excerpt('😀'.repeat(2001), 2000)).toEqual({ excerpt: `${'😀'.repeat(2000)}...`, truncated: true });
});

test('R6.4 a text that fits stays whole', () => {
  expect(excerpt('😀'.repeat(2000), 2000)).toEqual({ excerpt: '😀'.repeat(2000), truncated: false });
  expect(excerpt('', 0)).toEqual({ excerpt: '', truncated: false });
  expect(excerpt('ab', 2)).toEqual({ excerpt: 'ab', truncated: false });
  expect(excerpt('abc', 2)).toEqual({ excerpt: 'ab...', truncated: true });
});

test('R6.4 an excerpt is the first characters, never half of one', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary' }), fc.nat(30), (text, length) => {
      const characters = [...text];
      expect(excerpt(text, length)).toEqual(
        characters.length > length
          ? { excerpt: `${characters.slice(0, length).join('')}...`, truncated: true }
          : { excerpt: text, truncated: false },
      );
    }),
  );
});
