import { highestFloor, keeps, type Measured, mustStay, reaching, wronglyRejected } from './floor-counts.ts';
import { type Cell, per, table } from './markdown.ts';

/** Where an embedder's cosines spread, and where they crowd. */
const WIDE = Array.from({ length: 16 }, (_, n) => (15 + n * 5) / 100);
const NARROW = [0.75, ...Array.from({ length: 10 }, (_, n) => (78 + n * 2) / 100), 0.98];
/** Half of the unrelated pairs of such an embedder lie above this. */
const CROWDED = 0.6;

/** The floors that the tables show, the shipped one among them. */
export function floorsFor(measured: readonly Measured[], shipped: number): number[] {
  const unrelated = measured
    .filter(({ relation }) => relation === 'none')
    .flatMap(({ cosines }) => cosines)
    .sort((a, b) => a - b);
  const median = unrelated[Math.floor(unrelated.length / 2)] ?? 0;
  return [...new Set([...(median >= CROWDED ? NARROW : WIDE), shipped])].sort((a, b) => a - b);
}

const label = (floor: number): string => floor.toFixed(2);

/** Per set, reading and relation: the share of pairs that reach the judge at each floor. */
export const reachTable = (measured: readonly Measured[], floors: readonly number[]): string =>
  table(
    ['set', 'task', 'relation', 'pairs', ...floors.map(label)],
    measured.map((one) => [
      one.set,
      one.reading,
      one.relation,
      one.cosines.length,
      ...floors.map((floor) => per(reaching(one, floor), one.cosines.length)),
    ]),
  );

/** Per set and reading: how many newcomers a threshold alone would reject although they hold something new. */
export function thresholdTable(measured: readonly Measured[], floors: readonly number[]): string {
  const groups = Map.groupBy(measured, ({ set, reading }) => `${set} ${reading}`);
  return table(
    ['set', 'task', 'must stay', ...floors.map(label)],
    [...groups.values()].map((group) => [
      group[0]!.set,
      group[0]!.reading,
      mustStay(group),
      ...floors.map((floor) => wronglyRejected(group, floor)),
    ]),
  );
}

/** What the floor is chosen by. */
export function decidingTable(rows: readonly Measured[], shipped: number): string {
  const cells = rows.map((one): Cell[] => [
    one.set,
    one.reading,
    one.cosines.length,
    Math.min(...one.cosines).toFixed(3),
    label(highestFloor([one])!),
    one.cosines.length - reaching(one, shipped),
    keeps(one, shipped) ? 'yes' : '**no**',
  ]);
  const head = [
    'set',
    'task',
    'true duplicates',
    'lowest cosine',
    '99 % kept up to',
    `lost at ${label(shipped)}`,
  ];
  return table([...head, 'holds'], cells);
}

/** At one floor, all sets and readings together. */
export function atFloor(measured: readonly Measured[], floor: number): string {
  const relations = Map.groupBy(measured, ({ relation }) => relation);
  return [...relations]
    .map(([relation, rows]) => {
      const pairs = rows.reduce((sum, { cosines }) => sum + cosines.length, 0);
      const reached = rows.reduce((sum, one) => sum + reaching(one, floor), 0);
      return `${relation} ${per(reached, pairs)} % (${reached} of ${pairs})`;
    })
    .join(', ');
}
