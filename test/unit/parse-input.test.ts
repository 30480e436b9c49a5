import { expect, test } from 'vitest';
import * as z from 'zod';
import { InvalidInput } from '#lib/core/errors.ts';
import { ItemId } from '#lib/core/item.ts';
import { parseInput } from '#lib/core/parse-input.ts';

const Order = z.strictObject({
  name: z.string().max(3),
  lines: z.array(z.strictObject({ count: z.number() })).optional(),
});

/** What the caller is told. */
function refusal(input: unknown): { field: string | undefined; message: string; retryable: boolean } {
  try {
    parseInput(Order, input);
  } catch (error) {
    if (!(error instanceof InvalidInput)) throw error;
    const { code, field, message, retryable } = error;
    expect(code).toBe('invalid_input');
    return { field, message, retryable };
  }
  return expect.fail('it was accepted');
}

test('R3.7 input of the right shape comes back parsed', () => {
  expect(parseInput(Order, { name: 'abc', lines: [{ count: 1 }] })).toEqual({
    name: 'abc',
    lines: [{ count: 1 }],
  });
});

test.each([
  [{ name: 1 }, 'name'],
  [{}, 'name'],
  [{ name: 'abcd' }, 'name'],
  [{ name: 'a', lines: {} }, 'lines'],
  [{ name: 'a', lines: [{ count: 1 }, { count: '2' }] }, 'lines.1.count'],
  ['text', 'body'],
  [null, 'body'],
  [undefined, 'body'],
])('R3.7 the refusal of %j names the field %s and is not to be tried again', (input, field) => {
  const told = refusal(input);
  expect(told).toMatchObject({ field, retryable: false });
  expect(told.message.startsWith(`${field}: `)).toBe(true);
});

test('R2.1 an unknown field is refused by its name', () => {
  expect(refusal({ name: 'a', status: 'approved' })).toEqual({
    field: 'status',
    message: 'unknown field "status"',
    retryable: false,
  });
});

const Everything = z.strictObject({
  text: z.string().min(1).max(3),
  count: z.number().int().min(0).max(9).default(0),
  kind: z.enum(['document', 'entry']).default('entry'),
  on: z.boolean().default(false),
  list: z.array(z.string()).max(2).default([]),
  own: z.string().regex(/x/, 'holds no x').default('x'),
});

test.each([
  [{}, 'text: is missing; it must be a text'],
  [{ text: 1 }, 'text: must be a text'],
  [{ text: '' }, 'text: must not be empty'],
  [{ text: 'abcd' }, 'text: must have at most 3 characters'],
  [{ text: 'a', count: 1.5 }, 'count: must be a whole number'],
  [{ text: 'a', count: -1 }, 'count: must be at least 0'],
  [{ text: 'a', count: 10 }, 'count: must be at most 9'],
  [{ text: 'a', kind: 'file' }, 'kind: must be one of document, entry'],
  [{ text: 'a', on: 'yes' }, 'on: must be true or false'],
  [{ text: 'a', list: 'b' }, 'list: must be a list'],
  [{ text: 'a', list: ['b', 'c', 'd'] }, 'list: must have at most 2 entries'],
  [{ text: 'a', own: 'y' }, 'own: holds no x'],
  [[], 'body: must be an object'],
])('R3.7 %j is refused in plain words', (input, message) => {
  expect(() => parseInput(Everything, input)).toThrow(
    new InvalidInput(message.slice(0, message.indexOf(':')), message),
  );
});

const Least = z.strictObject({
  word: z.string().min(2).default('ab'),
  pages: z.number().min(1).multipleOf(5).default(5),
  tags: z.array(z.string()).min(1).default(['a']),
  pairs: z.array(z.string()).min(2).default(['a', 'b']),
});

test.each([
  [{ word: 'a' }, 'word: must have at least 2 characters'],
  [{ pages: 0 }, 'pages: must be at least 1'],
  [{ tags: [] }, 'tags: must not be empty'],
  [{ pairs: ['a'] }, 'pairs: must have at least 2 entries'],
  [{ pages: 7 }, 'pages: Invalid number: must be a multiple of 5'],
])('R3.7 %j is refused with what is the least, or in the words of the schema', (input, message) => {
  expect(() => parseInput(Least, input)).toThrow(
    new InvalidInput(message.slice(0, message.indexOf(':')), message),
  );
});

test('R2.1 an id that is none is answered with what one looks like', () => {
  expect(() => parseInput(z.object({ id: ItemId }), { id: 'nope' })).toThrow(
    'id: must look like knowledge-20260131-120000-1a2b3c4d',
  );
});
