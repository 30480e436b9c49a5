import fc from 'fast-check';
import { expect, test } from 'vitest';
import { keywordColumnsOf } from '#lib/core/keyword-build.ts';
import type { FindableItem, KeywordColumns } from '#lib/core/keyword-columns.ts';
import {
  emptyKeywordIndex,
  findByKeyword,
  hasWanted,
  type KeywordIndex,
  keywordColumns,
  keywordIndexOf,
  putItem,
  removeItem,
} from '#lib/core/keyword-index.ts';
import { matchingKeywords } from '#lib/core/keyword-search.ts';
import { boundsOf, isBound, matchKeywords, patternOf } from '#lib/core/matching.ts';

/** Few characters, so that texts meet: words, CJK, marks, halves of characters, signs, and letters that fold. */
const Character = fc.constantFrom(
  ...['a', 'B', 'ab', '9', '_', ' ', '  ', '-', '.', '+', '锁', '死锁', 'か', 'デ', 'ﾃﾞ', '한', 'ー'],
  ...[
    '\u3099',
    '\u0301',
    '\u0302',
    'é',
    'ß',
    'SS',
    'ſ',
    'ς',
    'Σ',
    'σ',
    '𠮷',
    '🔥',
    '👩‍👩‍👧',
    'Ａ',
    'ﬁ',
    'ǰ',
    '\u0130',
  ],
  ...['\ud842', '\udfb7', '\u0000', '\uffff', '\u2028'],
);
const Text = fc.array(Character, { maxLength: 7 }).map((characters) => characters.join(''));

const Item = fc.record({
  id: fc.nat(9).map((n) => `item-${n}`),
  keywords: fc.array(Text, { maxLength: 4 }),
  keywords_by_author: fc.boolean(),
  domain: fc.constantFrom('payment', 'search'),
  scopes: fc.constantFrom([], ['a'], ['b'], ['a', 'b']),
});
type Change = { put: Omit<FindableItem, 'live_pos'> } | { remove: string } | { restart: true };
const Changes: fc.Arbitrary<Change[]> = fc.array(
  fc.oneof(
    { weight: 6, arbitrary: Item.map((put) => ({ put })) },
    { weight: 2, arbitrary: Item.map(({ id }) => ({ remove: id })) },
    { weight: 1, arbitrary: fc.constant({ restart: true as const }) },
  ),
  { maxLength: 40 },
);

/** The index after these changes, and what it must say. A restart goes by way of the columns' bytes. */
function after(changes: readonly Change[]): { index: KeywordIndex; items: FindableItem[] } {
  let index = emptyKeywordIndex(3);
  const items = new Map<string, FindableItem>();
  changes.forEach((change, n) => {
    if ('put' in change) {
      const item = { ...change.put, live_pos: n };
      items.delete(item.id);
      items.set(item.id, item);
      putItem(index, item);
    } else if ('remove' in change) {
      items.delete(change.remove);
      removeItem(index, change.remove);
    } else index = keywordIndexOf(structuredClone(keywordColumns(index)), 3);
  });
  return { index, items: [...items.values()] };
}

const everything = () => true;

const found = ({ index }: { index: KeywordIndex }, query: string) =>
  findByKeyword(index, query, everything).map(({ id, by_author }) => ({ id, by_author }));

const read = ({ items }: { items: FindableItem[] }, query: string) =>
  matchKeywords(items, query).map(({ id, by_author }) => ({ id, by_author }));

/** A keyword that the items have, or a part of it. */
const Cut = fc.tuple(fc.nat(99), fc.nat(6), fc.nat(10));

function cutFrom(items: readonly FindableItem[], [which, from, length]: [number, number, number]): string {
  const own = items.flatMap(({ keywords }) => keywords);
  const keyword = own[which % Math.max(own.length, 1)] ?? '';
  return keyword.slice(from % (keyword.length + 1)).slice(0, length);
}

test('R6.2 the index finds what reading every keyword finds, whatever came and went', () => {
  fc.assert(
    fc.property(
      Changes,
      fc.array(Text, { maxLength: 3 }),
      fc.array(Cut, { maxLength: 12 }),
      (changes, texts, cuts) => {
        const world = after(changes);
        for (const query of [...texts, ...cuts.map((cut) => cutFrom(world.items, cut))])
          expect(found(world, query)).toEqual(read(world, query));
      },
    ),
    { numRuns: 600 },
  );
});

test('R6.2 whether any item is wanted is known without a query', () => {
  fc.assert(
    fc.property(
      Changes,
      fc.constantFrom('payment', 'search'),
      fc.constantFrom('a', 'b'),
      (changes, domain, scope) => {
        const { index, items } = after(changes);
        const wanted = (group: { domain: string; scopes: readonly string[] }) =>
          group.domain === domain && group.scopes.includes(scope);
        expect(hasWanted(index, wanted)).toBe(items.some(wanted));
      },
    ),
  );
});

