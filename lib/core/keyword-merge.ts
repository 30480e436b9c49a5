import { inOrder, type Which } from '#lib/core/in-order.ts';
import type { FindableGroup, ItemColumns, KeywordColumns } from '#lib/core/keyword-columns.ts';
import { idAt, itemCount } from '#lib/core/keyword-columns.ts';
import { type ItemNumbers, mergeWords, NONE } from '#lib/core/keyword-merge-words.ts';
import type { Segment } from '#lib/core/keyword-segment.ts';

type Segments = readonly [Segment, Segment];

/**
 * The columns of two segments together, without their masked items, and without keywords that no item has any more.
 * Both are sorted already, so it takes one pass and not a build. An id counts in one of the two at most.
 */
export function mergeSegments(first: Segment, second: Segment): KeywordColumns {
  const { item_numbers, ...items } = mergeItems([first, second]);
  return { ...items, ...mergeWords([first.columns, second.columns], item_numbers) };
}

function mergeItems(segments: Segments): ItemColumns & { item_numbers: ItemNumbers } {
  const [a, b] = [segments[0].columns, segments[1].columns];
  const all = [
    [0, itemCount(a)],
    [0, itemCount(b)],
  ] as const;
  const item_numbers: ItemNumbers = [
    new Uint32Array(itemCount(a)).fill(NONE),
    new Uint32Array(itemCount(b)).fill(NONE),
  ];
  const total = segments[0].size + segments[1].size;
  const id_starts = new Uint32Array(total + 1);
  const live_pos = new Uint32Array(total);
  const by_author = new Uint8Array(total);
  const group = new Uint32Array(total);
  const ids: string[] = [];
  const { groups, numbers } = mergeGroups(segments);
  inOrder(
    all,
    (which, item) => segments[which].masked[item] === 0,
    (n, m) => a.live_pos[n]! - b.live_pos[m]!,
    (which, item) => {
      const { columns } = segments[which];
      const number = ids.push(idAt(columns, item)) - 1;
      item_numbers[which][item] = number;
      id_starts[number + 1] = id_starts[number]! + ids[number]!.length;
      live_pos[number] = columns.live_pos[item]!;
      by_author[number] = columns.by_author[item]!;
      group[number] = numbers[which][columns.group[item]!]!;
    },
  );
  const by_id = new Uint32Array(total);
  let next = 0;
  inOrder(
    all,
    (which, n) => segments[which].masked[segments[which].columns.by_id[n]!] === 0,
    (n, m) => (idAt(a, a.by_id[n]!) < idAt(b, b.by_id[m]!) ? -1 : 1),
    (which, n) => {
      by_id[next++] = item_numbers[which][segments[which].columns.by_id[n]!]!;
    },
  );
  const groups_json = JSON.stringify(groups);
  return {
    item_numbers,
    ids: ids.join(''),
    id_starts,
    by_id,
    live_pos,
    by_author,
    group,
    groups: groups_json,
  };
}

/** The groups of which an item counts, and the new number of each that either segment had. */
function mergeGroups(segments: Segments): { groups: FindableGroup[]; numbers: Record<Which, number[]> } {
  const groups: FindableGroup[] = [];
  const known = new Map<string, number>();
  const numbersOf = (segment: Segment) =>
    segment.groups.map((group, n) => {
      if (segment.counts[n] === 0) return NONE;
      const key = JSON.stringify([group.domain, group.scopes]);
      const number = known.get(key) ?? groups.push(group) - 1;
      known.set(key, number);
      return number;
    });
  return { groups, numbers: [numbersOf(segments[0]), numbersOf(segments[1])] };
}
