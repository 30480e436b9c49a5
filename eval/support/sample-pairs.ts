import { createHash } from 'node:crypto';
import type { LabelledPair } from './labelled-pairs.ts';

/** True duplicates decide about the floor: of them more are taken. */
const DUPLICATES = 3;

/** Pairs in an order that depends on nothing but their ids: a longer sample begins with the shorter one. */
export const shuffled = (pairs: readonly LabelledPair[]): LabelledPair[] =>
  pairs
    .map((pair) => ({ pair, key: createHash('sha256').update(`${pair.set} ${pair.id}`).digest('hex') }))
    .sort((a, b) => (a.key < b.key ? -1 : 1))
    .map(({ pair }) => pair);

/** Of each set and relation at most `most` pairs, of duplicates three times as many; always the same ones. */
export function samplePairs(pairs: readonly LabelledPair[], most: number): LabelledPair[] {
  const groups = Map.groupBy(shuffled(pairs), ({ set, relation }) => `${set} ${relation}`);
  return [...groups.values()].flatMap((group) =>
    group.slice(0, group[0]!.relation === 'duplicate' ? most * DUPLICATES : most),
  );
}

/** At most `most` pairs of each relation, from its sets in turn; always the same ones. `covers` names no one relation. */
export function sampleRelations(pairs: readonly LabelledPair[], most: number): LabelledPair[] {
  const relations = Map.groupBy(
    shuffled(pairs).filter(({ relation }) => relation !== 'covers'),
    ({ relation }) => relation,
  );
  return [...relations.values()].flatMap((group) => inTurn(group).slice(0, most));
}

/** The first of each set, then the second of each, and so on. */
function inTurn(pairs: readonly LabelledPair[]): LabelledPair[] {
  const sets = [...Map.groupBy(pairs, ({ set }) => set).values()];
  const longest = Math.max(0, ...sets.map((set) => set.length));
  return Array.from({ length: longest }, (_, turn) => sets.flatMap((set) => set[turn] ?? [])).flat();
}
