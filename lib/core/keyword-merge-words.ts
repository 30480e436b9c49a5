import { inOrder } from '#lib/core/in-order.ts';
import type { KeywordColumns, PostingColumns, WordColumns } from '#lib/core/keyword-columns.ts';
import { keywordCount, lengthOf } from '#lib/core/keyword-columns.ts';

/** The number of what is left out. */
export const NONE = 0xffffffff;

/** The new number of each item of either side. */
export type ItemNumbers = readonly [Uint32Array, Uint32Array];

type Sides = readonly [KeywordColumns, KeywordColumns];

/** The keywords of both sides that an item still has. */
interface Keywords {
  count: number;
  /** The new number of each keyword of either side. */
  numbers: readonly [Uint32Array, Uint32Array];
  /** The number that each new one has on either side. */
  old_numbers: readonly [Uint32Array, Uint32Array];
}

/** The columns of two sides' keywords together; `items` has `NONE` for an item that is left out. */
export function mergeWords(sides: Sides, items: ItemNumbers): WordColumns & PostingColumns {
  const keywords = mergeKeywords(sides, items);
  return {
    ...copyTexts(sides, keywords),
    ...mergeSuffixes(sides, keywords),
    ...mergePostings(sides, keywords, items),
  };
}

function mergeKeywords(sides: Sides, items: ItemNumbers): Keywords {
  const [a, b] = sides;
  const most = keywordCount(a) + keywordCount(b);
  const numbers = [
    new Uint32Array(keywordCount(a)).fill(NONE),
    new Uint32Array(keywordCount(b)).fill(NONE),
  ] as const;
  const old_numbers = [new Uint32Array(most).fill(NONE), new Uint32Array(most).fill(NONE)] as const;
  let count = 0;
  const isLastOfFirst = (number: number): boolean => {
    const last = count === 0 ? NONE : old_numbers[0][count - 1]!;
    return last !== NONE && compareTexts(a, last, 0, b, number, 0) === 0;
  };
  inOrder(
    [
      [0, keywordCount(a)],
      [0, keywordCount(b)],
    ],
    (which, number) => hasItem(sides[which], number, items[which]),
    (n, m) => compareTexts(a, n, 0, b, m, 0),
    (which, number) => {
      if (which === 0 || !isLastOfFirst(number)) count += 1;
      numbers[which][number] = count - 1;
      old_numbers[which][count - 1] = number;
    },
  );
  return { count, numbers, old_numbers };
}

function hasItem(
  { posting_starts, posting_item }: KeywordColumns,
  keyword: number,
  items: Uint32Array,
): boolean {
  for (let n = posting_starts[keyword]!; n < posting_starts[keyword + 1]!; n += 1)
    if (items[posting_item[n]!] !== NONE) return true;
  return false;
}

function copyTexts(
  [a, b]: Sides,
  { count, old_numbers }: Keywords,
): Pick<WordColumns, 'text' | 'starts' | 'findable'> {
  const starts = new Uint32Array(count + 1);
  const findable = new Uint8Array(count);
  const from = (n: number): [KeywordColumns, number] =>
    old_numbers[0][n] === NONE ? [b, old_numbers[1][n]!] : [a, old_numbers[0][n]!];
  for (let n = 0; n < count; n += 1) {
    const [columns, old] = from(n);
    starts[n + 1] = starts[n]! + lengthOf(columns, old);
    findable[n] = columns.findable[old]!;
  }
  const text = new Uint16Array(starts[count]!);
  for (let n = 0; n < count; n += 1) {
    const [columns, old] = from(n);
    for (let to = starts[n]!, at = columns.starts[old]!; to < starts[n + 1]!; to += 1, at += 1)
      text[to] = columns.text[at]!;
  }
  return { text, starts, findable };
}

function mergeSuffixes(
  [a, b]: Sides,
  { numbers, old_numbers }: Keywords,
): Pick<WordColumns, 'suffix_keyword' | 'suffix_at'> {
  const most = a.suffix_at.length + b.suffix_at.length;
  const suffix_keyword = new Uint32Array(most);
  const suffix_at = new Uint16Array(most);
  let next = 0;
  inOrder(
    [
      [0, a.suffix_at.length],
      [0, b.suffix_at.length],
    ],
    (which, n) => {
      const keyword = numbers[which][(which === 0 ? a : b).suffix_keyword[n]!]!;
      // What both have is taken from the first.
      return keyword !== NONE && (which === 0 || old_numbers[0][keyword] === NONE);
    },
    (n, m) =>
      compareTexts(a, a.suffix_keyword[n]!, a.suffix_at[n]!, b, b.suffix_keyword[m]!, b.suffix_at[m]!),
    (which, n) => {
      const columns = which === 0 ? a : b;
      suffix_keyword[next] = numbers[which][columns.suffix_keyword[n]!]!;
      suffix_at[next++] = columns.suffix_at[n]!;
    },
  );
  return { suffix_keyword: suffix_keyword.slice(0, next), suffix_at: suffix_at.slice(0, next) };
}

function mergePostings([a, b]: Sides, { count, old_numbers }: Keywords, items: ItemNumbers): PostingColumns {
  const most = a.posting_item.length + b.posting_item.length;
  const posting_starts = new Uint32Array(count + 1);
  const posting_item = new Uint32Array(most);
  let next = 0;
  for (let keyword = 0; keyword < count; keyword += 1) {
    inOrder(
      [postingsOf(a, old_numbers[0][keyword]!), postingsOf(b, old_numbers[1][keyword]!)],
      (which, n) => items[which][(which === 0 ? a : b).posting_item[n]!] !== NONE,
      (n, m) => items[0][a.posting_item[n]!]! - items[1][b.posting_item[m]!]!,
      (which, n) => {
        const columns = which === 0 ? a : b;
        posting_item[next++] = items[which][columns.posting_item[n]!]!;
      },
    );
    posting_starts[keyword + 1] = next;
  }
  return { posting_starts, posting_item: posting_item.slice(0, next) };
}

const postingsOf = ({ posting_starts }: KeywordColumns, keyword: number): readonly [number, number] =>
  keyword === NONE ? [0, 0] : [posting_starts[keyword]!, posting_starts[keyword + 1]!];

/** Below 0 if the first text, from its place on, comes before the second, 0 if they are equal. */
function compareTexts(
  a: KeywordColumns,
  n: number,
  n_at: number,
  b: KeywordColumns,
  m: number,
  m_at: number,
): number {
  const n_end = a.starts[n + 1]!;
  const m_end = b.starts[m + 1]!;
  let one = a.starts[n]! + n_at;
  let other = b.starts[m]! + m_at;
  for (; one < n_end && other < m_end; one += 1, other += 1) {
    const difference = a.text[one]! - b.text[other]!;
    if (difference !== 0) return difference;
  }
  return n_end - one - (m_end - other);
}
