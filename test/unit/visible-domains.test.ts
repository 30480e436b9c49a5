import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { type Entry, PIPELINE } from '#lib/core/entry.ts';
import { foldOf, step } from '#lib/core/fold.ts';
import { emptyFold, type Fold, isLiveState, type Table } from '#lib/core/fold-state.ts';
import { knowledgeMap, mapDomains } from '#lib/core/knowledge-map.ts';
import { isVisible } from '#lib/core/relevance.ts';
import { visibleDomains } from '#lib/core/visible-domains.ts';
import { AnyLedger } from '#test/support/random-ledger.ts';

/** By a walk over all that is live. */
function walked(f: Fold, scopes: string[]) {
  const domains = new Map<string, { items: string[]; documents: string[] }>();
  for (const id of f.live.keys()) {
    const item = f.items.get(id);
    if (!isLiveState(item) || !item.live || !isVisible(item.scopes, scopes)) continue;
    const { domain, kind } = item.live;
    const view = domains.get(domain) ?? { items: [], documents: [] };
    domains.set(domain, view);
    view.items.push(id);
    if (kind === 'document') view.documents.push(id);
  }
  return domains;
}

/** As in life: what makes live says of what kind and of which domain the item is, and that never changes. */
const lived = (entry: Entry): Entry => {
  const digit = Number.parseInt(entry.item_id.at(-1)!, 16);
  const kind = digit % 2 === 0 ? ('document' as const) : ('entry' as const);
  const payload = { title: '', keywords: [], keywords_by_author: false, covers: [], ...entry.live };
  return { ...entry, live: { ...payload, kind, domain: digit % 3 === 0 ? 'payment' : 'api' } };
};

test('R5.3 R6.8 R6.9 whenever it is asked, what is kept of a fold says what a walk over it says', () => {
  fc.assert(
    fc.property(AnyLedger, fc.infiniteStream(fc.nat(2)), (entries, asked) => {
      const f = emptyFold();
      for (const entry of [...entries.map(lived), undefined]) {
        if (entry) step(f, entry);
        for (const scopes of [[], ['org:a'], ['org:b', 'org:a']])
          if (asked.next().value === 0 || !entry) {
            const views = visibleDomains(f, scopes);
            expect(views).toEqual(walked(f, scopes));
            expect([...views.values()]).toEqual([...walked(f, scopes).values()]);
          }
      }
    }),
    { numRuns: 300 },
  );
});

/** The fold, and how often an item was read of it. */
function counted(f: Fold): { fold: Fold; reads: () => number } {
  let reads = 0;
  const items = new Proxy<Table<Fold['items'] extends Table<infer State> ? State : never>>(f.items, {
    get(table, name) {
      if (name === 'get') reads += 1;
      const member: unknown = Reflect.get(table, name);
      return typeof member === 'function' ? member.bind(table) : member;
    },
  });
  return {
    fold: { ...f, items },
    reads: () => {
      const before = reads;
      reads = 0;
      return before;
    },
  };
}

test('FIGURES R5.3 of 20,000 documents in 40 domains a map reads those that it shows, and after a change the new one', () => {
  const entry = (n: number) => ({
    position: n,
    at: 1,
    by: PIPELINE,
    event: 'admitted' as const,
    item_id: `knowledge-20260101-000000-${n.toString(16).padStart(8, '0')}`,
    attempt: 1,
    decision_id: `d${n}`,
    fingerprint: `f${n}`,
    scopes: [],
    live: {
      kind: 'document' as const,
      domain: `domain-${n % 40}`,
      title: `runbook ${n}`,
      keywords: [],
      keywords_by_author: false,
      covers: ['one', 'two'],
    },
  });
  const f = foldOf(Array.from({ length: 20_000 }, (_, n) => entry(n + 1)));
  const { fold, reads } = counted(f);
  const map = () => knowledgeMap(mapDomains(fold, visibleDomains(fold, []), []), 6000);
  map();
  reads();
  const first = map();
  const shown = (first.match(/title:/g) ?? []).length;
  expect(shown).toBeGreaterThan(100);
  const per_map = reads();
  expect(per_map).toBeLessThan(20 * shown);
  step(f, entry(20_001));
  fold.position = f.position;
  expect(map()).not.toBe(first);
  expect(reads()).toBeLessThanOrEqual(per_map + 10);
});
