import { createHash } from 'node:crypto';
import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { decodeSnapshot } from '#lib/core/catalog-snapshot.ts';
import { encodeSnapshot, SNAPSHOT_SCHEMA } from '#lib/core/catalog-snapshot-write.ts';
import type { Entry } from '#lib/core/entry.ts';
import { foldOf, step } from '#lib/core/fold.ts';
import { followChange } from '#lib/core/fold-keywords.ts';
import { emptyFold, type Fold } from '#lib/core/fold-state.ts';
import { emptyKeywordIndex, findByKeyword, type KeywordIndex } from '#lib/core/keyword-index.ts';
import { keywordsFromColumns, keywordsToColumns } from '#lib/core/keyword-snapshot.ts';
import { plainFold } from '#test/support/plain-fold.ts';
import { AnyLedger } from '#test/support/random-ledger.ts';

const headOf = (entries: readonly Entry[]): string => entries.at(-1)?.decision_id ?? '';

const stored = (f: Fold, head: string) => decodeSnapshot(encodeSnapshot(f, head));

/** Everything that the fold says, and in which order it says it. */
const said = (f: Fold) => {
  const { items, paths, fingerprints, live, leaners, related, points, decisions } = plainFold(f);
  const tables = { items, paths, fingerprints, live, leaners, related, points, decisions };
  return {
    f: plainFold(f),
    orders: Object.values(tables).map((table) => [...table.keys()]),
    sets: [fingerprints, leaners, related].map((table) => [...table.values()].map((ids) => [...ids])),
  };
};

test('R4.7 a fold from a snapshot and the tail is the fold from the first entry on, snapshots of such folds included', () => {
  fc.assert(
    fc.property(AnyLedger, fc.array(fc.nat(40), { minLength: 1, maxLength: 3 }), (entries, places) => {
      const cuts = places.map((place) => Math.min(Math.max(1, place), entries.length)).sort((a, b) => a - b);
      fc.pre(entries.length > 0);
      let f = foldOf(entries.slice(0, cuts[0]));
      for (const [n, cut] of cuts.entries()) {
        const loaded = stored(f, headOf(entries.slice(0, cut)));
        expect([loaded.position, loaded.head]).toEqual([cut, `decision ${cut}`]);
        f = loaded.fold();
        expect(said(f)).toEqual(said(foldOf(entries.slice(0, cut))));
        for (const entry of entries.slice(cut, cuts[n + 1])) step(f, entry);
      }
      expect(said(f)).toEqual(said(foldOf(entries)));
    }),
    { numRuns: 200 },
  );
});

test('R4.7 what an entry changes is the same on a loaded fold', () => {
  fc.assert(
    fc.property(AnyLedger, fc.nat(40), (entries, place) => {
      fc.pre(entries.length > 0);
      const cut = Math.min(Math.max(1, place), entries.length);
      const plain = foldOf(entries.slice(0, cut));
      const loaded = stored(plain, '').fold();
      for (const entry of entries.slice(cut)) expect(step(loaded, entry)).toEqual(step(plain, entry));
    }),
  );
});

/** The fold and the index of keywords beside it, as a catalog has them. */
function catalogOf(entries: readonly Entry[], f = emptyFold(), keywords = emptyKeywordIndex()) {
  for (const entry of entries) followChange(keywords, f, step(f, entry)!);
  return { f, keywords };
}

const foundIn = (keywords: KeywordIndex) =>
  ['api', '支付', 'e\u0301', 'a longer phrase of several words, and more', '🚀', 'nothing'].map((query) =>
    findByKeyword(keywords, query, () => true),
  );

