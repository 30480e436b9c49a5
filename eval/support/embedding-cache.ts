import { createHash } from 'node:crypto';
import { appendFileSync, existsSync, mkdirSync, readFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
import type { Model } from '#lib/ports.ts';

/** Where vectors of slow embedders are kept between runs, one file an embedder. */
export const EMBEDDING_CACHE = join(homedir(), '.cache', 'knowhub', 'embeddings');

const keyOf = (text: string, role: 'query' | 'passage'): string =>
  createHash('sha256').update(`${role}\0${text}`).digest('base64url');

const encoded = (vector: readonly number[]): string =>
  Buffer.from(Float32Array.from(vector).buffer).toString('base64');

function decoded(base64: string): number[] {
  const bytes = Buffer.from(base64, 'base64');
  return [...new Float32Array(bytes.buffer, bytes.byteOffset, bytes.byteLength / 4)];
}

/**
 * The embedder behind a file of what it has answered: a line `key<TAB>base64 of float32` a text and role. A line cut
 * off by a kill is asked for again. `onAsked` hears how many texts the embedder was really asked for.
 */
export function cachedEmbedder(
  model: Pick<Model, 'embedder' | 'embed'>,
  folder: string = EMBEDDING_CACHE,
  onAsked: (texts: number) => void = () => {},
): Pick<Model, 'embedder' | 'embed'> {
  mkdirSync(folder, { recursive: true });
  const file = join(folder, `${model.embedder.name.replace(/[^\w.-]/g, '-')}.tsv`);
  const known = new Map<string, string>();
  const length = Buffer.from(Float32Array.from({ length: model.embedder.dimensions }).buffer).toString(
    'base64',
  ).length;
  for (const line of existsSync(file) ? readFileSync(file, 'utf8').split('\n') : []) {
    const [key, vector] = line.split('\t');
    if (key && vector?.length === length) known.set(key, vector);
  }
  return {
    embedder: model.embedder,
    async embed(texts, role) {
      const missing = [...new Set(texts)].filter((text) => !known.has(keyOf(text, role)));
      const fresh = missing.length > 0 ? await model.embed(missing, role) : [];
      onAsked(missing.length);
      const lines = missing.map((text, n) => [keyOf(text, role), encoded(fresh[n]!)] as const);
      // A line break first: the line before may be one that a kill cut off.
      if (lines.length > 0) appendFileSync(file, `\n${lines.map((pair) => pair.join('\t')).join('\n')}\n`);
      for (const [key, vector] of lines) known.set(key, vector);
      return texts.map((text) => decoded(known.get(keyOf(text, role))!));
    },
  };
}
