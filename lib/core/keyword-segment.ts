import type { FindableGroup, KeywordColumns } from '#lib/core/keyword-columns.ts';
import { itemCount, itemNumber } from '#lib/core/keyword-columns.ts';

/** Columns with what has happened to their items since. */
export interface Segment {
  readonly columns: KeywordColumns;
  readonly groups: readonly FindableGroup[];
  /** How many domains the groups are of; and which one each is of. */
  readonly domains: number;
  readonly domain_of_group: Uint32Array;
  /** 1 for an item that has ended or changed: it counts no more. */
  readonly masked: Uint8Array;
  /** How many items of each group count. */
  readonly counts: Uint32Array;
  /** How many items count. */
  size: number;
  /** Room for a query to note items, a multiple of four; all 0 between queries. */
  readonly noted: Uint8Array<ArrayBuffer>;
}

export function segmentOf(columns: KeywordColumns): Segment {
  const groups: FindableGroup[] = JSON.parse(columns.groups);
  const counts = new Uint32Array(groups.length);
  for (const group of columns.group) counts[group]! += 1;
  const domains = [...new Set(groups.map(({ domain }) => domain))];
  const numbers = new Map(domains.map((domain, number) => [domain, number]));
  return {
    columns,
    groups,
    domains: domains.length,
    domain_of_group: Uint32Array.from(groups, ({ domain }) => numbers.get(domain)!),
    masked: new Uint8Array(itemCount(columns)),
    counts,
    size: itemCount(columns),
    noted: new Uint8Array(4 * Math.ceil(itemCount(columns) / 4)),
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
