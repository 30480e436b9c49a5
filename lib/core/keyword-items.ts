import type { FindableGroup } from '#lib/core/keyword-columns.ts';
import type { Segment } from '#lib/core/keyword-segment.ts';

/** Whether items of a group are asked for: by domain, by the caller's scopes. */
export type Wanted = (group: FindableGroup) => boolean;

const UNKNOWN = 0;
const YES = 1;
const NO = 2;

/** The wanted items that have one of the keywords, in the order of going live, the first `most` of each domain. */
export function firstItems(
  segment: Segment,
  keywords: readonly number[],
  wanted: Wanted,
  most: number,
): number[] {
  const { columns, groups, masked, domains, domain_of_group } = segment;
  const counts = new Uint32Array(domains);
  // Asked once for all items of a group.
  const answers = new Uint8Array(groups.length);
  const first: number[] = [];
  for (const item of itemsWith(segment, keywords)) {
    const group = columns.group[item]!;
    if (answers[group] === UNKNOWN) answers[group] = wanted(groups[group]!) ? YES : NO;
    if (answers[group] === NO || masked[item] === 1) continue;
    if (counts[domain_of_group[group]!]!++ < most) first.push(item);
    if (first.length === domains * most) break;
  }
  return first;
}

/** From this share of all items on, it is quicker to look at all than to sort those that were found. */
const MANY = 1 / 64;

/** The items that have one of the keywords, each once, in order. */
function itemsWith({ columns, noted }: Segment, keywords: readonly number[]): Uint32Array {
  const { posting_starts, posting_item } = columns;
  const few: number[] = [];
  const many = MANY * noted.length;
  let count = 0;
  for (const keyword of keywords) {
    const end = posting_starts[keyword + 1]!;
    for (let posting = posting_starts[keyword]!; posting < end; posting += 1) {
      const item = posting_item[posting]!;
      if (noted[item] === 1) continue;
      noted[item] = 1;
      count += 1;
      if (count < many) few.push(item);
    }
  }
  if (count >= many) return takeNoted(noted, count);
  for (const item of few) noted[item] = 0;
  return Uint32Array.from(few).sort();
}

/** The places of the ones, of which nothing stays noted. */
function takeNoted(noted: Uint8Array<ArrayBuffer>, count: number): Uint32Array {
  const items = new Uint32Array(count);
  // Four at a time: most of them are none.
  const fours = new Uint32Array(noted.buffer);
  let next = 0;
  for (let n = 0; n < fours.length; n += 1) {
    if (fours[n] === 0) continue;
    for (let item = 4 * n; item < 4 * n + 4; item += 1) if (noted[item] === 1) items[next++] = item;
    fours[n] = 0;
  }
  return items;
}
