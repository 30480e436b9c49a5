import type { FindableGroup, KeywordColumns } from '#lib/core/keyword-columns.ts';
import { itemCount, itemNumber, lengthOf } from '#lib/core/keyword-columns.ts';

/** Columns with what has happened to their items since. */
export interface Segment {
  readonly columns: KeywordColumns;
  readonly groups: readonly FindableGroup[];
  /** The group's domain as a number, the same for groups of one domain. */
  readonly domain_of_group: Uint32Array;
  /** 1 for an item that has ended or changed: it counts no more. */
  readonly masked: Uint8Array;
  /** How many items of each group count. */
  readonly counts: Uint32Array;
  /** How many items count. */
  size: number;
  /** Room for a query to note each item's best posting (one higher), and its keyword's length; 0 between queries. */
  readonly best: { posting: Uint32Array; length: Uint16Array };
}

/** Whether items of a group are asked for: by domain, by the caller's scopes. */
export type Wanted = (group: FindableGroup) => boolean;

export function segmentOf(columns: KeywordColumns): Segment {
  const groups: FindableGroup[] = JSON.parse(columns.groups);
  const counts = new Uint32Array(groups.length);
  for (const group of columns.group) counts[group]! += 1;
  const domains = [...new Set(groups.map(({ domain }) => domain))];
  const numbers = new Map(domains.map((domain, number) => [domain, number]));
  return {
    columns,
    groups,
    domain_of_group: Uint32Array.from(groups, ({ domain }) => numbers.get(domain)!),
    masked: new Uint8Array(itemCount(columns)),
    counts,
    size: itemCount(columns),
    best: {
      posting: new Uint32Array(itemCount(columns)),
      length: new Uint16Array(itemCount(columns)),
    },
  };
}

/** The item counts no more. `false` if it did not count. */
export function mask(segment: Segment, id: string): boolean {
  const item = itemNumber(segment.columns, id);
  if (item < 0 || segment.masked[item] === 1) return false;
  segment.masked[item] = 1;
  segment.counts[segment.columns.group[item]!]! -= 1;
  segment.size -= 1;
  return true;
}

/** From this share of the items on, it is quicker to look at all of them than to sort those that were found. */
const MANY = 1 / 64;

/**
 * The wanted items that have one of the keywords, in the order of going live, the first `most` of each domain; each as
 * the place of its posting: that of its longest keyword, of the first if two are as long.
 */
export function bestPostings(
  segment: Segment,
  keywords: Iterable<number>,
  wanted: Wanted,
  most: number,
): number[] {
  const { columns, best, groups, domain_of_group } = segment;
  const counts = new Uint32Array(groups.length);
  const postings: number[] = [];
  const take = (item: number): void => {
    const domain = domain_of_group[columns.group[item]!]!;
    if (counts[domain]!++ < most) postings.push(best.posting[item]! - 1);
    best.posting[item] = 0;
  };
  const few = noteBest(segment, keywords, wanted);
  if (few) few.sort((a, b) => a - b).forEach(take);
  else takeNoted(best.posting, take);
  return postings;
}

function takeNoted(noted: Uint32Array, take: (item: number) => void): void {
  for (let item = 0; item < noted.length; item += 1) if (noted[item] !== 0) take(item);
}

const UNKNOWN = 0;
const YES = 1;
const NO = 2;

/** Notes the best posting of each wanted item. Returns the items, unless they are many. */
function noteBest(segment: Segment, keywords: Iterable<number>, wanted: Wanted): number[] | undefined {
  const { columns, masked, groups } = segment;
  const { posting: noted, length: lengths } = segment.best;
  const { posting_starts, posting_item, posting_nth, group } = columns;
  const many = MANY * masked.length;
  const answers = new Uint8Array(groups.length);
  const items: number[] = [];
  for (const keyword of keywords) {
    const length = lengthOf(columns, keyword);
    const end = posting_starts[keyword + 1]!;
    for (let posting = posting_starts[keyword]!; posting < end; posting += 1) {
      const item = posting_item[posting]!;
      const number = group[item]!;
      if (answers[number] === UNKNOWN) answers[number] = wanted(groups[number]!) ? YES : NO;
      if (answers[number] === NO || masked[item] === 1) continue;
      const before = noted[item]!;
      if (before === 0) {
        if (items.length < many) items.push(item);
      } else if (length < lengths[item]!) continue;
      else if (length === lengths[item] && posting_nth[posting]! > posting_nth[before - 1]!) continue;
      noted[item] = posting + 1;
      lengths[item] = length;
    }
  }
  return items.length < many ? items : undefined;
}
