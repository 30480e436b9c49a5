import { expect, test } from 'vitest';
import {
  decisionDraft,
  isDecided,
  type Judged,
  newcomerOf,
  nextStep,
  payloadOf,
  type View,
} from '#lib/core/admission.ts';
import type { Draft } from '#lib/core/entry.ts';
import { foldOf } from '#lib/core/fold.ts';
import type { Newcomer } from '#lib/core/relevance.ts';
import { itemRow, noFields } from '#test/support/item-row.ts';
import {
  admitted,
  amended,
  checked,
  humanRejected,
  idOf,
  ledger,
  rejected,
  removed,
  restored,
} from '#test/support/ledger.ts';

const PATH = 'd/a.md';
const TEXT = { fingerprint: 'the same text' };
const [A, B, C, ME] = [idOf(1), idOf(2), idOf(3), idOf(9)] as const;

const me = (more: Partial<Newcomer> = {}): Newcomer => ({ id: ME, scopes: [], ...TEXT, ...more });
const said = (type: string, ground = false, reverse = type): Judged => ({ type, reverse, ground });
const judgedAt = (judged: number, relations: Record<string, Judged> = {}): View => ({
  judged,
  relations: new Map(Object.entries(relations)),
  model: 'a model',
});
/** What is next for the newcomer after these entries. */
const next = (drafts: Draft[], view?: View, newcomer = me()) =>
  nextStep(foldOf(ledger(...drafts)), newcomer, view);

test('R4.1 before the first look a newcomer without twin or block is compared with what is near', () => {
  expect(next([])).toEqual({ do: 'recall' });
  expect(next([admitted(A)])).toEqual({ do: 'recall' });
});

test('R3.5 a newcomer whose path has seen a later version is rejected as superseded, without grounds, whatever was judged', () => {
  const superseded = { do: 'reject', reason: 'superseded', basis: 'superseded', grounds: [] };
  const later = [admitted(A, { path: PATH, path_seq: 2 }), admitted(B, TEXT)];
  expect(next(later, undefined, me({ path: PATH, path_seq: 1 }))).toEqual(superseded);
  expect(next(later, judgedAt(2), me({ path: PATH, path_seq: 1 }))).toEqual(superseded);
  expect(next(later.slice(0, 1), undefined, me({ path: PATH, path_seq: 3 }))).toEqual({ do: 'recall' });
  const deleted = [...later.slice(0, 1), removed(A, { path: PATH, path_seq: 3 })];
  expect(next(deleted, judgedAt(2), me({ path: PATH, path_seq: 2 }))).toEqual(superseded);
});

test('R4.1 a newcomer with live twins is rejected because of all of them, without a look', () => {
  const identical = (...ids: string[]) => ({
    do: 'reject',
    reason: 'known',
    basis: 'identical',
    grounds: ids.map((id) => ({ id, type: 'duplicate' })),
  });
  expect(next([admitted(A, TEXT), admitted(B), admitted(C, TEXT)])).toEqual(identical(A, C));
  expect(next([admitted(A), admitted(B, TEXT)], judgedAt(1, { [A]: said('subset', true) }))).toEqual(
    identical(B),
  );
});

test('R4.1 a twin that is gone at the next head was never looked at: the recall in full is still to come', () => {
  expect(next([admitted(A, TEXT), removed(A, TEXT)])).toEqual({ do: 'recall' });
  expect(
    next([admitted(A, TEXT), humanRejected(A, TEXT), restored(A, { ...TEXT, attempt: 3 }), removed(A, TEXT)]),
  ).toEqual({ do: 'recall' });
});

test('API a newcomer with the text of what a human rejected is blocked by it: no judge, also at its own path', () => {
  const blocked = {
    do: 'reject',
    reason: 'blocked',
    basis: 'blocked',
    grounds: [{ id: A, type: 'blocked' }],
  };
  expect(next([admitted(A, TEXT), humanRejected(A, TEXT)])).toEqual(blocked);
  expect(next([admitted(A, TEXT), humanRejected(A, TEXT)], judgedAt(1))).toEqual(blocked);
  const at_path = { ...TEXT, path: PATH };
  expect(
    next(
      [admitted(A, { ...at_path, path_seq: 1 }), humanRejected(A, at_path)],
      undefined,
      me({ path: PATH, path_seq: 2 }),
    ),
  ).toEqual(blocked);
});

