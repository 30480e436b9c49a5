import { expect, test } from 'vitest';
import type { ItemState } from '#lib/core/fold-state.ts';
import type { ItemRow } from '#lib/core/item.ts';
import { PublicItem, publicEval, publicItem, publicStatus, type Shown } from '#lib/core/public-item.ts';
import { idOf } from '#test/support/ledger.ts';
import { fields, itemRow, point } from '#test/support/rows.ts';

const shown: Shown = {
  status: 'approved',
  content: 'Raise maximumPoolSize.',
  truncated: false,
  eval: publicEval(undefined, [], () => false),
  relationships: [{ type: 'complement', target: idOf(2) }],
  needs_review: undefined,
};

/** What every item of `itemRow` shows. */
const entryItem: PublicItem = {
  id: idOf(1),
  kind: 'entry',
  domain: 'payment',
  message_id: '',
  task: 'Find out why the pool is exhausted',
  content: 'Raise maximumPoolSize.',
  truncated: false,
  types: ['strategy'],
  tags: { team: 'core' },
  tag_keys: ['team'],
  scopes: ['org:acme'],
  owner: 'agent:runner',
  resource_ids: [],
  source: {},
  eval: {
    score: 3,
    helpful: 1,
    harmful: 0,
    confidence: 0.7,
    helpful_history: [],
    helpful_history_count: 0,
    harmful_history: [],
    harmful_history_count: 0,
  },
  created_at: 1_767_225_600,
  updated_at: 1_767_225_600,
  status: 'approved',
  relationships: [{ type: 'complement', target: idOf(2) }],
  metadata: '',
};

test('R2.1 an entry is shown without path and frontmatter, and without what is ours alone', () => {
  const row = itemRow({
    id: idOf(1),
    fields: fields(),
    claim: { token: 'secret', at: 1 },
    next_at: 2,
    judge_failures: { count: 1, first_at: 1, last: 'secret' },
  });
  expect(publicItem(row, shown)).toStrictEqual(entryItem);
});

test('R2.1 R2.2 a document is shown with its path, its frontmatter as it counts, and why it needs a review', () => {
  const row = itemRow({ id: idOf(1), kind: 'document', path: 'payment/pool.md', fields: fields() });
  expect(publicItem(row, { ...shown, needs_review: 'no verdict' })).toStrictEqual({
    ...entryItem,
    kind: 'document',
    path: 'payment/pool.md',
    fields: fields(),
    needs_review: 'no verdict',
  });
});

test.each(['pending', 'processing', 'approved', 'checked', 'rejected'] as const)(
  'API an item that is %s fits the contract',
  (status) => {
    const evaluation = { lineage: idOf(1), points: 1, pos: 1, history: [point({ related_id: idOf(3) })] };
    const row = itemRow({ kind: 'document', path: 'payment/pool.md', fields: fields() });
    const item = publicItem(row, { ...shown, status, eval: publicEval(evaluation, [], () => false) });
    expect(PublicItem.parse(item)).toEqual(item);
  },
);

test.each<[ItemRow['status'], ItemState['status'] | undefined, PublicItem['status'] | undefined]>([
  // The row alone, as long as the ledger knows nothing.
  ['received', undefined, undefined],
  ['pending', undefined, 'pending'],
  ['processing', undefined, 'processing'],
  ['approved', undefined, 'approved'],
  ['removed', undefined, undefined],
  // The ledger, which the row follows.
  ['processing', 'approved', 'approved'],
  ['pending', 'checked', 'checked'],
  ['approved', 'rejected', 'rejected'],
  ['approved', 'removed', undefined],
  ['removed', 'approved', undefined],
  // It waits again: the row knows whether somebody works on it.
  ['rejected', 'pending', 'pending'],
  ['processing', 'pending', 'processing'],
  ['removed', 'pending', undefined],
])('R6.9 a row that is %s, in the ledger %s, is shown as %s', (row, ledger, status) => {
  const state: ItemState | undefined = ledger && {
    id: idOf(1),
    status: ledger,
    attempt: 1,
    live_pos: 0,
    grounds: [],
    relations: [],
    credited: new Set(),
    lineage: idOf(1),
    fingerprint: 'f1e9',
    scopes: [],
    payloads: [],
  };
  expect(publicStatus({ status: row }, state)).toBe(status);
});

/** Helpful points of as many newcomers as there are scopes. */
const points = (...scopes: string[][]) => ({
  lineage: idOf(0),
  points: scopes.length,
  pos: 1,
  history: scopes.map((each, n) => point({ related_id: idOf(n), timestamp: n, scopes: each })),
});

const nobodyIsGone = () => false;

test('R4.3 helpful is a sum over all; a history row tells who gave the point, and nothing more', () => {
  const evaluation = points([]);
  expect(publicEval({ ...evaluation, points: 4 }, [], nobodyIsGone)).toEqual({
    ...entryItem.eval,
    helpful: 5,
    helpful_history: [{ source: 'dedup', related_id: idOf(0), relation_type: 'duplicate', timestamp: 0 }],
    helpful_history_count: 1,
  });
});

test.each([
  [[], [0]],
  [['org:b'], [0, 2, 3]],
  [
    ['org:a', 'org:b'],
    [0, 1, 2, 3],
  ],
])('R4.3 a caller with the scopes %j sees the history rows %j of all that count', (caller, seen) => {
  const evaluation = points([], ['org:a'], ['org:b'], ['org:a', 'org:b']);
  const told = publicEval(evaluation, caller, nobodyIsGone);
  expect(told.helpful_history.map(({ timestamp }) => timestamp)).toEqual(seen);
  expect([told.helpful, told.helpful_history_count]).toEqual([5, seen.length]);
});

test('R3.6 R4.3 the point of an item that was erased still counts, its history row is gone', () => {
  const told = publicEval(points([], [], []), [], (id) => id === idOf(1));
  expect(told.helpful_history.map(({ related_id }) => related_id)).toEqual([idOf(0), idOf(2)]);
  expect([told.helpful, told.helpful_history_count]).toEqual([4, 2]);
});

test('R2.1 of a long history the last 50 rows are shown, and how many there are', () => {
  const told = publicEval(points(...Array.from({ length: 53 }, () => [])), [], nobodyIsGone);
  expect(told.helpful_history.map(({ timestamp }) => timestamp)).toEqual(
    Array.from({ length: 50 }, (_, n) => n + 3),
  );
  expect(told.helpful_history_count).toBe(53);
});
