import { expect, test } from 'vitest';
import type { Entry } from '#lib/core/entry.ts';
import { foldOf, step } from '#lib/core/fold.ts';
import { emptyFold, isRemoved } from '#lib/core/fold-state.ts';
import {
  admitted,
  amended,
  blockedBy,
  checked,
  condensed,
  duplicateOf,
  humanRejected,
  idOf,
  imported,
  itemOf,
  ledger,
  payload,
  rejected,
  relatedTo,
  removed,
  restored,
  statusOf,
  subsetOf,
} from '#test/support/ledger.ts';

const [A, B, C, D] = [idOf(1), idOf(2), idOf(3), idOf(4)] as const;

/** Steps through all entries and returns what the last one changed. */
function lastChange(entries: readonly Entry[]) {
  const f = emptyFold();
  const changes = entries.map((entry) => step(f, entry));
  return { f, change: changes.at(-1) };
}

test('R4.4 an admitted item is live, with its relations, payload and a lineage of its own', () => {
  const relations = [relatedTo(B, 'conflict')];
  const { f, change } = lastChange(ledger(admitted(B), admitted(A, { relations })));
  const { decided, ...state } = itemOf(f, A);
  expect(state).toEqual({
    id: A,
    status: 'approved',
    attempt: 1,
    live_pos: 2,
    grounds: [],
    relations,
    credited: new Set(),
    lineage: A,
    fingerprint: `fingerprint of ${A}`,
    scopes: [],
    live: payload(),
    payloads: [2],
  });
  expect(decided).toEqual({ position: 2, at: change?.entry.at });
  expect({ ...change, entry: undefined }).toEqual({
    entry: undefined,
    void: false,
    touched: new Set([A]),
    credits: [],
    domains: new Set(['payment']),
    paths: new Set(),
  });
  expect([...f.live]).toEqual([
    [B, 1],
    [A, 2],
  ]);
  expect(f.fingerprints.get(`fingerprint of ${A}`)).toEqual(new Set([A]));
});

test('R4.3 a rejected newcomer is not live, leans on its grounds, and credits the duplicate and the subset but no coined ground', () => {
  const grounds = [duplicateOf(A), subsetOf(B), { id: C, type: 'restates' }];
  const { f, change } = lastChange(ledger(admitted(A), admitted(B), admitted(C), rejected(D, grounds)));
  expect(statusOf(f, D)).toBe('rejected known');
  expect(itemOf(f, D)).toMatchObject({ grounds, live_pos: 0, attempt: 1, credited: new Set([A, B]) });
  expect(change?.credits).toEqual([
    { lineage: A, ground_id: A, type: 'duplicate' },
    { lineage: B, ground_id: B, type: 'subset' },
  ]);
  expect(Object.fromEntries(f.points)).toEqual({ [A]: 1, [B]: 1 });
  expect(f.leaners).toEqual(
    new Map([
      [A, new Set([D])],
      [B, new Set([D])],
      [C, new Set([D])],
    ]),
  );
  expect(f.live.has(D)).toBe(false);
  expect([...(change?.domains ?? [])]).toEqual([]);
});

test('R4.3 a rejection for a reason other than known gives no point', () => {
  const f = foldOf(
    ledger(admitted(A), humanRejected(A), rejected(B, [blockedBy(A), duplicateOf(A)], { reason: 'blocked' })),
  );
  expect(statusOf(f, B)).toBe('rejected blocked');
  expect(f.points.size).toBe(0);
});

test('R4.3 one newcomer credits one lineage once, over all its attempts', () => {
  const f = foldOf(
    ledger(
      admitted(A, { path: 'd/a.md', path_seq: 1 }),
      rejected(B, [duplicateOf(A)]),
      admitted(C, { path: 'd/a.md', path_seq: 2 }),
      rejected(B, [subsetOf(C)], { attempt: 2 }),
    ),
  );
  expect(itemOf(f, C).lineage).toBe(A);
  expect(statusOf(f, B)).toBe('rejected known');
  expect(Object.fromEntries(f.points)).toEqual({ [A]: 1 });
});