test('API a live twin is a better reason than a block', () => {
  expect(next([admitted(A, TEXT), humanRejected(A, TEXT), admitted(B, TEXT)])).toMatchObject({
    reason: 'known',
    grounds: [{ id: B, type: 'duplicate' }],
  });
});

test('R4.7 what went live since the last look is judged, and what was judged before stands', () => {
  const view = judgedAt(1, { [A]: said('complement') });
  expect(next([admitted(A), admitted(B), rejected(C, [])], view)).toEqual({
    do: 'judge',
    position: 3,
    newly_live: [B],
    standing: new Map([[A, said('complement')]]),
  });
});

test('R4.7 what went live and may not be told to the newcomer’s readers, or is its predecessor, is not judged', () => {
  const drafts = [admitted(A, { scopes: ['org:a'] }), admitted(B, { path: PATH, path_seq: 1 })];
  expect(next(drafts, judgedAt(0), me({ path: PATH, path_seq: 2 }))).toEqual({
    do: 'admit',
    relations: new Map(),
  });
});

test('R4.7 an amended item counts as new: what was judged of it before is dropped', () => {
  const view = judgedAt(2, { [A]: said('subset', true), [B]: said('conflict') });
  expect(next([admitted(A), admitted(B), amended(A)], view)).toEqual({
    do: 'judge',
    position: 3,
    newly_live: [A],
    standing: new Map([[B, said('conflict')]]),
  });
});

test('R4.7 a ground that is no longer live is lost: the newcomer is admitted with what is left', () => {
  const view = judgedAt(2, { [A]: said('duplicate', true), [B]: said('conflict') });
  const relations = new Map([[B, said('conflict')]]);
  expect(next([admitted(A), admitted(B), removed(A)], view)).toEqual({ do: 'admit', relations });
  expect(next([admitted(A), admitted(B), humanRejected(A)], view)).toEqual({ do: 'admit', relations });
});

test('R4.2 a relation to an item that is no longer live is not written', () => {
  const view = judgedAt(2, { [A]: said('conflict'), [B]: said('complement') });
  expect(next([admitted(A), admitted(B), removed(B)], view)).toEqual({
    do: 'admit',
    relations: new Map([[A, said('conflict')]]),
  });
});

test('R4.2 R4.3 a rejection rests on the relations that are grounds, and on no other', () => {
  const view = judgedAt(3, {
    [A]: said('subset', true, 'superset'),
    [B]: said('conflict'),
    [C]: said('restates', true),
  });
  expect(next([admitted(A), admitted(B), admitted(C)], view)).toEqual({
    do: 'reject',
    reason: 'known',
    basis: 'judge',
    grounds: [
      { id: A, type: 'subset' },
      { id: C, type: 'restates' },
    ],
  });
});

test('R4.4 without a ground the newcomer is admitted with all its relations; a check of a candidate is nothing new', () => {
  const view = judgedAt(2, { [A]: said('superset', false, 'subset'), [B]: said('needs') });
  const relations = view.relations;
  expect(next([admitted(A), admitted(B)], view)).toEqual({ do: 'admit', relations });
  expect(next([admitted(A), admitted(B), checked(A)], view)).toEqual({ do: 'admit', relations });
  expect(next([], judgedAt(0))).toEqual({ do: 'admit', relations: new Map() });
});

test('R4.6 an attempt is decided when the ledger has its decision, or the item is removed', () => {
  const f = foldOf(ledger(admitted(A), admitted(B), checked(B), removed(C, { attempt: 1 })));
  const decided = (id: string, attempt: number) => isDecided(f, { id, attempt });
  expect([decided(A, 1), decided(A, 2)]).toEqual([true, false]);
  expect([decided(B, 2), decided(B, 3)]).toEqual([true, false]);
  expect([decided(C, 1), decided(C, 9), decided(ME, 1)]).toEqual([true, true, false]);
});

