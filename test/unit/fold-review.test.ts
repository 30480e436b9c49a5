import { expect, test } from 'vitest';
import { foldOf, step } from '#lib/core/fold.ts';
import {
  admitted,
  blockedBy,
  checked,
  duplicateOf,
  humanRejected,
  idOf,
  itemOf,
  ledger,
  rejected,
  removed,
  restored,
  statusOf,
} from '#test/support/ledger.ts';

const [A, B, C] = [idOf(1), idOf(2), idOf(3)] as const;

test('API checked: the item stays live with its place and its payload, and is a version further', () => {
  const f = foldOf(ledger(admitted(A, { needs_review: 'the judge was away' }), checked(A)));
  expect(itemOf(f, A)).toMatchObject({ status: 'checked', attempt: 2, live_pos: 1, needs_review: undefined });
  expect([...f.live]).toEqual([[A, 1]]);
});

test('API what a human rejects is no longer live, and stays in the fingerprint map as a block', () => {
  const f = foldOf(ledger(admitted(A), humanRejected(A, { note: 'wrong' })));
  expect(itemOf(f, A)).toMatchObject({ status: 'rejected', reason: 'human', grounds: [], attempt: 2 });
  expect([f.live.size, f.fingerprints.get(`fingerprint of ${A}`)]).toEqual([0, new Set([A])]);
});

test('API the block ends when the item is removed, and turns into a twin when it is restored', () => {
  const fingerprint = `fingerprint of ${A}`;
  const gone = foldOf(ledger(admitted(A), humanRejected(A), removed(A)));
  expect(gone.fingerprints.get(fingerprint)).toEqual(new Set());
  const back = foldOf(ledger(admitted(A), humanRejected(A), restored(A, { attempt: 3 })));
  expect([statusOf(back, A), back.fingerprints.get(fingerprint)]).toEqual(['approved', new Set([A])]);
});

test('API a rejection by the pipeline is no block: its fingerprint is not kept', () => {
  const f = foldOf(ledger(admitted(A), rejected(B, [duplicateOf(A)])));
  expect([...(f.fingerprints.get(`fingerprint of ${B}`) ?? [])]).toEqual([]);
});

test('API what leaned on an item that a human rejects stays rejected and is marked', () => {
  const f = foldOf(ledger(admitted(A), rejected(B, [duplicateOf(A)])));
  const change = step(f, { ...humanRejected(A), position: 3 });
  expect(itemOf(f, B)).toMatchObject({
    status: 'rejected',
    reason: 'known',
    grounds: [duplicateOf(A)],
    needs_review: `its ground ${A} was rejected by a human`,
  });
  expect(change?.touched).toEqual(new Set([A, B]));
});

test('API the mark goes when the ground is restored', () => {
  const f = foldOf(ledger(admitted(A), rejected(B, [duplicateOf(A)]), humanRejected(A)));
  const change = step(f, { ...restored(A, { attempt: 3 }), position: 4 });
  expect(itemOf(f, B)).toMatchObject({ status: 'rejected', reason: 'known', needs_review: undefined });
  expect(change?.touched).toEqual(new Set([A, B]));
});

test('API the mark goes when the marked item is judged again', () => {
  const f = foldOf(
    ledger(
      admitted(A),
      rejected(B, [duplicateOf(A)]),
      humanRejected(A),
      removed(A),
      admitted(C),
      rejected(B, [duplicateOf(C)], { attempt: 2 }),
    ),
  );
  expect(itemOf(f, B)).toMatchObject({
    status: 'rejected',
    grounds: [duplicateOf(C)],
    needs_review: undefined,
  });
});

test('API a marked item that a human restores is live and leans on nothing any more', () => {
  const f = foldOf(ledger(admitted(A), rejected(B, [duplicateOf(A)]), humanRejected(A), restored(B)));
  expect(itemOf(f, B)).toMatchObject({
    status: 'approved',
    reason: undefined,
    grounds: [],
    needs_review: undefined,
  });
  expect(f.leaners.get(A)).toEqual(new Set());
});

test('API a blocked item stays rejected when the block is restored: it is then a twin of what is live', () => {
  const f = foldOf(
    ledger(
      admitted(A),
      humanRejected(A),
      rejected(B, [blockedBy(A)], { reason: 'blocked' }),
      restored(A, { attempt: 3 }),
    ),
  );
  expect(itemOf(f, B)).toMatchObject({ status: 'rejected', reason: 'blocked', grounds: [blockedBy(A)] });
});

test('R4.5 an item admitted without a verdict carries the mark that its entry gives it', () => {
  const f = foldOf(ledger(admitted(A, { basis: 'last_resort', needs_review: 'the judge was away' })));
  expect(itemOf(f, A)).toMatchObject({ status: 'approved', needs_review: 'the judge was away' });
});
