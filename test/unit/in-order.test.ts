import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { inOrder, type Range, type Which } from '#lib/core/in-order.ts';

/** What is handed over of two lists, between these bounds, without the values that are gone. */
function merged(
  lists: readonly [readonly number[], readonly number[]],
  gone: readonly number[] = [],
  ranges: readonly [Range, Range] = [
    [0, lists[0].length],
    [0, lists[1].length],
  ],
): [which: Which, value: number][] {
  const taken: [Which, number][] = [];
  inOrder(
    ranges,
    (which, n) => !gone.includes(lists[which][n]!),
    (n, m) => lists[0][n]! - lists[1][m]!,
    (which, n) => taken.push([which, lists[which][n]!]),
  );
  return taken;
}

test('two sorted lists become one, of equal values the first list’s before', () => {
  expect(
    merged([
      [1, 3, 3, 7],
      [2, 3, 9],
    ]),
  ).toEqual([
    [0, 1],
    [1, 2],
    [0, 3],
    [0, 3],
    [1, 3],
    [0, 7],
    [1, 9],
  ]);
});

test('what is not kept is left out of either list, at the beginning, inside and at the end', () => {
  expect(
    merged(
      [
        [1, 4, 5, 8],
        [1, 5, 6, 9],
      ],
      [1, 5, 8, 9],
    ),
  ).toEqual([
    [0, 4],
    [1, 6],
  ]);
  expect(merged([[1], [1, 1]], [1])).toEqual([]);
});

test('only what lies between the bounds is asked for and handed over', () => {
  const asked: [Which, number][] = [];
  const taken: [Which, number][] = [];
  inOrder(
    [
      [2, 4],
      [5, 6],
    ],
    (which, n) => {
      asked.push([which, n]);
      return n !== 3;
    },
    (n, m) => n - m,
    (which, n) => taken.push([which, n]),
  );
  expect(taken).toEqual([
    [0, 2],
    [1, 5],
  ]);
  expect(new Set(asked.map(String))).toEqual(new Set(['0,2', '0,3', '1,5']));
});

test('an empty range leaves the other as it is', () => {
  const empty: Range = [1, 1];
  expect(
    merged(
      [
        [8, 9],
        [1, 2],
      ],
      [],
      [empty, [0, 2]],
    ),
  ).toEqual([
    [1, 1],
    [1, 2],
  ]);
  expect(
    merged(
      [
        [8, 9],
        [1, 2],
      ],
      [],
      [[0, 2], empty],
    ),
  ).toEqual([
    [0, 8],
    [0, 9],
  ]);
  expect(merged([[8], [1, 2]], [], [empty, empty])).toEqual([]);
});

test('the merge is the stable sort of what is kept, whatever the lists are', () => {
  const sorted = fc.array(fc.nat(12), { maxLength: 12 }).map((list) => list.toSorted((a, b) => a - b));
  fc.assert(
    fc.property(sorted, sorted, fc.array(fc.nat(12)), (first, second, gone) => {
      const all = [
        ...first.map((value): [Which, number] => [0, value]),
        ...second.map((value): [Which, number] => [1, value]),
      ];
      expect(merged([first, second], gone)).toEqual(
        all.filter(([, value]) => !gone.includes(value)).sort(([, a], [, b]) => a - b),
      );
    }),
  );
});
