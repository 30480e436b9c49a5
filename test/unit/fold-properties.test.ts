import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { createMemoryLedger } from '#lib/adapters/memory/ledger.ts';
import { type Entry, Event } from '#lib/core/entry.ts';
import { foldOf, step } from '#lib/core/fold.ts';
import { emptyFold, type Fold, type ItemState, isLiveState, type Table } from '#lib/core/fold-state.ts';
import { createCatalog } from '#lib/usecases/instance.ts';
import { AnyLedger } from '#test/support/random-ledger.ts';

const always = (holds: (entries: Entry[], f: Fold) => void) =>
  fc.assert(
    fc.property(AnyLedger, (entries) => holds(entries, foldOf(entries))),
    { numRuns: 500 },
  );

const byItem = (f: Fold, value: (item: ItemState) => Iterable<string>): Map<string, Set<string>> => {
  const found = new Map<string, Set<string>>();
  for (const item of f.items.values())
    for (const key of value(item)) found.set(key, (found.get(key) ?? new Set()).add(item.id));
  return found;
};
const withoutEmpty = (map: Table<Set<string>>) => new Map([...map].filter(([, ids]) => ids.size > 0));

test('R4.7 the random ledgers say something: every event counts somewhere, and every status is reached', () => {
  const counted = new Set<string>();
  const statuses = new Set<string>();
  // The same ledgers each time, and enough of them: what is rare must not be left to chance.
  for (const entries of fc.sample(AnyLedger, { numRuns: 1000, seed: 1 })) {
    const f = emptyFold();
    for (const entry of entries) if (step(f, entry)?.void === false) counted.add(entry.event);
    for (const { status, reason } of f.items.values()) statuses.add(reason ?? status);
  }
  expect([...counted].sort()).toEqual([...Event.options].sort());
  expect([...statuses].sort()).toEqual([
    'approved',
    'blocked',
    'checked',
    'condensed',
    'human',
    'known',
    'pending',
    'removed',
    'replaced',
    'superseded',
  ]);
});

test('R4.7 the fold of a ledger is always the same, and a prefix then the rest is the whole', () => {
  fc.assert(
    fc.property(AnyLedger, fc.nat(40), (entries, cut) => {
      const whole = foldOf(entries);
      expect(foldOf(structuredClone(entries))).toEqual(whole);
      const f = foldOf(entries.slice(0, cut));
      for (const entry of entries.slice(cut)) step(f, entry);
      expect(f).toEqual(whole);
    }),
  );
});

test('R4.7 a catalog that is handed entries again, in any pages, is the fold of the ledger', () => {
  fc.assert(
    fc.property(AnyLedger, fc.array(fc.tuple(fc.nat(40), fc.nat(40))), (entries, pages) => {
      const catalog = createCatalog(createMemoryLedger());
      for (const [from, length] of pages) catalog.apply(entries.slice(from, from + length));
      catalog.apply(entries);
      catalog.apply(entries);
      expect(catalog.fold).toEqual(foldOf(entries));
    }),
  );
});

test('R3.5 a path has at most one live item, its holder, of the highest seq that came into force', () => {
  always((_, f) => {
    for (const [path, { holder, maxseq, delseq }] of f.paths) {
      const live = [...f.items.values()].filter((item) => item.path === path && isLiveState(item));
      expect(live.map(({ id }) => id)).toEqual(holder === undefined ? [] : [holder]);
      for (const { path_seq = 0 } of live) expect(path_seq).toBe(maxseq);
      expect(delseq).toBeLessThanOrEqual(maxseq);
    }
  });
});

test('R4.7 the live map holds the live items, in the order in which they went live or changed', () => {
  always((_, f) => {
    const live = [...f.items.values()].filter(isLiveState);
    const sorted = live.sort((a, b) => a.live_pos - b.live_pos).map((item) => [item.id, item.live_pos]);
    expect([...f.live]).toEqual(sorted);
  });
});

test('R4.1 the fingerprint map holds what is live and what a human rejected, under its text', () => {
  always((_, f) => {
    const counts = (item: ItemState) => isLiveState(item) || item.reason === 'human';
    expect(withoutEmpty(f.fingerprints)).toEqual(
      byItem(f, (item) => (counts(item) ? [item.fingerprint] : [])),
    );
  });
});

test('R3.6 API what is rejected rests on what is live or was rejected by a human, and is marked for the latter', () => {
  always((_, f) => {
    for (const item of f.items.values()) {
      if (item.status !== 'rejected') expect(item.grounds).toEqual([]);
      const grounds = item.grounds.map(({ id, type }) => ({ type, state: f.items.get(id)! }));
      for (const { state } of grounds) expect(isLiveState(state) || state.reason === 'human').toBe(true);
      if (grounds.some(({ type, state }) => type !== 'blocked' && state.reason === 'human'))
        expect(item.needs_review).toMatch(/^its ground knowledge-\S+ was rejected by a human$/);
    }
    expect(withoutEmpty(f.leaners)).toEqual(byItem(f, (item) => item.grounds.map(({ id }) => id)));
  });
});

test('R4.3 the points of all lineages are what the items have credited, one each, and what the changes said', () => {
  always((entries, f) => {
    const credited = byItem(f, (item) => item.credited);
    expect(f.points).toEqual(new Map([...credited].map(([lineage, ids]) => [lineage, ids.size])));
    const again = emptyFold();
    const credits = entries.flatMap((entry) => step(again, entry)?.credits ?? []);
    expect(credits.length).toBe([...f.points.values()].reduce((sum, n) => sum + n, 0));
  });
});

test('R3.6 nothing brings a removed item back', () => {
  always((entries) => {
    const f = emptyFold();
    const gone = new Set<string>();
    for (const entry of entries) {
      step(f, entry);
      for (const id of gone) expect(f.items.get(id)?.status).toBe('removed');
      for (const { id, status } of f.items.values()) if (status === 'removed') gone.add(id);
    }
  });
});

test('R4.3 an attempt counts once: of several decisions on one, the first', () => {
  always((entries) => {
    const f = emptyFold();
    const decided = new Set<string>();
    for (const entry of entries) {
      const counted = step(f, entry)?.void === false;
      if (!counted || !['admitted', 'rejected', 'checked', 'restored'].includes(entry.event)) continue;
      const attempt = `${entry.item_id} ${entry.attempt}`;
      expect(decided).not.toContain(attempt);
      decided.add(attempt);
    }
  });
});
