import { cosine } from '#lib/core/ranking.ts';
import type { Model } from '#lib/ports.ts';
import type { Measured } from './floor-counts.ts';
import { type LabelledPair, RELATIONS, SETS } from './labelled-pairs.ts';
import { type Reading, readingsOf, taskIn } from './readings.ts';
import { stillWanted } from './still-wanted.ts';

/** Texts for which the embedder is asked at once: the work can be stopped in between. */
const AT_ONCE = 64;

export interface Running {
  signal: AbortSignal;
  /** What is being done, for whoever waits. */
  tell(progress: string): void;
}

/** Vectors by text, rounded to float32 as every engine returns them. Throws what the embedder throws. */
export async function vectorsOf(
  model: Pick<Model, 'embed'>,
  texts: Iterable<string>,
  { signal, tell }: Running,
): Promise<Map<string, number[]>> {
  const distinct = [...new Set(texts)];
  const vectors = new Map<string, number[]>();
  for (let from = 0; from < distinct.length; from += AT_ONCE) {
    await stillWanted(signal);
    const some = distinct.slice(from, from + AT_ONCE);
    const answer = await model.embed(some, 'passage');
    for (const [n, text] of some.entries()) vectors.set(text, [...Float32Array.from(answer[n]!)]);
    tell(`${vectors.size}/${distinct.length} tasks embedded`);
  }
  return vectors;
}

/** The cosines of the pairs' tasks as recall computes them, by set, reading and relation, in the order of the pairs. */
export async function measureCosines(
  model: Pick<Model, 'embed'>,
  pairs: readonly LabelledPair[],
  running: Running,
): Promise<Measured[]> {
  const asked = pairs.flatMap((pair) =>
    readingsOf(pair).map((reading) => ({
      pair,
      reading,
      tasks: [taskIn(reading, pair.new), taskIn(reading, pair.stored)] as const,
    })),
  );
  // One text has one vector: whoever has both in common needs none.
  const unlike = asked.filter(({ tasks: [a, b] }) => a !== b);
  const vectors = await vectorsOf(
    model,
    unlike.flatMap(({ tasks }) => tasks),
    running,
  );
  const groups = Map.groupBy(asked, ({ pair, reading }) => [pair.set, reading, pair.relation].join());
  const measured = [...groups.values()].map((group) => {
    const { pair, reading } = group[0]!;
    const cosines = group.map(({ tasks: [a, b] }) =>
      a === b ? 1 : cosine(vectors.get(a)!, vectors.get(b)!),
    );
    return { set: pair.set, language: pair.language, reading, relation: pair.relation, cosines };
  });
  return measured.sort((a, b) => placeOf(a) - placeOf(b));
}

const READINGS: readonly Reading[] = ['sentence', 'entry', 'document', 'summary'];

/** By set, reading and relation. */
const placeOf = ({ set, reading, relation }: Measured): number =>
  (SETS.indexOf(set) * READINGS.length + READINGS.indexOf(reading)) * RELATIONS.length +
  RELATIONS.indexOf(relation);
