import { expect, test } from 'vitest';
import * as z from 'zod';
import { cursorOf, pageOf, placeOf } from '#lib/core/page.ts';

test('API without a cursor a listing begins at the top', () => {
  expect(placeOf(undefined)).toBe(Number.MAX_SAFE_INTEGER);
});

test.each([1, 50, Number.MAX_SAFE_INTEGER])('API a cursor leads back to its place: %i', (place) => {
  const cursor = cursorOf(place);
  expect(cursor).toMatch(/^[\w+/=]+$/);
  expect(placeOf(cursor)).toBe(place);
});

test.each([
  ['not base64', '*'],
  ['empty', ''],
  ['not JSON', btoa('7,')],
  ['a number', btoa('7')],
  ['without a place', btoa('{}')],
  ['above the ledger', btoa('{"before":0}')],
  ['between two entries', btoa('{"before":1.5}')],
  ['with more than a place', btoa('{"before":7,"scopes":["org:a"]}')],
])('API a cursor that no listing has given is refused by its name: %s', (_, cursor) => {
  expect(() => placeOf(cursor)).toThrow(
    expect.objectContaining({
      code: 'invalid_input',
      field: 'cursor',
      message: 'cursor: not one that this listing has given',
    }),
  );
});

test('API a page has items, and a cursor only where more may follow', () => {
  const Page = pageOf(z.string());
  for (const page of [{ items: [] }, { items: ['a', 'b'], next_cursor: cursorOf(7) }])
    expect(Page.parse(page)).toEqual(page);
  for (const page of [{}, { items: [1] }, { items: [], next_cursor: 7 }, { items: [], total: 1 }])
    expect(Page.safeParse(page).success).toBe(false);
});
