import type { Model } from '#lib/ports.ts';
import type { Running } from './measure-cosines.ts';
import type { Foreign } from './relevance-floors.ts';
import { foreignSupport, type SetRanks, shippedRanks, sideRanks } from './retrieval-measure.ts';
import { type RetrievalDocument, type RetrievalSet, spread } from './retrieval-sets.ts';
import { createRetrievalWorld, type RetrievalWorld } from './retrieval-world.ts';

export interface Measured {
  set: RetrievalSet;
  ranks: SetRanks;
  /** Of keyword sets: lookups that L0 does not help. */
  without_l0: SetRanks['shipped'] | undefined;
}

/** Unanswerable questions taken from a set. */
const FOREIGN = 60;

/** Opens each corpus once, with or without its authors' keywords in L0. */
export function openWorlds(embedder: Pick<Model, 'embedder' | 'embed'>, running: Running) {
  const worlds = new Map<string, Promise<RetrievalWorld>>();
  return ({ corpus, documents }: RetrievalSet, l0: boolean): Promise<RetrievalWorld> => {
    const key = `${corpus} ${l0}`;
    const world =
      worlds.get(key) ?? createRetrievalWorld(embedder, documents.map(storedOf(corpus, l0)), running);
    worlds.set(key, world);
    return world;
  };
}

/** Title and text, as the bars were measured; the queried field is left out of what L1 has. */
const storedOf =
  (corpus: string, l0: boolean) =>
  ({ id, title, text, keywords }: RetrievalDocument) => ({
    ...{ id, title, body: text, domain: corpus, covers: [], about: '' },
    l0_keywords: l0 ? keywords : [],
  });

type Worlds = ReturnType<typeof openWorlds>;

/** `lookups`: the product's own are ranked, too. */
export async function measureSet(
  worlds: Worlds,
  set: RetrievalSet,
  lookups: boolean,
  running: Running,
): Promise<Measured> {
  const world = await worlds(set, false);
  const sides = await sideRanks(world, set, running);
  if (!lookups) return { set, ranks: { ...sides, shipped: [] }, without_l0: undefined };
  const l1 = await shippedRanks(world, set, running);
  if (!set.by_keyword) return { set, ranks: { ...sides, shipped: l1 }, without_l0: undefined };
  const shipped = await shippedRanks(await worlds(set, true), set, running);
  return { set, ranks: { ...sides, shipped }, without_l0: l1 };
}

/** Questions of every set, put to the documents of every other corpus. */
export async function measureForeign(
  worlds: Worlds,
  sets: readonly RetrievalSet[],
  running: Running,
): Promise<Foreign[]> {
  const corpora = new Map(sets.map((set) => [set.corpus, set]));
  const foreign: Foreign[] = [];
  for (const set of sets)
    for (const [corpus, other] of corpora) {
      if (corpus === set.corpus) continue;
      const served = await foreignSupport(await worlds(other, false), spread(set.queries, FOREIGN), running);
      foreign.push({ set: set.name, corpus, by_keyword: set.by_keyword, served });
    }
  return foreign;
}
