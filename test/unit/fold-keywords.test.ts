import { expect, test } from 'vitest';
import type { Draft } from '#lib/core/entry.ts';
import { step } from '#lib/core/fold.ts';
import { followChange } from '#lib/core/fold-keywords.ts';
import { emptyFold } from '#lib/core/fold-state.ts';
import { emptyKeywordIndex, findByKeyword } from '#lib/core/keyword-index.ts';
import {
  admitted,
  amended,
  checked,
  condensed,
  duplicateOf,
  humanRejected,
  idOf,
  ledger,
  payload,
  rejected,
  removed,
  restored,
} from '#test/support/ledger.ts';

const [A, B, C, D] = [idOf(1), idOf(2), idOf(3), idOf(4)];
const live = (...keywords: string[]) => ({ live: { ...payload(), keywords } });

/** What is found by `pool` after each of the entries, also where the list of the newest is no longer than one. */
function foundAfterEach(...drafts: Draft[]): string[][] {
  const f = emptyFold();
  const index = emptyKeywordIndex(2);
  return ledger(...drafts).map((entry) => {
    followChange(index, f, step(f, entry)!);
    return findByKeyword(index, 'pool', () => true).map(({ id }) => id);
  });
}

test('R6.2 R6.9 an item is found from its admission to its end, by the keywords that it has now', () => {
  expect(
    foundAfterEach(
      admitted(A, live('pool')),
      admitted(B, live('dns')),
      rejected(C, [duplicateOf(A)], live('pool')),
      amended(B, live('pool')),
      checked(A, live('pool', 'connection')),
      amended(A, live('dns')),
      amended(A, live('connection pool')),
      removed(B),
    ),
  ).toEqual([[A], [A], [A], [A, B], [A, B], [B], [B, A], [A]]);
});

test('R6.2 R6.9 what a human rejects is not found until it is restored', () => {
  expect(
    foundAfterEach(
      admitted(A, live('pool')),
      admitted(B, live('pool')),
      humanRejected(A),
      restored(A, { attempt: 3, ...live('pool') }),
    ),
  ).toEqual([[A], [A, B], [B], [B, A]]);
});

test('R3.5 R6.9 a new version at the path takes the place of the one before', () => {
  const at = (path_seq: number) => ({ path: 'payment/a.md', path_seq, ...live('pool') });
  expect(foundAfterEach(admitted(A, at(1)), admitted(B, at(2)))).toEqual([[A], [B]]);
});

test('R6.9 what is condensed is found in one item', () => {
  expect(
    foundAfterEach(
      admitted(A, live('pool')),
      admitted(B, live('pool')),
      admitted(C, live('pool')),
      condensed(D, [A, B], live('pool')),
    ),
  ).toEqual([[A], [A, B], [A, B, C], [C, D]]);
});
