import { keywordColumnsOf } from '#lib/core/keyword-build.ts';
import type { FindableItem, KeywordColumns } from '#lib/core/keyword-columns.ts';
import { idAt } from '#lib/core/keyword-columns.ts';
import { firstItems, type Wanted } from '#lib/core/keyword-items.ts';
import { mergeSegments } from '#lib/core/keyword-merge.ts';
import { matchingKeywords } from '#lib/core/keyword-search.ts';
import { mask, type Segment, segmentOf } from '#lib/core/keyword-segment.ts';
import { longestMatch, type Pattern, patternOf } from '#lib/core/matching.ts';

/**
 * The keywords of all live items, so that a query reads those that match it and not all (R6.2). Items come and go one
 * by one: the newest wait in a list, which becomes a segment when it is long; a segment joins the one before it when
 * that is not several times larger. So no change pays for more than one pass over the columns, and hardly any for that.
 */
export interface KeywordIndex {
  /** Older ones first. An item counts in one of them, or in the list. */
  segments: Segment[];
  newest: Map<string, FindableItem>;
  /** So many are a segment: each is compared with every query. */
  longest_list: number;
}

/** An item that matches by one of its keywords. */
export interface KeywordHit {
  id: string;
  by_author: boolean;
  domain: string;
  live_pos: number;
}

/** Some 600 keywords to read, which costs a query about as much as the columns of all the rest. */
const LONGEST_LIST = 64;

/** A segment that is larger by this factor stays by itself. */
const MUCH_LARGER = 4;

export const emptyKeywordIndex = (longest_list = LONGEST_LIST): KeywordIndex => ({
  segments: [],
  newest: new Map(),
  longest_list,
});

/** The index that these columns were taken from. They stay as they are: nothing is built, and nothing changes them. */
export const keywordIndexOf = (columns: KeywordColumns, longest_list = LONGEST_LIST): KeywordIndex => ({
  ...emptyKeywordIndex(longest_list),
  segments: columns.live_pos.length === 0 ? [] : [segmentOf(columns)],
});

/** The whole index as columns, for a snapshot. Unless it is one segment already, it becomes one: a pass over all. */
export function keywordColumns(index: KeywordIndex): KeywordColumns {
  addNewest(index);
  while (index.segments.length > 1) joinLast(index);
  const only = index.segments[0];
  if (only === undefined) return keywordColumnsOf([]);
  if (only.size < only.masked.length) {
    index.segments = [segmentOf(mergeSegments(only, segmentOf(keywordColumnsOf([]))))];
  }
  return index.segments[0]!.columns;
}

/** The item went live, or is not any more what it was. */
export function putItem(index: KeywordIndex, item: FindableItem): void {
  removeItem(index, item.id);
  index.newest.set(item.id, item);
  if (index.newest.size < index.longest_list) return;
  addNewest(index);
  while (isLastToJoin(index)) joinLast(index);
}

/** The item is not live any more; nothing if it was not. */
export function removeItem(index: KeywordIndex, id: string): void {
  if (!index.newest.delete(id)) index.segments.some((segment) => mask(segment, id));
}

function addNewest(index: KeywordIndex): void {
  if (index.newest.size > 0) index.segments.push(segmentOf(keywordColumnsOf(index.newest.values())));
  index.newest.clear();
}

function isLastToJoin({ segments }: KeywordIndex): boolean {
  const [before, last] = segments.slice(-2);
  return before !== undefined && last !== undefined && before.size < MUCH_LARGER * last.size;
}

function joinLast({ segments }: KeywordIndex): void {
  const [before, last] = segments.splice(-2);
  segments.push(segmentOf(mergeSegments(before!, last!)));
}

/** Whether any item, whatever its keywords, is wanted. */
export function hasWanted({ segments, newest }: KeywordIndex, wanted: Wanted): boolean {
  return (
    segments.some(({ groups, counts }) => groups.some((group, n) => counts[n]! > 0 && wanted(group))) ||
    newest.values().some(wanted)
  );
}

/**
 * The items that `matchKeywords` finds among the wanted ones, in the order of going live, the latest last; at most the
 * first `most` of each domain.
 */
export function findByKeyword(
  { segments, newest }: KeywordIndex,
  query: string,
  wanted: Wanted,
  most = Number.POSITIVE_INFINITY,
): KeywordHit[] {
  const asked = patternOf(query);
  const found = segments.map((segment) => hitsIn(segment, asked, wanted, most));
  found.push(hitsAmong(newest.values(), asked, wanted));
  const hits = found.flat().sort((a, b) => a.live_pos - b.live_pos);
  const counts = new Map<string, number>();
  return hits.filter(({ domain }) => {
    const count = (counts.get(domain) ?? 0) + 1;
    counts.set(domain, count);
    return count <= most;
  });
}

function hitsAmong(items: Iterable<FindableItem>, asked: Pattern, wanted: Wanted): KeywordHit[] {
  const hits: KeywordHit[] = [];
  for (const item of items) {
    const { id, keywords, keywords_by_author: by_author, domain, live_pos } = item;
    if (wanted(item) && longestMatch(asked, keywords) >= 0) hits.push({ id, by_author, domain, live_pos });
  }
  return hits;
}

function hitsIn(segment: Segment, asked: Pattern, wanted: Wanted, most: number): KeywordHit[] {
  const { columns, groups } = segment;
  return firstItems(segment, matchingKeywords(columns, asked), wanted, most).map((item) => ({
    id: idAt(columns, item),
    by_author: columns.by_author[item] === 1,
    domain: groups[columns.group[item]!]!.domain,
    live_pos: columns.live_pos[item]!,
  }));
}
