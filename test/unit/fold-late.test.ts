import { expect, test } from 'vitest';
import { foldOf } from '#lib/core/fold.ts';
import { isLiveState } from '#lib/core/fold-state.ts';
import {
  admitted,
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
const at = (path_seq: number) => ({ path: 'd/a.md', path_seq });

// two grounds, both rejected by a human; one is restored: the other still stands rejected, so the mark must stay
// (crash.md, invariant 5: "rests on X, which a human rejected, and is not marked").
test('R4.3 the mark stays while another ground is still rejected by a human', () => {
  const f = foldOf(
    ledger(
      admitted(A),
      admitted(B),
      rejected(C, [duplicateOf(A), duplicateOf(B)]),
      humanRejected(A),
      humanRejected(B),
      restored(A, { attempt: 3 }),
    ),
  );
  expect(itemOf(f, C).needs_review).toBe(`its ground ${B} was rejected by a human`);
});

// a restoration that loses the race for its path ends superseded: what leaned on it leans on something that is
// neither live nor a human's rejection (invariant 5), and keeps its mark for good.
test('R4.8 what leaned on an item whose restoration is superseded does not rest on it for good', () => {
  const f = foldOf(
    ledger(
      admitted(A, at(1)),
      rejected(C, [duplicateOf(A)]),
      humanRejected(A, { path: 'd/a.md' }),
      admitted(B, at(3)),
      humanRejected(B, { path: 'd/a.md' }),
      restored(A, { ...at(2), attempt: 3 }),
    ),
  );
  expect([statusOf(f, A), statusOf(f, C)]).toEqual(['rejected superseded', 'pending']);
});

// the payload of an entry that ends superseded or removed on arrival is not remembered, so it is never erased.
test('R3.6 the payload of a superseded restoration is erased with its item', () => {
  const f = foldOf(
    ledger(
      admitted(A, at(1)),
      humanRejected(A, { path: 'd/a.md' }),
      admitted(B, at(3)),
      restored(A, { ...at(2), attempt: 3 }),
      removed(A, { path: 'd/a.md' }),
    ),
  );
  expect(itemOf(f, A).payloads).toEqual([1, 4]);
});

// No writer does this: `legal` looks at the writer only: the pipeline's `checked` or `restored` on an
// unknown item counts, and makes a state `checked` that is not in the live map.
test('R4.6 a check by the pipeline on an unknown item is void', () => {
  const f = foldOf(ledger(checked(A, { by: 'pipeline', attempt: 1 })));
  expect([isLiveState(f.items.get(A)), f.live.size]).toEqual([false, 0]);
});
test('R4.6 an admission by a human of a live item is void', () => {
  const f = foldOf(
    ledger(admitted(A, at(1)), admitted(B, at(2)), admitted(B, { ...at(3), by: 'a human', attempt: 2 })),
  );
  expect(itemOf(f, B).lineage).toBe(A);
});

// a restored entry with another fingerprint leaves the old one in the map; a human rejection that
// names grounds stays in the fingerprint map when one of them ends.
test('R4.1 the fingerprint map follows an item whose fingerprint changes', () => {
  const f = foldOf(
    ledger(
      admitted(A, { fingerprint: 'old' }),
      humanRejected(A, { fingerprint: 'old' }),
      restored(A, { fingerprint: 'new', attempt: 3 }),
    ),
  );
  expect([f.fingerprints.get('old')?.size ?? 0, f.fingerprints.get('new')?.size]).toEqual([0, 1]);
});
