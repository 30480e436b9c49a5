import type { SetRanks, Support } from './retrieval-measure.ts';

/** Right first answers that a floor may lose of any set. */
export const MOST_LOST = 0.02;
const STEP = 0.01;

export interface FloorRow {
  floor: number;
  /** Worst share of a set's queries whose right first answer the floor takes away, and the set. */
  lost: number;
  lost_of: string;
  /** Share of the unanswerable questions that are answered with something. */
  served: number;
}

/** Unanswerable questions of one set, put to documents of another corpus. */
export interface Foreign {
  set: string;
  corpus: string;
  /** The queries are keywords: one that stands in a text is answered there, whoever asked. */
  by_keyword: boolean;
  served: Support[];
}

/** `same`: query and section in one language; `across`: in two. */
export type Side = 'same' | 'across';

/** Whether something relevant is found, by meaning or by words. */
const passes = ({ same, across, by_words }: Support, floors: Record<Side, number>): boolean =>
  by_words || same >= floors.same || across >= floors.across;

/** Share of a set's queries whose right first answer the floors take away. */
export function lostBy(first: SetRanks['first'], floors: Record<Side, number>): number {
  return first.filter((support) => support && !passes(support, floors)).length / Math.max(1, first.length);
}

/** Share of the questions to which the floors let something through. */
export function servedBy(served: readonly Support[], floors: Record<Side, number>): number {
  return served.filter((support) => passes(support, floors)).length / Math.max(1, served.length);
}

/** What each floor of one side loses while the other's is in force, and what it serves by itself. */
export function floorRows(
  side: Side,
  sets: readonly { name: string; first: SetRanks['first'] }[],
  foreign: readonly Foreign[],
  in_force: Record<Side, number>,
  [from, to]: readonly [number, number],
): FloorRow[] {
  const questions = foreign.filter(({ by_keyword }) => !by_keyword).flatMap(({ served }) => served);
  const asked = questions.filter((each) => each[side] > -1);
  const rows: FloorRow[] = [];
  for (let n = Math.round(from / STEP); n <= Math.round(to / STEP); n += 1) {
    const floor = Number((n * STEP).toFixed(2));
    const worst = sets
      .map(({ name, first }) => ({ name, lost: lostBy(first, { ...in_force, [side]: floor }) }))
      .reduce((a, b) => (b.lost > a.lost ? b : a));
    rows.push({
      ...{ floor, lost: worst.lost, lost_of: worst.lost > 0 ? worst.name : '' },
      served: servedBy(asked, { ...CLOSED, [side]: floor }),
    });
  }
  return rows;
}

const CLOSED = { same: 2, across: 2 };

/** The rule: the highest floor that loses at most 2 % of the right first answers of any set. */
export const byRule = (rows: readonly FloorRow[]): number | undefined =>
  rows.filter(({ lost }) => lost <= MOST_LOST).at(-1)?.floor;
