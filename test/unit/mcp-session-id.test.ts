import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { systemRandom } from '#lib/adapters/memory/system.ts';
import { sessionIds } from '#lib/runtime/mcp/session-id.ts';

const KEY = 'arn:aws:cloudformation:eu-west-1:111122223333:stack/knowhub-dev/0a1b';

test('R6.7 an id is known again by any instance of the deployment, for the caller that it was made for', () => {
  const id = sessionIds(KEY, 'arn:one').mint(systemRandom);
  expect(id).toMatch(/^[\x21-\x7e]{1,256}$/);
  expect(sessionIds(KEY, 'arn:one').isOurs(id)).toBe(true);
  expect(sessionIds(KEY, 'arn:two').isOurs(id)).toBe(false);
  expect(sessionIds(`${KEY}2`, 'arn:one').isOurs(id)).toBe(false);
});

test('R6.7 no two ids are the same', () => {
  const ids = sessionIds(KEY, 'arn:one');
  expect(new Set(Array.from({ length: 100 }, () => ids.mint(systemRandom))).size).toBe(100);
});

test('R6.7 an id that was changed in any place is none', () => {
  const ids = sessionIds(KEY, 'arn:one');
  const id = ids.mint(systemRandom);
  fc.assert(
    fc.property(fc.nat(id.length - 1), fc.constantFrom(...'0123456789abcdefABCDEF-_ é'), (at, sign) => {
      const changed = id.slice(0, at) + sign + id.slice(at + 1);
      expect(ids.isOurs(changed)).toBe(changed === id);
    }),
  );
  for (const other of ['', '-', id.slice(1), `${id}0`, ` ${id}`, `${id}\n`, id.toUpperCase()])
    expect([other, ids.isOurs(other)]).toEqual([other, other === id]);
  fc.assert(fc.property(fc.string(), (text) => !ids.isOurs(text)));
});
