import { expect, test } from 'vitest';
import { cutToWeight, fairShares, quotedWeight, tokens } from '#lib/core/tokens.ts';

test.each([
  ['', 0],
  ['abcd', 1],
  ['abcde', 2],
  ['支付失败', 4],
  ['支付 API', 3],
  ['，。', 2],
  ['😀', 2],
  ['a~\u007f\u007f', 1],
  ['\u0080\u0080', 2],
])('R5.3 %j is estimated at %i tokens', (text, count) => {
  expect(tokens(text)).toBe(count);
});

test('R5.3 shares are fair: a modest demand is met, what is left is shared, nothing above the room is given', () => {
  expect(fairShares([10, 500, 500], 210)).toEqual([10, 100, 100]);
  expect(fairShares([500, 10, 120, 500], 310)).toEqual([100, 10, 100, 100]);
  expect(fairShares([10, 20], 100)).toEqual([10, 20]);
  expect(fairShares([5, 5], -3)).toEqual([0, 0]);
  expect(fairShares([], 10)).toEqual([]);
});

test('R5.3 a text is cut between code points, to the size that it is given', () => {
  expect(cutToWeight('abcdef', quotedWeight('abcdef'))).toBe('abcdef');
  expect(cutToWeight('支付😀失败', 2 + 4 + 8 + 7)).toBe('支付…');
  expect(cutToWeight('支付失败', quotedWeight('支付…'))).toBe('支付…');
  expect(cutToWeight('abc', 2)).toBe('');
});
