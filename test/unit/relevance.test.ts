import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { foldOf } from '#lib/core/fold.ts';
import {
  blocksOf,
  isUsable,
  isVisible,
  liveAfter,
  type Newcomer,
  scopeAllows,
  twinsOf,
} from '#lib/core/relevance.ts';
import {
  admitted,
  amended,
  checked,
  duplicateOf,
  humanRejected,
  idOf,
  ledger,
  rejected,
  removed,
  restored,
} from '#test/support/ledger.ts';

const [A, B, C, D, ME] = [idOf(1), idOf(2), idOf(3), idOf(4), idOf(9)] as const;
const TEXT = { fingerprint: 'the same text' };
const me = (more: Partial<Newcomer> = {}): Newcomer => ({
  id: ME,
  scopes: [],
  fingerprint: TEXT.fingerprint,
  ...more,
});

test.each([
  ['public', [], 'public', [], true],
  ['public', [], "a tenant's", ['org:a'], false],
  ["a tenant's", ['org:a'], 'public', [], true],
  ["a tenant's", ['org:a'], 'its own', ['org:a'], true],
  ["a tenant's", ['org:a'], "another's", ['org:b'], false],
  ["a tenant's", ['org:a'], 'shared with it', ['org:a', 'org:b'], true],
  ["two tenants'", ['org:a', 'org:b'], 'of one of them', ['org:a'], false],
  ["two tenants'", ['org:a', 'org:b'], 'of both', ['org:b', 'org:a', 'org:c'], true],
])(
  'R4.1 for a newcomer that is %s (%j) an item that is %s (%j) counts: %j',
  (_, mine, __, stored, counts) => {
    expect(scopeAllows(mine, stored)).toBe(counts);
  },
);

test('R4.1 an item counts for a newcomer exactly when nobody sees the newcomer and not the item', () => {
  const Scopes = fc.subarray(['org:a', 'org:b', 'org:c']);
  fc.assert(
    fc.property(Scopes, Scopes, (mine, stored) => {
      const callers = [[], ['org:a'], ['org:b'], ['org:c']];
      const betrayed = callers.some((caller) => isVisible(mine, caller) && !isVisible(stored, caller));
      expect(scopeAllows(mine, stored)).toBe(!betrayed);
    }),
  );
});

test.each([
  [[], [], true],
  [[], ['org:a'], true],
  [['org:a'], [], false],
  [['org:a'], ['org:b'], false],
  [['org:a', 'org:b'], ['org:b', 'org:c'], true],
])('R6.8 an item with the scopes %j is visible to a caller with %j: %j', (scopes, caller, visible) => {
  expect(isVisible(scopes, caller)).toBe(visible);
});

test('R3.5 an item is no candidate for itself, nor for its successor at its path', () => {
  expect(isUsable({ id: ME, scopes: [] }, me())).toBe(false);
  expect(isUsable({ id: A, path: 'd/a.md', scopes: [] }, me({ path: 'd/a.md' }))).toBe(false);
  expect(isUsable({ id: A, path: 'd/b.md', scopes: [] }, me({ path: 'd/a.md' }))).toBe(true);
  expect(isUsable({ id: A, scopes: [] }, me({ path: 'd/a.md' }))).toBe(true);
  expect(isUsable({ id: A, scopes: [] }, me())).toBe(true);
  expect(isUsable({ id: A, scopes: ['org:a'] }, me())).toBe(false);
});

test('R4.1 twins are the live usable items with the same text', () => {
  const f = foldOf(
    ledger(
      admitted(A, TEXT),
      admitted(B),
      admitted(C, { ...TEXT, scopes: ['org:a'] }),
      admitted(D, { ...TEXT, path: 'd/a.md', path_seq: 1 }),
      checked(A, TEXT),
    ),
  );
  const twins = (newcomer: Newcomer) => twinsOf(f, newcomer).map(({ id }) => id);
  expect(twins(me())).toEqual([A, D]);
  expect(twins(me({ path: 'd/a.md' }))).toEqual([A]);
  expect(twins(me({ scopes: ['org:a'] }))).toEqual([A, C, D]);
  expect(twins(me({ id: A }))).toEqual([D]);
  expect(twins(me({ fingerprint: 'another text' }))).toEqual([]);
});

test('R4.1 what is no longer live is no twin', () => {
  const f = foldOf(
    ledger(admitted(A, TEXT), removed(A), admitted(B, TEXT), humanRejected(B, TEXT), rejected(C, [], TEXT)),
  );
  expect(twinsOf(f, me())).toEqual([]);
});

test('API blocks are the items with the same text that a human rejected, also at the newcomer’s own path', () => {
  const f = foldOf(
    ledger(
      admitted(A, { ...TEXT, path: 'd/a.md', path_seq: 1 }),
      humanRejected(A, { ...TEXT, path: 'd/a.md' }),
      admitted(B, { ...TEXT, scopes: ['org:a'] }),
      humanRejected(B, { ...TEXT, scopes: ['org:a'] }),
      admitted(C, TEXT),
      admitted(D, TEXT),
      rejected(idOf(5), [duplicateOf(C)], TEXT),
    ),
  );
  expect(blocksOf(f, me({ path: 'd/a.md' }))).toEqual([A]);
  expect(blocksOf(f, me())).toEqual([A]);
  expect(blocksOf(f, me({ scopes: ['org:a'] }))).toEqual([A, B]);
  expect(blocksOf(f, me({ scopes: ['org:b'] }))).toEqual([A]);
  expect(blocksOf(f, me({ id: A }))).toEqual([]);
  expect(blocksOf(f, me({ fingerprint: 'another text' }))).toEqual([]);
});

test('API a block ends when its item is restored, or removed', () => {
  const blocked = [admitted(A, TEXT), humanRejected(A, TEXT)];
  expect(blocksOf(foldOf(ledger(...blocked)), me())).toEqual([A]);
  expect(blocksOf(foldOf(ledger(...blocked, restored(A, { ...TEXT, attempt: 3 }))), me())).toEqual([]);
  expect(blocksOf(foldOf(ledger(...blocked, removed(A, TEXT))), me())).toEqual([]);
});

test('R4.7 newly live are the usable items that went live, or were amended, after a position, in that order', () => {
  const f = foldOf(
    ledger(
      admitted(A),
      admitted(B),
      admitted(C, { scopes: ['org:a'] }),
      admitted(D),
      amended(A),
      checked(B),
      humanRejected(D),
    ),
  );
  const after = (position: number, newcomer = me()) => liveAfter(f, newcomer, position).map(({ id }) => id);
  expect(after(0)).toEqual([B, A]);
  expect(after(0, me({ scopes: ['org:a'] }))).toEqual([B, C, A]);
  expect(after(2)).toEqual([A]);
  expect(after(5)).toEqual([]);
  expect(after(0, me({ id: A }))).toEqual([B]);
});
