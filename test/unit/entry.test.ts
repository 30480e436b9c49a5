import { expect, test } from 'vitest';
import { Entry, PIPELINE } from '#lib/core/entry.ts';
import { idOf } from '#test/support/ledger.ts';

/** As it stands in a ledger for good. */
const written = {
  position: 7,
  at: 1_773_757_822,
  by: 'pipeline',
  event: 'admitted',
  item_id: idOf(1),
  attempt: 1,
  decision_id: 'd1',
  fingerprint: 'f1e9',
  scopes: [],
};

const live = {
  kind: 'document',
  domain: 'payment',
  title: 'Pool exhausted',
  keywords: ['HikariCP'],
  keywords_by_author: true,
  covers: ['pool exhausted'],
};

test.each(['admitted', 'rejected', 'checked', 'restored', 'removed', 'amended', 'imported', 'condensed'])(
  'R6.9 an entry that was written is read for good: %s',
  (event) => {
    expect(Entry.parse({ ...written, event })).toEqual({ ...written, event });
  },
);

test.each(['no_candidates', 'identical', 'blocked', 'judge', 'last_resort', 'superseded', 'human', 'import'])(
  'R4.1 R4.5 what a decision rested on is read for good: %s',
  (basis) => {
    expect(Entry.parse({ ...written, basis })).toEqual({ ...written, basis });
  },
);

test('R6.9 every part that an entry may have comes back as it was written', () => {
  const whole = {
    ...written,
    path: 'payment/pool.md',
    path_seq: 2,
    sources: [idOf(2)],
    reason: 'known',
    grounds: [{ id: idOf(3), type: 'duplicate' }],
    relations: [{ to: idOf(4), type: 'superset', reverse: 'subset' }],
    scopes: ['org:acme'],
    basis: 'judge',
    model: 'a model',
    needs_review: 'no verdict',
    note: 'a human’s words',
    live,
    erased: true,
  };
  expect(Entry.parse(whole)).toEqual(whole);
});

test.each([
  ['an unknown event', { event: 'feedback' }],
  ['an unknown basis', { basis: 'chance' }],
  ['an unknown reason', { reason: 'dull' }],
  ['an unknown part', { helpful: 1 }],
  ['no place in the ledger', { position: 0 }],
  ['a place between two others', { position: 1.5 }],
  ['an item without a proper id', { item_id: 'pool' }],
  ['an unknown part of what is live', { live: { ...live, summary: '' } }],
  ['only a part of what is live', { live: { kind: 'entry' } }],
])('R6.9 what no version has written stops the reader: %s', (_, more) => {
  expect(Entry.safeParse({ ...written, ...more }).success).toBe(false);
});

test('R6.9 the pipeline signs its decisions by the name that older ledgers hold', () => {
  expect(PIPELINE).toBe('pipeline');
});
