import { expect, test } from 'vitest';
import * as z from 'zod';
import { answersIn, readAnswer } from '#lib/core/model-answer.ts';

const schema = z.strictObject({ title: z.string().max(5), keywords: z.array(z.string()) });
const RIGHT = { title: 'Pool', keywords: ['a', 'b'] };
const json = JSON.stringify(RIGHT);

test.each([
  ['as asked', json],
  ['in a fence', `\`\`\`json\n${json}\n\`\`\``],
  ['in prose, after other braces', `I set {x} and {"y": 1} aside.\n${json}\nThat is all.`],
  ['twice', `${json}\n${json}`],
  ['in a list', `[${json}]`],
  ['as text', JSON.stringify(json)],
  ['as text within the call of a tool', JSON.stringify({ name: 'answer', arguments: json })],
  ['in a call', `<tool_call>\n{"name": "answer", "arguments": ${json}}\n</tool_call>`],
  ['in the shape of its schema', JSON.stringify({ type: 'object', properties: RIGHT })],
  ['with lists as text', JSON.stringify({ ...RIGHT, keywords: '["a", "b"]' })],
  ['with keys that nobody asked for', JSON.stringify({ reasoning: 'short', ...RIGHT, keywords_count: 2 })],
])('R4.5 an answer is read %s', (_, text) => {
  expect(readAnswer(text, schema)).toEqual({ answer: RIGHT });
});

test.each([
  ['prose', 'I cannot do that.', 'The answer holds no complete JSON object.'],
  ['nothing', '', 'The answer holds no complete JSON object.'],
  ['what was cut off', json.slice(0, -1), 'The answer holds no complete JSON object.'],
  [
    'two different answers',
    `${json} ${JSON.stringify({ ...RIGHT, title: 'Tool' })}`,
    'The answer holds several different JSON objects. Answer with exactly one.',
  ],
  [
    'a wrong field',
    JSON.stringify({ ...RIGHT, title: 'too long' }),
    'title: Too big: expected string to have <=5 characters',
  ],
  [
    'wrong fields, of which each is named',
    '{"keywords": "a, b"}',
    'title: Invalid input: expected string, received undefined; keywords: Invalid input: expected array, received string',
  ],
  [
    'a wrong entry of a list',
    JSON.stringify({ ...RIGHT, keywords: ['a', 1] }),
    'keywords.1: Invalid input: expected string, received number',
  ],
])('R4.5 %s is sent back with the reason', (_, text, problem) => {
  expect(readAnswer(text, schema)).toEqual({ problem });
});

test('R4.5 what is wrapped deeper than a call of a tool, or told by none of the keys, is left as it is', () => {
  const shape = { keys: ['a'], lists: ['b'] };
  expect(answersIn('{"x": {"y": {"a": 1, "b": "[2]"}}}', shape)).toEqual([{ a: 1, b: [2] }]);
  const deep = { x: { y: { z: { a: 1 } } } };
  expect(answersIn(JSON.stringify(deep), shape)).toEqual([deep]);
  expect(answersIn('{"b": "[1"} {"b": "{}", "a": [{"a": 2}]}', shape)).toEqual([
    { b: '[1' },
    { b: '{}', a: [{ a: 2 }] },
  ]);
  expect(answersIn('{"x": null, "y": [{"a": 1}]}', shape)).toEqual([{ x: null, y: [{ a: 1 }] }]);
});

test('R4.5 only what should be a list is read as one: texts that look like lists stay texts', () => {
  const answer = { title: '[1]', keywords: ['["b"]'] };
  expect(readAnswer(JSON.stringify(answer), schema)).toEqual({ answer });
});

test('R4.5 one of the keys is enough to tell the answer, whatever it holds', () => {
  const answer = { a: { a: 1, b: [2] } };
  expect(answersIn(JSON.stringify(answer), { keys: ['a', 'b'], lists: [] })).toEqual([answer]);
});
