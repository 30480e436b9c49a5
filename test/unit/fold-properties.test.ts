import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { createMemoryLedger } from '#lib/adapters/memory/ledger.ts';
import { type Draft, type Entry, Event, PIPELINE } from '#lib/core/entry.ts';
import { foldOf, step } from '#lib/core/fold.ts';
import { emptyFold, type Fold, type ItemState, isLiveState } from '#lib/core/fold-state.ts';
import type { Ground } from '#lib/core/item.ts';
import { createCatalog } from '#lib/usecases/instance.ts';
import { idOf, payload } from '#test/support/ledger.ts';

const IDS = [1, 2, 3, 4, 5, 6].map(idOf);
const Id = fc.constantFrom(...IDS);

const PIPELINE_EVENTS: readonly Event[] = ['admitted', 'rejected'];

/** What an item brings: two paths with two versions each, two entries; three texts, which may change. */
const factsOf = (id: string, text: number): Pick<Draft, 'path' | 'fingerprint' | 'scopes'> => {
  const n = IDS.indexOf(id);
  return {
    ...(n < 4 && { path: n < 2 ? 'd/a.md' : 'd/b.md' }),
    fingerprint: `text ${(n + text) % 3}`,
    scopes: [],
  };
};

const Writer = fc.record({
  by: fc.constantFrom(PIPELINE, PIPELINE, 'a human', 'sweep'),
  event: fc.constantFrom(...Event.options, ...PIPELINE_EVENTS, ...PIPELINE_EVENTS),
});

/** A check, an amendment and a human's rejection leave the item at its place. */
const staysInPlace = ({ by, event }: Pick<Draft, 'by' | 'event'>) =>
  event === 'checked' || event === 'amended' || (event === 'rejected' && by !== PIPELINE);

/** Any entry that the types allow, right or wrong. */
const AnyDraft: fc.Arbitrary<Draft> = fc
  .record({
    writer: Writer,
    id: Id,
    attempt: fc.integer({ min: 1, max: 4 }),
    path_seq: fc.option(fc.integer({ min: 1, max: 5 }), { nil: undefined }),
    sources: fc.uniqueArray(Id, { maxLength: 2 }),
    reason: fc.constantFrom('known', 'superseded', 'blocked', undefined),
    grounds: fc.uniqueArray(
      fc.record({ id: Id, type: fc.constantFrom('duplicate', 'subset', 'restates', 'blocked') }),
      { maxLength: 3, selector: ({ id }) => id },
    ),
    needs_review: fc.constantFrom(undefined, undefined, 'somebody should look'),
    domain: fc.constantFrom('payment', 'infrastructure'),
    text: fc.constantFrom(0, 0, 0, 1),
  })
  .map(({ writer, id, domain, reason, text, ...rest }) => ({
    at: 0,
    decision_id: '',
    item_id: id,
    ...rest,
    ...writer,
    ...factsOf(id, text),
    reason: writer.event !== 'rejected' ? undefined : writer.by === PIPELINE ? reason : 'human',
    path_seq: staysInPlace(writer) ? undefined : rest.path_seq,
    live: payload(domain),
  }));

/**
 * Mostly with the attempt that is next, or hardly anything would count. Grounds are what stood when the judge looked:
 * live, or, for a block, rejected by a human.
 */
const AnyLedger: fc.Arbitrary<Entry[]> = fc
  .array(fc.tuple(AnyDraft, fc.nat(9)), { maxLength: 40 })
  .map((drafts) => {
    const f = emptyFold();
    return drafts.map(([draft, wild], n) => {
      const next = (f.items.get(draft.item_id)?.attempt ?? 0) + 1;
      const stands = ({ id, type }: Ground) =>
        type === 'blocked' ? f.items.get(id)?.reason === 'human' : isLiveState(f.items.get(id));
      const entry = {
        ...draft,
        position: n + 1,
        decision_id: `decision ${n + 1}`,
        attempt: wild === 0 ? draft.attempt : next,
        grounds: (draft.grounds ?? []).filter((ground) => ground.id !== draft.item_id && stands(ground)),
      };
      step(f, entry);
      return entry;
    });
  });

const always = (holds: (entries: Entry[], f: Fold) => void) =>
  fc.assert(
    fc.property(AnyLedger, (entries) => holds(entries, foldOf(entries))),
    { numRuns: 1000 },
  );

const byItem = (f: Fold, value: (item: ItemState) => Iterable<string>): Map<string, Set<string>> => {
  const found = new Map<string, Set<string>>();
  for (const item of f.items.values())
    for (const key of value(item)) found.set(key, (found.get(key) ?? new Set()).add(item.id));
  return found;
};
const withoutEmpty = (map: ReadonlyMap<string, Set<string>>) =>
  new Map([...map].filter(([, ids]) => ids.size > 0));

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
