import { isHttp } from '#lib/runtime/local/options.ts';

/** A server's embedder; `undefined`: the stand-in. */
export type Embeddings = { url: string; model: string; dimensions: number } | undefined;

/** The flags that choose an embedder, for `parseArgs`. */
export const EMBEDDER_FLAGS = {
  embedder: { type: 'string' },
  embeddings: { type: 'string' },
  model: { type: 'string' },
  dimensions: { type: 'string' },
} as const;

export type EmbedderFlags = { [Flag in keyof typeof EMBEDDER_FLAGS]?: string | undefined };

/** The embedder that they choose, or what is wrong with them. */
export function embeddingsOf({
  embedder,
  embeddings,
  model,
  dimensions,
}: EmbedderFlags): Embeddings | string {
  if (embedder !== undefined && embedder !== 'stand-in' && embedder !== 'standin')
    return `--embedder: "${embedder}" is not known; --embeddings URL takes a server's`;
  if (embeddings === undefined)
    return model !== undefined || dimensions !== undefined
      ? '--model and --dimensions belong to --embeddings URL'
      : undefined;
  if (embedder !== undefined) return '--embedder and --embeddings: one of them, not both';
  if (!isHttp(embeddings)) return `--embeddings: not an http or https URL: ${embeddings}`;
  return { url: embeddings, model: model ?? 'multilingual-e5-small', dimensions: Number(dimensions ?? 384) };
}

const POSITIVE = /^[1-9]\d{0,6}$/;

/** What is wrong with a flag that is no whole number from 1 on. */
export function noNumber(flags: Readonly<Record<string, string | undefined>>): string | undefined {
  const wrong = Object.entries(flags).find(([, number]) => number !== undefined && !POSITIVE.test(number));
  return wrong && `--${wrong[0]}: "${wrong[1]}" is no number`;
}
