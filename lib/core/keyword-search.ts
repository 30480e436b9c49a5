import type { KeywordColumns } from '#lib/core/keyword-columns.ts';
import { firstFrom, keywordCount, keywordText, lengthOf, unitAt } from '#lib/core/keyword-columns.ts';
import { boundsOf, isBound, isLongEnough, type Pattern } from '#lib/core/matching.ts';

/**
 * The numbers of the keywords that match (R6.2), some of them twice; it looks at no others than these and a few on the
 * way to them.
 */
export function matchingKeywords(columns: KeywordColumns, asked: Pattern): number[] {
  if (asked.mute) return [];
  const found = [...heldBy(columns, asked.text)];
  if (isLongEnough(asked)) addHolding(columns, asked.text, found);
  return found;
}

/** Keywords that the query is or holds: of those that begin like its rest from a bound on, the ones that end there. */
function heldBy(columns: KeywordColumns, query: string): Set<number> {
  const found = new Set<number>();
  const bounds = boundsOf(query);
  for (let from = 0; from < query.length; from += 1) {
    if (bounds[from] === 0) continue;
    let low = 0;
    let high = keywordCount(columns);
    for (let at = from; at < query.length && low < high; at += 1) {
      const depth = at - from;
      const unit = query.charCodeAt(at) + 1;
      low = firstFrom(low, high, (keyword) => unitAt(columns, keyword, depth) >= unit);
      high = firstFrom(low, high, (keyword) => unitAt(columns, keyword, depth) > unit);
      // The shortest comes first, and no two are equal.
      if (low === high || lengthOf(columns, low) > depth + 1 || bounds[at + 1] === 0) continue;
      if (columns.findable[low] === 1 || depth + 1 === query.length) found.add(low);
    }
  }
  return found;
}

/** Keywords that hold the query and more: they lie together where the texts begin with it. */
function addHolding(columns: KeywordColumns, query: string, found: number[]): void {
  const { suffix_keyword, suffix_at } = columns;
  const all = suffix_at.length;
  const low = firstFrom(0, all, (n) => compareBeginning(columns, n, query) >= 0);
  const high = firstFrom(low, all, (n) => compareBeginning(columns, n, query) > 0);
  for (let n = low; n < high; ) {
    const next = endOfRun(columns, n, high, query.length);
    // The query's own last character and the one that follows it decide, so it holds for the whole run or for none.
    if (isBound(keywordText(columns, suffix_keyword[n]!), suffix_at[n]! + query.length))
      for (; n < next; n += 1) {
        const keyword = suffix_keyword[n]!;
        // One that is the query was found already.
        if (suffix_at[n]! > 0 || lengthOf(columns, keyword) > query.length) found.push(keyword);
      }
    n = next;
  }
}

/** 0 if the text at this place begins with the query, else which of the two comes first. */
function compareBeginning(columns: KeywordColumns, n: number, query: string): number {
  const keyword = columns.suffix_keyword[n]!;
  const from = columns.suffix_at[n]!;
  for (let at = 0; at < query.length; at += 1) {
    const difference = unitAt(columns, keyword, from + at) - query.charCodeAt(at) - 1;
    if (difference !== 0) return difference;
  }
  return 0;
}

/** The end of the places from `n` on with the same character after `length` units. */
function endOfRun(columns: KeywordColumns, n: number, high: number, length: number): number {
  const { suffix_keyword, suffix_at } = columns;
  const unit = (place: number, at: number): number =>
    unitAt(columns, suffix_keyword[place]!, suffix_at[place]! + length + at);
  const [first, second] = [unit(n, 0), unit(n, 1)];
  const halved = first - 1 >= 0xd800 && first - 1 <= 0xdbff;
  const goesOn = (place: number) => unit(place, 0) === first && (!halved || unit(place, 1) === second);
  let step = 1;
  while (n + step < high && goesOn(n + step)) step *= 2;
  return firstFrom(n + (step >>> 1) + 1, Math.min(n + step, high), (place) => !goesOn(place));
}
