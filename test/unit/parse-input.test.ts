import { expect, test } from 'vitest';
import * as z from 'zod';
import { InvalidInput } from '#lib/core/errors.ts';
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
