import { expect, test } from 'vitest';
import { nearest } from '#lib/core/nearest-sections.ts';

const section = (text: string) => ({ heading: '', text });

/** These texts as they are ordered against the other sides, the first counts most. */
function ordered(texts: readonly string[], ...others: string[][]): string[] {
  const score = nearest(
    texts.map(section),
    others.map((other) => other.map(section)),
  );
  return texts.toSorted((a, b) => score(section(b)) - score(section(a)));
}

const RED = 'the pump is stopped by the red valve';
// Each differs from the one above in more.
const REDDISH = 'the pump is stopped by the red valves';
const BLUE = 'the pump is stopped by the blue valve';
const FAR = '0123456789 9876543210';
const FURTHER = 'zzzz yyyy xxxx wwww';
const LUNCH = 'every guest of the canteen has lunch at noon';
const SUPPER = 'every guest of the canteen has supper at noon';

test('R4.2 the section that is nearest to the other side comes first, the far ones last', () => {
  expect(ordered([FAR, BLUE, REDDISH], [RED])).toEqual([REDDISH, BLUE, FAR]);
});

test('R4.2 what stands word for word on the other side comes after what is near and differs, but before what is far', () => {
  expect(ordered([FAR, RED, BLUE], [RED])).toEqual([BLUE, RED, FAR]);
  expect(ordered([FAR, `  ${RED.toUpperCase()} `, BLUE], [RED])).toEqual([
    BLUE,
    `  ${RED.toUpperCase()} `,
    FAR,
  ]);
});

test('R4.2 what stands word for word on one side has that side’s turn', () => {
  expect(ordered([SUPPER, BLUE, REDDISH], [SUPPER], [RED])).toEqual([REDDISH, SUPPER, BLUE]);
});

test('R4.2 each of several sides has its nearest section before any has its second', () => {
  // Both sections about the pump are much nearer to the first side than the one about supper is to the second.
  const canteen = `${LUNCH}, and never before the bell has rung twice in the yard`;
  expect(ordered([`${RED}!`, REDDISH, SUPPER, FAR], [RED], [canteen])).toEqual([
    `${RED}!`,
    SUPPER,
    REDDISH,
    FAR,
  ]);
});

test('R4.2 a side to which nothing is near gives no section a turn', () => {
  expect(ordered([FURTHER, BLUE, REDDISH, SUPPER], ['1111 2222'], [RED, LUNCH])).toEqual([
    REDDISH,
    BLUE,
    SUPPER,
    FURTHER,
  ]);
});

test('R4.2 a section counts by the side that it is nearest to, whatever order they come in', () => {
  for (const sides of [
    [[RED], [FAR]],
    [[FAR], [RED]],
  ])
    expect(ordered([FURTHER, REDDISH], ...sides)).toEqual([REDDISH, FURTHER]);
});

test('R4.2 without another side all sections count alike', () => {
  expect(ordered([FAR, RED, BLUE])).toEqual([FAR, RED, BLUE]);
  expect(nearest([section(RED)], [])(section(RED))).toBe(0);
});
