import { FILLERS } from '#lib/adapters/standin/lexicon.ts';
import type { Token } from '#lib/adapters/standin/words.ts';
import { tokensOf } from '#lib/adapters/standin/words.ts';
import { EMBEDDER_FLOORS } from '#lib/core/embedder-floors.ts';

export const STANDIN_EMBEDDER = { name: 'stand-in-hash-512', dimensions: 512, stand_in: true } as const;

const FLOORS = EMBEDDER_FLOORS[STANDIN_EMBEDDER.name];

/** Cosine from which two tasks may be the same, for this embedder (R4.1). */
export const STANDIN_SIMILARITY_FLOOR = FLOORS.similarity;

/** Cosine of a query and a section below which, for this embedder, nothing relevant was found (R6.3). */
export const STANDIN_RELEVANCE_FLOOR = FLOORS.relevance;

const WEIGHT = { word: 1, filler: 0.1, number: 0.6, han: 0.35, hanPair: 1, grams: 0.7 };
const GRAM = 3;
/** The first line of several is a title, which says most of what the rest is for. */
const TITLE = 2;

/**
 * Hashed words, character trigrams and pairs of Han characters as a unit vector: the same text always gives the same
 * one. Synonyms, paraphrases and translations are out of its reach.
 */
export function embedByHash(text: string): number[] {
  const features = featuresOf(text);
  const vector = new Float64Array(STANDIN_EMBEDDER.dimensions);
  for (const [feature, weight] of features) {
    const hash = fnv1a(feature);
    const sign = hash & 0x8000_0000 ? -1 : 1;
    vector[hash % STANDIN_EMBEDDER.dimensions]! += sign * Math.sqrt(weight);
  }
  const norm = Math.hypot(...vector);
  // Signs can cancel in a text of two features; it still needs a direction.
  if (norm < 1e-9) vector[fnv1a(text) % STANDIN_EMBEDDER.dimensions] = 1;
  return Array.from(vector, (value) => Math.fround(value / (norm < 1e-9 ? 1 : norm)));
}

type Add = (feature: string, weight: number) => void;

/** Features with their summed squared weight: a word that comes four times counts twice. */
function featuresOf(text: string): Map<string, number> {
  const features = new Map<string, number>();
  const add = (feature: string, weight: number) =>
    features.set(feature, (features.get(feature) ?? 0) + weight * weight);
  const whole = text.trim();
  const title = whole.slice(0, Math.max(0, whole.indexOf('\n')));
  addTokens(title, (feature, weight) => add(feature, weight * TITLE));
  addTokens(whole.slice(title.length), add);
  if (features.size === 0) add(whole, 1);
  return features;
}

function addTokens(text: string, add: Add): void {
  let before: Token | undefined;
  for (const token of tokensOf(text)) {
    const filler = FILLERS.has(token.lower);
    if (token.kind === 'han') {
      if (!filler) add(token.word, WEIGHT.han);
      if (before?.kind === 'han') add(before.word + token.word, WEIGHT.hanPair);
    } else if (filler) add(token.word, WEIGHT.filler);
    else {
      add(token.word, token.kind === 'number' ? WEIGHT.number : WEIGHT.word);
      if (token.kind === 'word') addGrams(token.word, add);
    }
    before = filler ? undefined : token;
  }
}

function addGrams(word: string, add: Add): void {
  if (word.length <= GRAM) return;
  const bounded = `^${word}$`;
  const count = bounded.length - GRAM + 1;
  for (let at = 0; at < count; at += 1) {
    add(bounded.slice(at, at + GRAM), WEIGHT.grams / Math.sqrt(count));
  }
}

function fnv1a(text: string): number {
  let hash = 0x811c_9dc5;
  for (let at = 0; at < text.length; at += 1) hash = Math.imul(hash ^ text.charCodeAt(at), 0x0100_0193);
  // FNV leaves short texts alike in their high bits, where the sign is read.
  hash = Math.imul(hash ^ (hash >>> 16), 0x85eb_ca6b);
  return (hash ^ (hash >>> 13)) >>> 0;
}
