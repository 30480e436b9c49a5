import { expect, test } from 'vitest';
import { emptyFold } from '#lib/core/fold-state.ts';
import { applyEntry, createRecentChanges } from '#lib/usecases/recent-changes.ts';
import { admitted, idOf, ledger, relatedTo, superseded } from '#test/support/ledger.ts';

/** The fold and the recent changes after so many entries, each about an item of its own. */
function after(count: number) {
  const f = emptyFold();
  const recent = createRecentChanges();
  const entries = ledger(...Array.from({ length: count }, (_, n) => admitted(idOf(n))));
  for (const entry of entries) recent.add(applyEntry(f, entry)!);
  const positions = (from: number) => recent.after(from, f)?.map(({ change }) => change.entry.position);
  return { f, recent, positions, entries };
}

test('R6.9 what came after W is known up to the head of the fold, in order', () => {
  const { positions } = after(5);
  expect([0, 3, 4, 5].map(positions)).toEqual([[1, 2, 3, 4, 5], [4, 5], [5], []]);
});

test('R6.9 a W that this fold has not reached is not known', () => {
  expect(after(2).positions(3)).toBeUndefined();
});

test('R6.9 the last thousand are kept at least, and not all', () => {
  const { positions } = after(2500);
  expect(positions(1500)).toHaveLength(1000);
  expect(positions(0)).toBeUndefined();
});

test('R6.9 after a fold that was loaded from elsewhere nothing before it is known', () => {
  const { f, recent } = after(3);
  const later = emptyFold();
  const loaded = ledger(...Array.from({ length: 6 }, (_, n) => admitted(idOf(n))));
  const last = loaded.map((entry) => applyEntry(later, entry)!).at(-1)!;
  expect(recent.after(2, later)).toBeUndefined();
  recent.add(last);
  expect(recent.after(2, later)).toBeUndefined();
  expect(recent.after(5, later)).toEqual([last]);
  expect(f.position).toBe(3);
});

test('R2.4 an entry that made its item live says so, also when the item has changed since', () => {
  const f = emptyFold();
  const at = (path_seq: number) => ({ path: 'payment/a.md', path_seq });
  const [first, second, late] = ledger(
    admitted(idOf(1), { ...at(2), relations: [relatedTo(idOf(9), 'complement')] }),
    admitted(idOf(2), at(3)),
    superseded(idOf(3), at(1)),
  ).map((entry) => applyEntry(f, entry)!);
  expect([first, second, late].map((applied) => applied?.made_live)).toEqual([true, true, false]);
  expect(f.items.get(idOf(1))?.status).toBe('rejected');
});
