import type {
  FindableGroup,
  FindableItem,
  ItemColumns,
  KeywordColumns,
  PostingColumns,
  WordColumns,
} from '#lib/core/keyword-columns.ts';
import { LONGEST_KEYWORD } from '#lib/core/keyword-columns.ts';
import { boundsOf, isFindable, type Pattern, patternOf } from '#lib/core/matching.ts';
import { sortSuffixes } from '#lib/core/suffix-sort.ts';

/** The columns of these items, each with another id (R6.2). */
export function keywordColumnsOf(items: Iterable<FindableItem>): KeywordColumns {
  const sorted = [...items].sort((a, b) => a.live_pos - b.live_pos);
  const { patterns, postings } = postingsOf(sorted);
  const { rank, ...words } = wordColumns(patterns);
  return { ...words, ...postingColumns(rank, postings), ...itemColumns(sorted) };
}

/** Columns: a million objects would take longer than all the rest. `keyword` as numbered when it was met first. */
interface Postings {
  keyword: number[];
  item: number[];
}

function postingsOf(items: readonly FindableItem[]): { patterns: Pattern[]; postings: Postings } {
  const numbers = new Map<string, number>();
  const patterns: Pattern[] = [];
  const postings: Postings = { keyword: [], item: [] };
  const numberOf = (written: string): number => {
    const pattern = patternOf(written);
    if (pattern.mute) return -1;
    const known = numbers.get(pattern.text);
    if (known !== undefined) return known;
    numbers.set(pattern.text, patterns.length);
    return patterns.push(pattern) - 1;
  };
  items.forEach(({ keywords }, item) => {
    const first = postings.item.length;
    for (const written of keywords) {
      const keyword = numberOf(written);
      if (keyword < 0 || postings.keyword.indexOf(keyword, first) >= 0) continue;
      postings.keyword.push(keyword);
      postings.item.push(item);
    }
  });
  return { patterns, postings };
}

/** `rank`: the number of each pattern in the order of texts. */
function wordColumns(patterns: readonly Pattern[]): WordColumns & { rank: Uint32Array } {
  const begins = new Uint32Array(patterns.length);
  const spread = spreadText(patterns, begins);
  const { at, owner } = suffixesOf(patterns, begins);
  sortSuffixes(spread, { at, owner });

  // A keyword is its own suffix from 0 on: the order of these is the order of the keywords.
  const rank = new Uint32Array(patterns.length);
  const starts = new Uint32Array(patterns.length + 1);
  const text = new Uint16Array(spread.length - patterns.length);
  const findable = new Uint8Array(patterns.length);
  let next = 0;
  at.forEach((place, n) => {
    const number = owner[n]!;
    if (place !== begins[number]) return;
    const pattern = patterns[number]!;
    for (let unit = 0; unit < pattern.text.length; unit += 1)
      text[starts[next]! + unit] = pattern.text.charCodeAt(unit);
    rank[number] = next;
    findable[next] = isFindable(pattern) ? 1 : 0;
    starts[next + 1] = starts[next]! + pattern.text.length;
    next += 1;
  });
  return {
    rank,
    text,
    starts,
    findable,
    suffix_keyword: owner.map((number) => rank[number]!),
    suffix_at: Uint16Array.from(at, (place, n) => place - begins[owner[n]!]!),
  };
}

/** All texts with a 0 after each, and their units one higher. */
function spreadText(patterns: readonly Pattern[], begins: Uint32Array): Uint32Array {
  const spread = new Uint32Array(patterns.reduce((sum, { text }) => sum + text.length + 1, 0));
  let place = 0;
  patterns.forEach(({ text }, number) => {
    begins[number] = place;
    for (let unit = 0; unit < text.length; unit += 1) spread[place++] = text.charCodeAt(unit) + 1;
    place += 1;
  });
  return spread;
}

/** Where a query may begin: at a bound, and with two characters at least, and no query begins with a blank. */
function suffixesOf(
  patterns: readonly Pattern[],
  begins: Uint32Array,
): { at: Uint32Array; owner: Uint32Array } {
  const at: number[] = [];
  const owner: number[] = [];
  patterns.forEach(({ text }, number) => {
    const bounds = boundsOf(text);
    const last = Math.min(text.length - 2, LONGEST_KEYWORD);
    for (let place = 0; place === 0 || place <= last; place += 1) {
      if (place > 0 && (bounds[place] === 0 || text[place] === ' ')) continue;
      at.push(begins[number]! + place);
      owner.push(number);
    }
  });
  return { at: Uint32Array.from(at), owner: Uint32Array.from(owner) };
}

function postingColumns(rank: Uint32Array, { keyword, item }: Postings): PostingColumns {
  const posting_starts = new Uint32Array(rank.length + 1);
  for (const number of keyword) posting_starts[rank[number]! + 1]! += 1;
  for (let n = 0; n < rank.length; n += 1) posting_starts[n + 1]! += posting_starts[n]!;
  const next = posting_starts.slice();
  const posting_item = new Uint32Array(keyword.length);
  keyword.forEach((number, n) => {
    posting_item[next[rank[number]!]!++] = item[n]!;
  });
  return { posting_starts, posting_item };
}

function itemColumns(items: readonly FindableItem[]): ItemColumns {
  const id_starts = new Uint32Array(items.length + 1);
  items.forEach(({ id }, item) => {
    id_starts[item + 1] = id_starts[item]! + id.length;
  });
  const { group, groups } = grouped(items);
  const ids = items.map(({ id }) => id);
  return {
    ids: ids.join(''),
    id_starts,
    by_id: Uint32Array.from(ids.keys()).sort((a, b) => (ids[a]! < ids[b]! ? -1 : 1)),
    live_pos: Uint32Array.from(items, ({ live_pos }) => live_pos),
    by_author: Uint8Array.from(items, ({ keywords_by_author }) => (keywords_by_author ? 1 : 0)),
    group,
    groups,
  };
}

/** The group of each, and the groups as JSON. */
function grouped(items: readonly FindableGroup[]): Pick<KeywordColumns, 'group' | 'groups'> {
  const numbers = new Map<string, number>();
  const groups: FindableGroup[] = [];
  const group = Uint32Array.from(items, ({ domain, scopes }) => {
    const key = JSON.stringify([domain, scopes]);
    const number = numbers.get(key) ?? groups.push({ domain, scopes }) - 1;
    numbers.set(key, number);
    return number;
  });
  return { group, groups: JSON.stringify(groups) };
}