test('R4.3 two grounds of one lineage in two attempts are one point, of two lineages two', () => {
  const f = foldOf(
    ledger(
      admitted(A),
      rejected(B, [duplicateOf(A)]),
      removed(A),
      admitted(C),
      rejected(B, [duplicateOf(C)], { attempt: 2 }),
    ),
  );
  expect(Object.fromEntries(f.points)).toEqual({ [A]: 1, [C]: 1 });
});

test.each([
  ['admitted twice', [admitted(A), admitted(A)]],
  ['rejected after it was admitted', [admitted(A), rejected(A, [duplicateOf(B)])]],
  ['admitted of an attempt that is not next', [admitted(A, { attempt: 2 })]],
  ['admitted again while live', [admitted(A), admitted(A, { attempt: 2 })]],
  ['admitted again while rejected and not pending', [rejected(A, []), admitted(A, { attempt: 2 })]],
  ['admitted after its removal', [admitted(A), removed(A), admitted(A, { attempt: 2 })]],
  ['restored after its removal', [humanRejected(A), removed(A), restored(A, { attempt: 1 })]],
  ['a check of an unknown item', [checked(A, { attempt: 1 })]],
  ['a check of a rejected item', [rejected(A, []), checked(A)]],
  ['a check of a pending item', [admitted(B), rejected(A, [duplicateOf(B)]), removed(B), checked(A)]],
  ['a check with an old attempt', [admitted(A), checked(A), checked(A)]],
  ['a human rejection of a rejected item', [rejected(A, []), humanRejected(A)]],
  ['a human rejection of an unknown item', [humanRejected(A, { attempt: 1 })]],
  ['a restoration of a live item', [admitted(A), restored(A)]],
  ['a restoration of a pending item', [admitted(B), rejected(A, [duplicateOf(B)]), removed(B), restored(A)]],
  ['an amendment of a rejected item', [rejected(A, []), amended(A)]],
  ['an amendment of an unknown item', [amended(A)]],
  ['an import of a known item', [admitted(A), imported(A)]],
  ['an import of a removed item', [admitted(A), removed(A), imported(A)]],
])('R4.6 R4.7 %s is void: it moves the position and changes nothing else', (_, drafts) => {
  const entries = ledger(...drafts);
  const before = foldOf(entries.slice(0, -1));
  const { f, change } = lastChange(entries);
  const decisions = f.decisions;
  expect(change).toEqual({
    entry: entries.at(-1),
    void: true,
    touched: new Set(),
    credits: [],
    domains: new Set(),
    paths: new Set(),
  });
  // A void entry's payload is remembered, so that it is erased with its item (R3.6).
  for (const [id, item] of f.items) item.payloads = before.items.get(id)!.payloads;
  expect({ ...f, decisions }).toEqual({ ...before, position: before.position + 1, decisions });
});

test('R4.7 who lost a position can tell by its decision id whether its own entry counted; the pipeline keeps none', () => {
  const f = foldOf(
    ledger(
      admitted(A, { decision_id: 'of the pipeline' }),
      checked(A, { decision_id: 'first' }),
      humanRejected(A, { decision_id: 'second' }),
    ),
  );
  expect(f.decisions).toEqual(
    new Map([
      ['first', true],
      ['second', false],
    ]),
  );
});

test('R4.7 the fold stops at a gap, and at an entry that it does not know', () => {
  const [first, , third] = ledger(admitted(A), admitted(B), admitted(C)) as [Entry, Entry, Entry];
  const gap = foldOf([first, third]);
  expect([gap.position, [...gap.live.keys()]]).toEqual([1, [A]]);
  const of_tomorrow = { ...admitted(B), event: 'forgotten', position: 2 } as unknown as Entry;
  const f = foldOf([first]);
  expect(step(f, of_tomorrow)).toBeUndefined();
  expect(step(f, third)).toBeUndefined();
  expect(step(f, first)).toBeUndefined();
  expect(f).toEqual(foldOf([first]));
});

