import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { jsonObjectsIn } from '#lib/core/json-in-text.ts';

test.each([
  ['nothing', 'I cannot do that.', []],
  ['an object alone', '{"a":1}', [{ a: 1 }]],
  ['an empty object', '{}', [{}]],
  ['an object in a fence', '```json\n{"a":1}\n```', [{ a: 1 }]],
  ['an object in prose', 'Here: {"a":1}, as asked.', [{ a: 1 }]],
  ['several, in order', '{"a":1}{"b":2} and {"c":3}', [{ a: 1 }, { b: 2 }, { c: 3 }]],
  ['the outermost ones only', '{"a":{"b":{}},"c":[{}]}', [{ a: { b: {} }, c: [{}] }]],
  ['the objects of a list', '[{"a":1},{"b":2}]', [{ a: 1 }, { b: 2 }]],
  ['braces within texts', '{"a":"}{","b":"{"} {"c":1}', [{ a: '}{', b: '{' }, { c: 1 }]],
  ['escaped quotes within texts', '{"a":"say \\"}\\" now"}', [{ a: 'say "}" now' }]],
  ['backslashes at the end of texts', '{"a":"C:\\\\"} {"b":1}', [{ a: 'C:\\' }, { b: 1 }]],
  ['what lies within braces that are no JSON', 'I set {x: {"a":1}} aside', [{ a: 1 }]],
  ['what follows braces that are no JSON', '{x} {"a":1}', [{ a: 1 }]],
  ['what follows a brace that stays open', 'a { b {"a":1}', [{ a: 1 }]],
  ['nothing of an object that was cut off', '{"a":1', []],
  ['the objects within one that was cut off', '{"a":{"b":1},"c":', [{ b: 1 }]],
])('R4.5 found is %s', (_, text, objects) => {
  expect(jsonObjectsIn(text)).toEqual(objects);
});

test('R4.5 any objects are found between words', () => {
  const words = fc.string().map((text) => text.replace(/[{}"]/g, ''));
  fc.assert(
    fc.property(
      fc.array(fc.tuple(words, fc.dictionary(fc.string(), fc.jsonValue())), { maxLength: 5 }),
      (pieces) => {
        const text = pieces.map(([before, object]) => before + JSON.stringify(object)).join('');
        expect(jsonObjectsIn(text)).toEqual(pieces.map(([, object]) => JSON.parse(JSON.stringify(object))));
      },
    ),
  );
});

test('R4.5 a reply full of stray braces is given up after 50 of them, so that none takes long to read', () => {
  expect(jsonObjectsIn(`So: ${'{x '.repeat(49)}{"a":1}`)).toEqual([{ a: 1 }]);
  expect(jsonObjectsIn(`${'{x '.repeat(50)}{"a":1}`)).toEqual([]);
});
