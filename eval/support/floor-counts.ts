import { reaches } from '#lib/core/ranking.ts';
import type { TrueRelation } from './labelled-pairs.ts';
import type { Reading } from './readings.ts';

/** The cosines of all pairs of one relation in one set under one reading. */
export interface Measured {
  set: string;
  language: string;
  reading: Reading;
  relation: TrueRelation;
  cosines: readonly number[];
}

/** How many of the pairs reach the judge at this floor (R4.1). */
export const reaching = ({ cosines }: Pick<Measured, 'cosines'>, floor: number): number =>
  cosines.filter((cosine) => reaches(cosine, floor)).length;

/** Newcomers with one of these relations to a stored item must not be rejected for it (R4.2). */
const STAY: ReadonlySet<TrueRelation> = new Set(['superset', 'conflict', 'complement', 'none']);

/** How many pairs a pure threshold would reject although the newcomer holds something new, by set and reading. */
export const wronglyRejected = (measured: readonly Measured[], floor: number): number =>
  measured.filter(({ relation }) => STAY.has(relation)).reduce((sum, one) => sum + reaching(one, floor), 0);

/** How many of such pairs there are. */
export const mustStay = (measured: readonly Measured[]): number =>
  measured.filter(({ relation }) => STAY.has(relation)).reduce((sum, { cosines }) => sum + cosines.length, 0);

/** The share of true duplicates that must reach the judge, in every set that decides. */
export const KEPT = 0.99;
/** Of fewer pairs one alone would be more than the share that may be lost. */
const DECIDING = 100;

/** Between two languages. */
export const isAcross = ({ language }: Measured): boolean => language.includes('-');

/** The rows that a floor is chosen by: true duplicates, by set and reading; `across`: the embedder sees across languages. */
export const deciding = (measured: readonly Measured[], across: boolean): Measured[] =>
  measured.filter(
    (one) => one.relation === 'duplicate' && one.cosines.length >= DECIDING && (across || !isAcross(one)),
  );

/** The share of subsets, supersets and conflicts that should, in every set. */
export const SEEN = 0.95;
const TO_BE_SEEN: ReadonlySet<TrueRelation> = new Set(['subset', 'superset', 'conflict']);

/** The rows of what the judge should see beside duplicates. */
export const toBeSeen = (measured: readonly Measured[]): Measured[] =>
  measured.filter(({ relation }) => TO_BE_SEEN.has(relation));

const shareOf = ({ relation }: Measured): number => (relation === 'duplicate' ? KEPT : SEEN);

/** Whether enough of these pairs reach the judge at this floor. */
export const keeps = (one: Measured, floor: number): boolean =>
  reaching(one, floor) >= shareOf(one) * one.cosines.length;

/** The highest hundredth at which all of these rows keep their share; `undefined` without rows. */
export function highestFloor(rows: readonly Measured[]): number | undefined {
  if (rows.length === 0) return undefined;
  for (let hundredths = 100; hundredths > 0; hundredths -= 1) {
    if (rows.every((one) => keeps(one, hundredths / 100))) return hundredths / 100;
  }
  return 0;
}
