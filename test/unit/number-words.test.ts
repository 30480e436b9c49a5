import { expect, test } from 'vitest';
import { figuresInWords } from '#lib/core/number-words.ts';

test.each([
  ['Retry three times within fifteen minutes', ['3', '15']],
  ['TWELVE of Sixty nodes, one-off', ['12', '60', '1']],
  ['Someone is often at the thirteenth', []],
  ['重试三次', ['3']],
  ['两台', ['2']],
  ['等十秒，共十五分钟', ['10', '15']],
  ['三十秒后扩到二十三个', ['30', '23']],
  ['第一步 retry twenty times', ['20', '1']],
  ['', []],
])('R3.2 R5.2 %j writes in words the figures %j', (text, figures) => {
  expect(figuresInWords(text)).toEqual(figures);
});

test.each([
  ['统一处理，十分复杂', 'characters that count nothing'],
  ['这个，每次', 'a measure word without a number'],
  ['三五个', 'two digits in a row: three or five'],
  ['一百次，百五十台，三千年', 'more than 99'],
])('R3.2 R5.2 %j writes no figure: %s', (text) => {
  expect(figuresInWords(text)).toEqual([]);
});
