import { expect, test } from 'vitest';
import type { Draft, Entry } from '#lib/core/entry.ts';
import { foldOf, step } from '#lib/core/fold.ts';
import { emptyFold, pathOf } from '#lib/core/fold-state.ts';
import {
  admitted,
  duplicateOf,
  humanRejected,
  idOf,
  imported,
  itemOf,
  ledger,
  rejected,
  removed,
  restored,
  statusOf,
  superseded,
} from '#test/support/ledger.ts';

const PATH = 'payment/timeout.md';
const [A, B, C, D] = [idOf(1), idOf(2), idOf(3), idOf(4)] as const;
const at = (path_seq: number) => ({ path: PATH, path_seq });

const lastChange = (entries: readonly Entry[]) => {
  const f = emptyFold();
  return entries.map((entry) => step(f, entry)).at(-1);
};
const statuses = (f: ReturnType<typeof foldOf>, ...ids: string[]) => ids.map((id) => statusOf(f, id));

test('R3.5 the first document at a path holds it and starts a lineage', () => {
  const f = foldOf(ledger(admitted(A, at(1))));
  expect(pathOf(f, PATH)).toEqual({ holder: A, maxseq: 1, delseq: 0, versions: new Set([A]) });
  expect(itemOf(f, A)).toMatchObject({ lineage: A, path: PATH, path_seq: 1 });
});

test('R3.5 an admitted successor retires the holder and carries its lineage on', () => {
  const entries = ledger(admitted(A, at(1)), admitted(B, at(2)), admitted(C, at(5)));
  const f = foldOf(entries);
  expect(statuses(f, A, B, C)).toEqual(['rejected replaced', 'rejected replaced', 'approved']);
  expect(pathOf(f, PATH)).toEqual({ holder: C, maxseq: 5, delseq: 0, versions: new Set([A, B, C]) });
  expect(itemOf(f, C).lineage).toBe(A);
  expect([...f.live.keys()]).toEqual([C]);
  expect(lastChange(entries)).toMatchObject({
    void: false,
    touched: new Set([B, C]),
    paths: new Set([PATH]),
    domains: new Set(['payment']),
  });
});

test('R3.5 the points of a replaced document stay with the lineage, and its successor is credited there', () => {
  const f = foldOf(
    ledger(
      admitted(A, at(1)),
      rejected(C, [duplicateOf(A)]),
      admitted(B, at(2)),
      rejected(D, [duplicateOf(B)]),
    ),
  );
  expect(Object.fromEntries(f.points)).toEqual({ [A]: 2 });
});

test('R3.5 what leaned on the replaced document waits for its next attempt', () => {
  const f = foldOf(ledger(admitted(A, at(1)), rejected(C, [duplicateOf(A)]), admitted(B, at(2))));
  expect(itemOf(f, C)).toMatchObject({ status: 'pending', grounds: [], attempt: 1 });
});

test('R3.5 an upload that is judged after a later one was admitted ends superseded, whatever its judge said', () => {
  const f = foldOf(ledger(admitted(B, at(2)), admitted(A, at(1)), superseded(C, at(1))));
  expect(statuses(f, A, B, C)).toEqual(['rejected superseded', 'approved', 'rejected superseded']);
  expect(pathOf(f, PATH)).toMatchObject({ holder: B, maxseq: 2 });
  expect(itemOf(f, A)).toMatchObject({ live_pos: 0, relations: [], grounds: [] });
});

test('R3.5 a rejected successor leaves the holder in force and the seq where it was', () => {
  const f = foldOf(ledger(admitted(C), admitted(A, at(1)), rejected(B, [duplicateOf(C)], at(2))));
  expect(statuses(f, A, B)).toEqual(['approved', 'rejected known']);
  expect(pathOf(f, PATH)).toEqual({ holder: A, maxseq: 1, delseq: 0, versions: new Set([A, B]) });
});

test('R3.6 a removal with a seq ends every lower version at the path, decided or not, for good', () => {
  const entries = ledger(
    admitted(A, at(1)),
    admitted(B, at(2)),
    rejected(C, [duplicateOf(D)], at(3)),
    removed(B, at(4)),
    admitted(D, at(3)),
  );
  const f = foldOf(entries);
  expect(statuses(f, A, B, C, D)).toEqual(['removed', 'removed', 'removed', 'removed']);
  expect(pathOf(f, PATH)).toEqual({
    holder: undefined,
    maxseq: 4,
    delseq: 4,
    versions: new Set([A, B, C, D]),
  });
  expect(f.live.size).toBe(0);
  expect(lastChange(entries.slice(0, 4))).toMatchObject({
    touched: new Set([A, B, C]),
    paths: new Set([PATH]),
    domains: new Set(['payment']),
  });
});

