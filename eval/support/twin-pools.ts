import { normalise, sha256 } from '#lib/core/normalise.ts';
import { type Comparable, cosine, rankCandidates } from '#lib/core/ranking.ts';
import { Settings } from '#lib/core/settings.ts';
import { sketch } from '#lib/core/sketch.ts';
import type { LabelledPair, TrueRelation } from './labelled-pairs.ts';
import type { Reading } from './readings.ts';
import { taskIn } from './readings.ts';

/** How many stored items have the newcomer's task, its counterpart among them. */
const SIBLINGS = 50;

const { recall_k, max_candidates } = Settings.parse({});

/** Relations to one stored item; of the others nothing says which item is the newcomer's counterpart. */
const TWINS: ReadonlySet<TrueRelation> = new Set(['duplicate', 'subset', 'superset', 'conflict']);

/** How often the counterpart is among the candidates that the judge sees. */
export interface TwinCount {
  set: string;
  relation: TrueRelation;
  /** What the pool is: siblings of one task, or everything that is stored. */
  pool: Reading | 'one task';
  /** Items in the pool. */
  size: number;
  newcomers: number;
  /** Ranked by the task's vector alone: ties by id. */
  by_task: number;
  /** Ranked as the product does (R4.1). */
  ranked: number;
  /** Ranked first by the product. */
  first: number;
}

interface Stored {
  /** Says nothing about the order in the set, so that ties by id are chance. */
  id: string;
  pair: LabelledPair;
  text: string;
  sketch: number[];
}

/** Each newcomer against {@link SIBLINGS} stored texts of its set under one task: only the contents can tell them apart. */
export function siblingPools(pairs: readonly LabelledPair[]): TwinCount[] {
  return bySet(pairs).flatMap(([set, group]) => {
    const stored = inOrder(group).map(storedOf);
    const counts = newCounts(set, 'one task', Math.min(SIBLINGS, stored.length));
    stored.forEach((counterpart, at) => {
      const others = siblingsOf(stored, at);
      counts.add(
        counterpart.pair,
        [1],
        [...others, counterpart].map((one) => ({ one, vector: [1] })),
      );
    });
    return counts.rows();
  });
}

/** Each newcomer against all stored texts of its set with the vectors of their own tasks, as recall finds them. */
export function wholeBase(
  pairs: readonly LabelledPair[],
  reading: Reading,
  vectors: ReadonlyMap<string, number[]>,
  floor: number,
): TwinCount[] {
  return bySet(pairs).flatMap(([set, group]) => {
    const stored = group.map((pair) => ({
      one: storedOf(pair),
      vector: vectors.get(taskIn(reading, pair.stored))!,
    }));
    const counts = newCounts(set, reading, stored.length, floor);
    for (const pair of group) {
      const vector = vectors.get(taskIn(reading, pair.new))!;
      const nearest = stored
        .map((item) => ({ item, near: cosine(vector, item.vector) }))
        .sort((a, b) => b.near - a.near || (a.item.one.id < b.item.one.id ? -1 : 1))
        .slice(0, recall_k)
        .map(({ item }) => item);
      counts.add(pair, vector, nearest);
    }
    return counts.rows();
  });
}

const bySet = (pairs: readonly LabelledPair[]) => [
  ...Map.groupBy(
    pairs.filter(({ relation }) => TWINS.has(relation)),
    ({ set }) => set,
  ),
];

/** Texts that belong together stand together: sections by heading, sentences as in their file. */
const inOrder = (pairs: readonly LabelledPair[]): LabelledPair[] =>
  pairs.toSorted((a, b) =>
    a.stored.task === b.stored.task ? (a.id < b.id ? -1 : 1) : a.stored.task < b.stored.task ? -1 : 1,
  );

const storedOf = (pair: LabelledPair): Stored => ({
  id: sha256(`${pair.set} ${pair.id}`),
  pair,
  text: normalise(pair.stored.content),
  sketch: sketch(pair.stored.content),
});

/** The nearest neighbours in that order, other copies of the counterpart left out. */
function siblingsOf(stored: readonly Stored[], at: number): Stored[] {
  const siblings = new Map<string, Stored>();
  for (let distance = 1; distance < stored.length && siblings.size < SIBLINGS - 1; distance += 1) {
    for (const one of [stored[at - distance], stored[at + distance]]) {
      if (one && one.text !== stored[at]!.text && siblings.size < SIBLINGS - 1) siblings.set(one.text, one);
    }
  }
  return [...siblings.values()];
}

function newCounts(set: string, pool: TwinCount['pool'], size: number, floor = 0) {
  const rows = new Map<TrueRelation, TwinCount>();
  return {
    rows: () => [...rows.values()],
    add(
      pair: LabelledPair,
      vector: readonly number[],
      items: readonly { one: Stored; vector: readonly number[] }[],
    ) {
      const row = rows.get(pair.relation) ?? {
        ...{ set, relation: pair.relation, pool, size },
        ...{ newcomers: 0, by_task: 0, ranked: 0, first: 0 },
      };
      rows.set(pair.relation, row);
      const me = { id: 'newcomer', vector, sketch: sketch(pair.new.content) };
      const twin = normalise(pair.stored.content);
      const candidates = items.map(({ one, vector }) => ({
        id: one.id,
        vector,
        sketch: one.sketch,
        twin: one.text === twin,
      }));
      const chosen = (from: readonly (Comparable & { twin: boolean })[]) =>
        rankCandidates(me, from, floor, max_candidates).map(({ twin }) => twin);
      const ranked = chosen(candidates);
      row.newcomers += 1;
      row.by_task += Number(chosen(candidates.map((one) => ({ ...one, sketch: [] }))).includes(true));
      row.ranked += Number(ranked.includes(true));
      row.first += Number(ranked[0] === true);
    },
  };
}