const stamp = { at: 1_773_757_900, decision_id: 'd-1' };
const document = itemRow({
  id: ME,
  kind: 'document',
  domain: 'payment',
  path: PATH,
  path_seq: 4,
  task: 'Timeout\nWhat to do',
  scopes: ['org:a'],
  fingerprint: 'f',
  attempt: 2,
  fields: {
    ...noFields,
    title: 'Timeout',
    keywords: ['ERR_TIMEOUT'],
    covers: ['late'],
    generated: ['keywords'],
  },
});
const common = {
  ...stamp,
  by: 'pipeline',
  item_id: ME,
  attempt: 2,
  path: PATH,
  path_seq: 4,
  fingerprint: 'f',
  scopes: ['org:a'],
};
const live = {
  kind: 'document',
  domain: 'payment',
  title: 'Timeout',
  keywords: ['ERR_TIMEOUT'],
  keywords_by_author: false,
  covers: ['late'],
};

test('R4.4 the entry of an admission: relations from the newcomer, the catalog’s payload, and who judged', () => {
  const relations = new Map([[A, said('superset', false, 'subset')]]);
  expect(decisionDraft(document, { do: 'admit', relations }, judgedAt(3), stamp)).toEqual({
    ...common,
    event: 'admitted',
    relations: [{ to: A, type: 'superset', reverse: 'subset' }],
    live,
    basis: 'judge',
    model: 'a model',
  });
});

test('R4.1 the entry of an admission without candidates names no model', () => {
  const view: View = { judged: 3, relations: new Map() };
  const entry = itemRow({ id: ME, task: 'a task' });
  expect(decisionDraft(entry, { do: 'admit', relations: new Map() }, view, stamp)).toEqual({
    ...stamp,
    by: 'pipeline',
    event: 'admitted',
    item_id: ME,
    attempt: 1,
    fingerprint: entry.fingerprint,
    scopes: [],
    relations: [],
    live: {
      kind: 'entry',
      domain: 'general',
      title: 'a task',
      keywords: [],
      keywords_by_author: true,
      covers: [],
    },
    basis: 'no_candidates',
  });
});

test('R4.5 the entry of an admission without a verdict is marked with why', () => {
  const view: View = { judged: 3, relations: new Map(), last_resort: 'the judge was away' };
  expect(decisionDraft(document, { do: 'admit', relations: new Map() }, view, stamp)).toEqual({
    ...common,
    event: 'admitted',
    relations: [],
    live,
    basis: 'last_resort',
    needs_review: 'the judge was away',
  });
});

test('R4.3 the entry of a rejection has reason and grounds, and neither relations nor payload', () => {
  const grounds = [{ id: A, type: 'subset' }];
  const step = { do: 'reject', reason: 'known', basis: 'judge', grounds } as const;
  const entry = { ...common, event: 'rejected', reason: 'known', basis: 'judge', grounds };
  expect(decisionDraft(document, { ...step, grounds: [...grounds] }, judgedAt(3), stamp)).toEqual({
    ...entry,
    model: 'a model',
  });
  expect(decisionDraft(document, { ...step, grounds: [...grounds] }, undefined, stamp)).toEqual(entry);
});

test('R6.2 the catalog keeps whether the author wrote the keywords, and a title in any case', () => {
  expect(payloadOf(document)).toEqual(live);
  const authored = { ...document.fields, generated: [] };
  expect(payloadOf({ ...document, fields: authored }).keywords_by_author).toBe(true);
  const untitled = { kind: 'entry', domain: 'd', fields: noFields } as const;
  expect(payloadOf({ ...untitled, task: 'first line\nsecond line' }).title).toBe('first line');
  expect(payloadOf({ ...untitled, task: '💳'.repeat(300) }).title).toBe('💳'.repeat(200));
});

test('R4.1 the newcomer is what its row says of identity, place, readers and text', () => {
  expect(newcomerOf(document)).toEqual({
    id: ME,
    path: PATH,
    path_seq: 4,
    scopes: ['org:a'],
    fingerprint: 'f',
  });
});
