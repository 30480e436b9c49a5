import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { InvalidInput } from '#lib/core/errors.ts';
import { parseJson } from '#lib/core/json-input.ts';

const nested = (levels: number) => '['.repeat(levels) + ']'.repeat(levels);

test('R3.7 JSON of a caller is read as it is', () => {
  fc.assert(
    fc.property(fc.json({ maxDepth: 6 }), (text) => {
      expect(parseJson(text)).toEqual(JSON.parse(text));
    }),
  );
});

test.each([
  ['lists', nested(24)],
  ['objects', `${'{"a":'.repeat(24)}1${'}'.repeat(24)}`],
  ['many lists beside each other', `[${new Array<string>(30).fill('[]')}]`],
  ['many objects beside each other', `[${new Array<string>(30).fill('{}')}]`],
  ['brackets in a text', JSON.stringify(['['.repeat(30), '{'.repeat(30)])],
  ['brackets in a text, after a quote', JSON.stringify([`"${'['.repeat(30)}`])],
  ['brackets in a text, before closing ones', JSON.stringify({ a: `}]${'{['.repeat(30)}` })],
  ['a name with brackets', JSON.stringify({ ['['.repeat(30)]: 1 })],
])('R3.7 %s within 24 levels are read', (_, text) => {
  expect(parseJson(text)).toEqual(JSON.parse(text));
});

test.each([
  ['lists', nested(25)],
  ['objects', `${'{"a":'.repeat(25)}1${'}'.repeat(25)}`],
  ['both', `${'[{"a":'.repeat(12)}[${'}]'.repeat(12)}]`],
  ['lists after flat ones', `[[],[],{},${nested(24)}]`],
  ['lists before flat ones', `[${nested(24)},[]]`],
  ['lists after a text that closes others', `["]]}}",${nested(24)}]`],
  ['lists after a text that ends in a backslash', `["\\\\",${nested(24)}]`],
  ['lists after a text that ends in a quote', `["\\"",${nested(24)}]`],
])('R3.7 %s of 25 levels are refused, before they are stored', (_, text) => {
  expect(() => parseJson(text)).toThrow(new InvalidInput('body', 'body: nested deeper than 24 levels'));
});

test.each(['', '{', 'approved', "{'a': 1}", '{"a": 1} {"a": 1}'])('R3.7 %j is refused as no JSON', (text) => {
  expect(() => parseJson(text)).toThrow(new InvalidInput('body', 'body: not JSON'));
  expect(() => parseJson(text, 'line')).toThrow(new InvalidInput('line', 'line: not JSON'));
});

test.each([
  ['half a character', '{"title": "a\\ud83d"}', 'title', 'title holds half a character'],
  ['half a character alone', '"\\ud83d"', 'body', 'body holds half a character'],
  ['half a character in a name', '{"a\\ud83d": 1}', 'body', 'body: a name holds half a character'],
  ['a number beyond all bounds', '{"a": {"count": 1e999}}', 'count', 'count: a number that cannot be stored'],
  ['such a number alone', '-1e999', 'body', 'body: a number that cannot be stored'],
])('R3.7 %s is refused by its name', (_, text, field, message) => {
  let refusal: unknown;
  try {
    parseJson(text);
  } catch (error) {
    refusal = error;
  }
  expect(refusal).toEqual(new InvalidInput(field, message));
});

test('R3.7 whole characters, names without one and all that JSON knows are taken', () => {
  expect(parseJson('{"": "\\ud83d\\ude00", "n": null, "t": true, "x": -1.5e3}')).toEqual({
    '': '😀',
    n: null,
    t: true,
    x: -1500,
  });
});