test('R6.2 keywords from a snapshot and the tail are found as those from the first entry on', () => {
  fc.assert(
    fc.property(AnyLedger, fc.nat(40), (entries, place) => {
      fc.pre(entries.length > 0);
      const cut = Math.min(Math.max(1, place), entries.length);
      const before = catalogOf(entries.slice(0, cut));
      const snapshot = decodeSnapshot(encodeSnapshot(before.f, '', keywordsToColumns(before.keywords)));
      const make = keywordsFromColumns(snapshot.more);
      const after = catalogOf(entries.slice(cut), snapshot.fold(), make());
      expect(foundIn(after.keywords)).toEqual(foundIn(catalogOf(entries).keywords));
      expect(foundIn(make())).toEqual(foundIn(before.keywords));
    }),
    { numRuns: 200 },
  );
});

test('R4.7 folds of one snapshot do not know of each other', () => {
  fc.assert(
    fc.property(AnyLedger, fc.nat(40), (entries, place) => {
      fc.pre(entries.length > 0);
      const cut = Math.min(Math.max(1, place), entries.length);
      const snapshot = stored(foldOf(entries.slice(0, cut)), '');
      const [moved, still] = [snapshot.fold(), snapshot.fold()];
      for (const entry of entries.slice(cut)) step(moved, entry);
      expect(said(still)).toEqual(said(foldOf(entries.slice(0, cut))));
      expect(said(moved)).toEqual(said(foldOf(entries)));
    }),
  );
});

/**
 * A snapshot is what the fold of its day made of the entries: instances of the next version must not take it for
 * theirs. Red here: raise SNAPSHOT_SCHEMA and write the new hash; the hash alone only where nothing but the random ledgers changed.
 */
test('a fold or a format that changed has a new schema', () => {
  const hash = createHash('sha256');
  for (const entries of fc.sample(AnyLedger, { numRuns: 300, seed: 1 })) {
    if (entries.length === 0) continue;
    const { f, keywords } = catalogOf(entries);
    hash.update(encodeSnapshot(f, headOf(entries), keywordsToColumns(keywords)));
  }
  expect([SNAPSHOT_SCHEMA, hash.digest('hex').slice(0, 16)]).toEqual([1, 'a44145a4249f8ef9']);
});

const whole = (() => {
  const entries = fc.sample(AnyLedger, { numRuns: 50, seed: 7 }).toSorted((a, b) => b.length - a.length)[0]!;
  return encodeSnapshot(foldOf(entries), headOf(entries), {
    extra: Float64Array.of(0.5, -0),
    more: Uint16Array.of(0, 65535),
  });
})();

test('what is kept beside the fold comes back as it was', () => {
  expect(decodeSnapshot(whole).more).toEqual({
    extra: Float64Array.of(0.5, -0),
    more: Uint16Array.of(0, 65535),
  });
});

test('it may lie anywhere in memory', () => {
  const shifted = new Uint8Array(whole.length + 3);
  shifted.set(whole, 3);
  // What zlib gives out is a Buffer: its `slice` is no copy.
  for (const bytes of [shifted.subarray(3), Buffer.from(shifted.buffer, 3)])
    expect(said(decodeSnapshot(bytes).fold())).toEqual(said(decodeSnapshot(whole).fold()));
});

test('a snapshot with any bit turned, cut short, or of another schema is refused', () => {
  fc.assert(
    fc.property(fc.nat(whole.length - 1), fc.nat(7), (place, bit) => {
      const damaged = whole.slice();
      damaged[place]! ^= 1 << bit;
      expect(() => decodeSnapshot(damaged)).toThrow();
    }),
  );
  fc.assert(
    fc.property(fc.nat(whole.length - 1), (length) => {
      expect(() => decodeSnapshot(whole.subarray(0, length))).toThrow();
    }),
  );
  expect(() => decodeSnapshot(new TextEncoder().encode('what is this? Nothing to read.'))).toThrow();
  const later = whole.slice();
  new DataView(later.buffer).setUint32(4, SNAPSHOT_SCHEMA + 1, true);
  expect(() => decodeSnapshot(later)).toThrow(
    `its schema is ${SNAPSHOT_SCHEMA + 1}, known is ${SNAPSHOT_SCHEMA}`,
  );
});