test('R3.6 a version that was superseded by a removal ends removed, not superseded', () => {
  const f = foldOf(ledger(admitted(A, at(1)), removed(A, at(3)), superseded(B, at(2))));
  expect(statusOf(f, B)).toBe('removed');
});

test('R3.6 what leaned on any version that a removal ends waits again', () => {
  const f = foldOf(
    ledger(admitted(A, at(1)), humanRejected(A, { path: PATH }), admitted(B, at(2)), removed(B, at(3))),
  );
  expect(statuses(f, A, B)).toEqual(['removed', 'removed']);
  const leaning = foldOf(
    ledger(
      admitted(A, at(1)),
      rejected(C, [duplicateOf(A)]),
      humanRejected(A, { path: PATH }),
      admitted(B, at(2)),
      removed(B, at(3)),
    ),
  );
  expect(statusOf(leaning, C)).toBe('pending');
});

test('R3.6 a deleted path takes a later upload, which starts a new lineage', () => {
  const f = foldOf(
    ledger(admitted(A, at(1)), rejected(D, [duplicateOf(A)]), removed(A, at(2)), admitted(B, at(3))),
  );
  expect(pathOf(f, PATH)).toMatchObject({ holder: B, maxseq: 3, delseq: 2 });
  expect(itemOf(f, B).lineage).toBe(B);
  expect(Object.fromEntries(f.points)).toEqual({ [A]: 1 });
});

test('R3.6 the removal of another version without a seq ends that item alone', () => {
  const f = foldOf(ledger(admitted(A, at(1)), admitted(B, at(2)), removed(A, { path: PATH })));
  expect(statuses(f, A, B)).toEqual(['removed', 'approved']);
  expect(pathOf(f, PATH)).toMatchObject({ holder: B, maxseq: 2, delseq: 0 });
});

test('R3.6 a removal with a seq that comes after a later upload was admitted spares that', () => {
  const f = foldOf(ledger(admitted(A, at(1)), admitted(B, at(3)), removed(A, at(2))));
  expect(statuses(f, A, B)).toEqual(['removed', 'approved']);
  expect(pathOf(f, PATH)).toMatchObject({ holder: B, maxseq: 3, delseq: 2 });
});

test('API a human who rejects the holder frees the path; the next upload starts a lineage', () => {
  const entries = ledger(admitted(A, at(1)), humanRejected(A, { path: PATH }));
  expect(pathOf(foldOf(entries), PATH)).toEqual({
    holder: undefined,
    maxseq: 1,
    delseq: 0,
    versions: new Set([A]),
  });
  expect(lastChange(entries)).toMatchObject({ paths: new Set([PATH]), domains: new Set(['payment']) });
  const f = foldOf(ledger(admitted(A, at(1)), humanRejected(A, { path: PATH }), admitted(B, at(2))));
  expect([statusOf(f, A), itemOf(f, B).lineage]).toEqual(['rejected human', B]);
});

test('API an item restored at a free path holds it under its new seq and starts a lineage', () => {
  const f = foldOf(
    ledger(admitted(A, at(1)), admitted(B, at(2)), humanRejected(B, { path: PATH }), restored(A, at(3))),
  );
  expect(pathOf(f, PATH)).toMatchObject({ holder: A, maxseq: 3 });
  expect(itemOf(f, A)).toMatchObject({ status: 'approved', lineage: A, path_seq: 3 });
  const back = foldOf(
    ledger(
      admitted(A, at(1)),
      admitted(B, at(2)),
      humanRejected(B, { path: PATH }),
      restored(B, { ...at(3), attempt: 3 }),
    ),
  );
  expect(itemOf(back, B)).toMatchObject({ status: 'approved', lineage: B });
});

test('R3.5 only what makes live, and a removal, raises the seq of a path', () => {
  const raised = (...drafts: Draft[]) => pathOf(foldOf(ledger(admitted(A, at(1)), ...drafts)), PATH).maxseq;
  expect(raised(admitted(B, at(7)))).toBe(7);
  expect(raised(imported(B, at(7)))).toBe(7);
  expect(raised(removed(A, at(7)))).toBe(7);
  expect(raised(rejected(B, [], at(7)))).toBe(1);
  expect(raised(superseded(B, at(7)))).toBe(1);
  expect(raised(humanRejected(A, at(7)))).toBe(1);
});