test('R6.8 only wanted items are found, the first so many of each domain', () => {
  fc.assert(
    fc.property(Changes, Text, fc.nat(4), fc.constantFrom('a', 'b'), (changes, query, most, scope) => {
      const { index, items } = after(changes);
      const wanted = ({ scopes }: { scopes: readonly string[] }) =>
        scopes.length === 0 || scopes.includes(scope);
      const matching = matchKeywords(items.filter(wanted), query).map(({ id }) => id);
      const firsts = ['payment', 'search'].flatMap((domain) =>
        items.filter((item) => item.domain === domain && matching.includes(item.id)).slice(0, most),
      );
      const expected = matching.filter((id) => firsts.some((item) => item.id === id));
      expect(findByKeyword(index, query, wanted, most).map(({ id }) => id)).toEqual(expected);
    }),
    { numRuns: 300 },
  );
});

test('R6.2 among many items a rare keyword and a common one are found in order, the first so many of each domain', () => {
  const index = emptyKeywordIndex();
  const items = Array.from({ length: 500 }, (_, n) => ({
    id: `item-${n}`,
    live_pos: n + 1,
    keywords: [7, 300, 301, 499].includes(n) ? ['common', 'rare'] : ['common'],
    keywords_by_author: true,
    domain: n % 2 === 0 ? 'payment' : 'search',
    scopes: [],
  }));
  for (const item of items) putItem(index, item);
  const found = (at: KeywordIndex, query: string, most?: number) =>
    findByKeyword(at, query, () => true, most).map(({ id }) => id);
  // As it grew, and as one that starts from a snapshot.
  for (const at of [index, keywordIndexOf(keywordColumns(index))]) {
    expect(found(at, 'rare')).toEqual(['item-7', 'item-300', 'item-301', 'item-499']);
    expect(found(at, 'rare', 1)).toEqual(['item-7', 'item-300']);
    expect(found(at, 'common', 2)).toEqual(['item-0', 'item-1', 'item-2', 'item-3']);
    expect(found(at, 'common')).toEqual(items.map(({ id }) => id));
  }
});

test('R6.2 an item that is checked keeps its place in the order of going live', () => {
  const index = emptyKeywordIndex(2);
  const item = (id: string, live_pos: number, keyword = 'pool') => ({
    ...{ id, live_pos, keywords: [keyword], keywords_by_author: true },
    ...{ domain: 'payment', scopes: [] },
  });
  for (const [n, id] of ['a', 'b', 'c', 'd'].entries()) putItem(index, item(id, n));
  putItem(index, item('b', 1, 'connection pool'));
  const order = () => findByKeyword(index, 'connection pool', everything).map(({ id }) => id);
  expect(order()).toEqual(['a', 'b', 'c', 'd']);
  putItem(index, item('e', 4));
  expect(order()).toEqual(['a', 'b', 'c', 'd', 'e']);
  expect(keywordColumns(index).live_pos).toEqual(Uint32Array.of(0, 1, 2, 3, 4));
});

test('R6.2 of what follows the query the whole character counts, not its first half', () => {
  const index = emptyKeywordIndex(1);
  const put = (id: string, keyword: string) =>
    putItem(index, {
      ...{ id, keywords: [keyword], keywords_by_author: true },
      ...{ domain: 'payment', scopes: [], live_pos: index.segments.length },
    });
  // A letter and a sign, of which the first halves are the same.
  put('inside a word', 'abc\u{10000}');
  put('at a bound', 'abc\u{10100}');
  const columns = keywordColumns(index);
  expect(findByKeyword(keywordIndexOf(columns), 'abc', everything).map(({ id }) => id)).toEqual([
    'at a bound',
  ]);
});

test('R6.2 the bounds of a text are those of each of its places', () => {
  fc.assert(
    fc.property(Text, (text) => {
      const places = Array.from({ length: text.length + 1 }, (_, at) => (isBound(text, at) ? 1 : 0));
      expect([...boundsOf(text)]).toEqual(places);
    }),
    { numRuns: 300 },
  );
});

/** The columns, and how many units of text were read from them. */
function counted(columns: KeywordColumns): { columns: KeywordColumns; reads: () => number } {
  let reads = 0;
  const text = new Proxy(columns.text, {
    get(target, property) {
      if (property === 'subarray') return target.subarray.bind(target);
      reads += 1;
      return Reflect.get(target, property, target);
    },
  });
  return { columns: { ...columns, text }, reads: () => reads };
}

test('R6.2 a query reads a few units of text, however many the keywords are, and none for each that it finds', () => {
  const items = Array.from({ length: 2000 }, (_, n) => ({
    ...{
      id: `${n}`,
      keywords: [`gateway timeout ${n}`, `网关超时${n}`, `ERR_${n}`],
      keywords_by_author: true,
    },
    ...{ domain: 'payment', scopes: [], live_pos: n },
  }));
  const whole = keywordColumnsOf(items);
  const cost = (query: string) => {
    const { columns, reads } = counted(whole);
    return { found: matchingKeywords(columns, patternOf(query)).length, cheap: reads() < 1000 };
  };
  expect(cost('what does ERR_17 mean')).toEqual({ found: 1, cheap: true });
  expect(cost('timeout')).toEqual({ found: 2000, cheap: true });
  expect(cost('超时')).toEqual({ found: 2000, cheap: true });
  expect(cost('time')).toEqual({ found: 0, cheap: true });
  expect(cost('nothing of this is known')).toEqual({ found: 0, cheap: true });
});