test('R3.2 an amendment of a live item replaces its payload and makes it new; a checked one stays checked', () => {
  const live = payload('payment', 'its title at last');
  const { f, change } = lastChange(
    ledger(admitted(A), checked(A), admitted(B), amended(A, { live, attempt: 2 })),
  );
  expect(itemOf(f, A)).toMatchObject({ status: 'checked', attempt: 2, live_pos: 4, live, payloads: [1, 4] });
  expect([...f.live]).toEqual([
    [B, 3],
    [A, 4],
  ]);
  expect(change).toMatchObject({ void: false, touched: new Set([A]), domains: new Set(['payment']) });
});

test('R3.1 an imported item is approved without a decision of the pipeline', () => {
  const f = foldOf(ledger(imported(A)));
  expect(itemOf(f, A)).toMatchObject({ status: 'approved', attempt: 1, live_pos: 1, lineage: A });
});

test('R3.6 a removed item is gone for good, its payload too, and its domain is to be recomputed', () => {
  const { f, change } = lastChange(ledger(admitted(A), amended(A), removed(A)));
  expect(isRemoved(f, A)).toBe(true);
  expect(itemOf(f, A)).toMatchObject({ status: 'removed', live: undefined, payloads: [1, 2] });
  expect([f.live.size, f.fingerprints.get(`fingerprint of ${A}`)]).toEqual([0, new Set()]);
  expect(change).toMatchObject({ void: false, touched: new Set([A]), domains: new Set(['payment']) });
});

test('R3.6 an item that was never decided can be removed: what its worker says later is void', () => {
  const f = foldOf(ledger(removed(A, { attempt: 1 }), admitted(A)));
  expect([statusOf(f, A), f.live.size]).toEqual(['removed', 0]);
});

test('R3.6 what leaned on a removed item waits for its next attempt, and leans on nothing', () => {
  const { f, change } = lastChange(
    ledger(admitted(A), admitted(B), rejected(C, [duplicateOf(A), subsetOf(B)]), removed(A)),
  );
  expect(itemOf(f, C)).toMatchObject({ status: 'pending', reason: undefined, attempt: 1, grounds: [] });
  expect(change?.touched).toEqual(new Set([A, C]));
  expect(f.leaners.get(B)).toEqual(new Set());
  expect(
    statusOf(
      foldOf(ledger(admitted(A), rejected(C, [duplicateOf(A)]), removed(A), admitted(C, { attempt: 2 }))),
      C,
    ),
  ).toBe('approved');
});

test('R3.6 what was blocked by an item waits again once that is removed', () => {
  const f = foldOf(
    ledger(admitted(A), humanRejected(A), rejected(B, [blockedBy(A)], { reason: 'blocked' }), removed(A)),
  );
  expect([statusOf(f, A), statusOf(f, B)]).toEqual(['removed', 'pending']);
});

test('R3.6 an item that was restored meanwhile does not wait again when its former ground is removed', () => {
  const f = foldOf(ledger(admitted(A), rejected(B, [duplicateOf(A)]), restored(B), removed(A)));
  expect(statusOf(f, B)).toBe('approved');
});

test('API condensed: the result is live, its sources end and can be told by the reason, what leaned on them waits', () => {
  const f = foldOf(
    ledger(admitted(A), checked(A), admitted(B), rejected(D, [subsetOf(A)]), condensed(C, [A, B])),
  );
  expect([A, B, C, D].map((id) => statusOf(f, id))).toEqual([
    'rejected condensed',
    'rejected condensed',
    'approved',
    'pending',
  ]);
  expect([...f.live.keys()]).toEqual([C]);
});

test.each([
  ['unknown', []],
  ['rejected', [rejected(B, [])]],
  ['removed', [admitted(B), removed(B)]],
])('API condensed counts for nothing when one of its sources is %s', (_, drafts) => {
  const f = foldOf(ledger(admitted(A), ...drafts, condensed(C, [A, B])));
  expect([statusOf(f, A), statusOf(f, C)]).toEqual(['approved', 'unknown']);
});
