import { Settings } from '#lib/core/settings.ts';

/** Cosines that are properties of an embedder: what one calls near, another calls unrelated. */
export interface EmbedderFloors {
  /** Of two tasks, below which they never reach the judge (R4.1). */
  similarity: number;
  /** Of a query and a section, below which nothing relevant was found (R6.3). */
  relevance: number;
  /** The same where they are of two languages: they lie further apart, whatever they say. */
  relevance_across: number;
  /** Not a cosine: how much the vector side counts in the fusion of L1 (design, section 3). */
  vector_weight: number;
}

/**
 * Floors by the embedder's name, each measured: `similarity` by `npm run eval -- admission`, `relevance` by
 * `npm run eval -- retrieval` (docs/evaluation.md). What a deployment sets itself stands above them.
 */
export const EMBEDDER_FLOORS = {
  // It sees words, not meanings: a paraphrase may lie as low as 0.15, where one in ten unrelated tasks lies, too.
  'stand-in-hash-512': { similarity: 0.15, relevance: 0.15, relevance_across: 0.12, vector_weight: 0.15 },
  // At 0.86, which the rule would allow, the summaries of post-mortems are found less often than by BM25 alone.
  'multilingual-e5-small': { similarity: 0.79, relevance: 0.84, relevance_across: 0.76, vector_weight: 0.4 },
} as const satisfies Record<string, EmbedderFloors>;

/** The floors measured for an embedder, whoever serves it (`intfloat/multilingual-e5-small`); `undefined`: not measured. */
export function floorsOf(embedder: string): EmbedderFloors | undefined {
  const name = embedder.split('/').at(-1)!.toLowerCase();
  return Object.entries(EMBEDDER_FLOORS).find(([known]) => known === name)?.[1];
}

/** The floors as a deployment would set them. */
export const settingsOfFloors = (floors: EmbedderFloors) => ({
  similarity_floor: floors.similarity,
  relevance_floor: floors.relevance,
  relevance_floor_across: floors.relevance_across,
  vector_weight: floors.vector_weight,
});

/** Where the floors of these settings come from: the table, a deployment's own settings, or nobody. */
export function floorsInForce(
  embedder: string,
  { similarity_floor, relevance_floor }: Pick<Settings, 'similarity_floor' | 'relevance_floor'>,
): 'measured' | 'set' | 'not measured' {
  const measured = floorsOf(embedder);
  const defaults = Settings.parse({});
  const usual = measured ?? { similarity: defaults.similarity_floor, relevance: defaults.relevance_floor };
  if (similarity_floor !== usual.similarity || relevance_floor !== usual.relevance) return 'set';
  return measured ? 'measured' : 'not measured';
}
