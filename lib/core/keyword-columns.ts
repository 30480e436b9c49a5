import type { KeywordEntry } from '#lib/core/matching.ts';

/** An item that may be found, with what decides who finds it. `live_pos`: its place in the order of going live. */
export interface FindableItem extends KeywordEntry {
  domain: string;
  scopes: readonly string[];
  live_pos: number;
}

/** Items of one domain that the same callers see: who may find them is asked once for all. */
export interface FindableGroup {
  domain: string;
  scopes: readonly string[];
}

/**
 * The keywords of many items as plain columns that a snapshot keeps as they are (R6.2). Keywords are numbered in the
 * order of their folded texts, items in the order of going live. Texts are compared by UTF-16 units.
 */
export interface KeywordColumns {
  /** The distinct keywords, folded, one after the other. */
  text: Uint16Array;
  /** Where each keyword begins in `text`, and the end. */
  starts: Uint32Array;
  /** 1 where a query may contain the keyword; others must be equal. */
  findable: Uint8Array;
  /** Every place of a keyword where a query may begin, in the order of the texts from there: the keyword... */
  suffix_keyword: Uint32Array;
  /** ...and the units before the place. */
  suffix_at: Uint16Array;
  /** Where the items of each keyword begin in `posting_item`, and the end. */
  posting_starts: Uint32Array;
  posting_item: Uint32Array;
  /** The items' ids, one after the other. */
  ids: string;
  id_starts: Uint32Array;
  /** Numbers of the items in the order of their ids. */
  by_id: Uint32Array;
  live_pos: Uint32Array;
  by_author: Uint8Array;
  group: Uint32Array;
  /** `FindableGroup[]` as JSON. */
  groups: string;
}

/** The keywords themselves, in the order of their texts. */
export type WordColumns = Pick<
  KeywordColumns,
  'text' | 'starts' | 'findable' | 'suffix_keyword' | 'suffix_at'
>;

/** Which items have each keyword. */
export type PostingColumns = Pick<KeywordColumns, 'posting_starts' | 'posting_item'>;

/** The items, in the order of going live. */
export type ItemColumns = Pick<
  KeywordColumns,
  'ids' | 'id_starts' | 'by_id' | 'live_pos' | 'by_author' | 'group' | 'groups'
>;

/** Places further into a keyword are not indexed: no keyword is that long (R3.7). */
export const LONGEST_KEYWORD = 0xffff;

export const keywordCount = ({ starts }: KeywordColumns): number => starts.length - 1;

export const itemCount = ({ live_pos }: KeywordColumns): number => live_pos.length;

export const lengthOf = ({ starts }: KeywordColumns, keyword: number): number =>
  starts[keyword + 1]! - starts[keyword]!;

/** The unit at a place of a keyword, one higher, so that 0 is the end: what ends comes first. */
export function unitAt({ text, starts }: KeywordColumns, keyword: number, at: number): number {
  const place = starts[keyword]! + at;
  return place < starts[keyword + 1]! ? text[place]! + 1 : 0;
}

export const keywordText = ({ text, starts }: KeywordColumns, keyword: number): string =>
  String.fromCharCode(...text.subarray(starts[keyword]!, starts[keyword + 1]!));

export const idAt = ({ ids, id_starts }: KeywordColumns, item: number): string =>
  ids.slice(id_starts[item]!, id_starts[item + 1]!);

/** The number of the item with this id, -1 if there is none. */
export function itemNumber(columns: KeywordColumns, id: string): number {
  const { by_id } = columns;
  const place = firstFrom(0, by_id.length, (n) => idAt(columns, by_id[n]!) >= id);
  const item = by_id[place];
  return item !== undefined && idAt(columns, item) === id ? item : -1;
}

/** The first number of `from` to `to` for which it holds, where it holds for all after; `to` if for none. */
export function firstFrom(from: number, to: number, holds: (n: number) => boolean): number {
  let low = from;
  let high = to;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (holds(middle)) high = middle;
    else low = middle + 1;
  }
  return low;
}
