import * as z from 'zod';
import type { LocalOptions } from '#lib/runtime/local/options.ts';

/** Beside the URL: a key, and what to take of a server that has more than one model. */
export interface ModelVariables {
  MODELS_KEY?: string | undefined;
  MODELS_EMBEDDER?: string | undefined;
  MODELS_WRITER?: string | undefined;
}

const Listed = z.object({ data: z.array(z.object({ id: z.string() })) });
const Embedded = z.object({ data: z.array(z.object({ embedding: z.array(z.number()).min(1) })).min(1) });

const STAND_IN = JSON.stringify('stand-in');
const PATIENCE_MS = 60_000;
/** How embedders are called, as far as names tell. */
const EMBEDS = /embed|\be5\b|bge|minilm|\bgte\b/i;

/**
 * What the functions' environment says of models. A server without an embedder, or without a model that writes, leaves
 * that half to the stand-in. Throws, with what to do about it, when the server is of no use.
 */
export async function modelEnvironment(
  { bedrock, models }: Pick<LocalOptions, 'bedrock' | 'models'>,
  variables: ModelVariables,
): Promise<Record<string, string>> {
  // Which of them is the stack's own choice.
  if (bedrock) return {};
  if (models === undefined) return { EMBEDDER: STAND_IN, WRITER: STAND_IN };
  const url = models.replace(/\/+$/, '');
  const key = variables.MODELS_KEY || undefined;
  const ask = asker(url, key);

  const named = {
    embedder: variables.MODELS_EMBEDDER || undefined,
    writer: variables.MODELS_WRITER || undefined,
  };
  // Not every server lists what it has.
  const needs_list = named.embedder === undefined && named.writer === undefined;
  const listed = needs_list ? Listed.parse(await ask('/models')).data.map(({ id }) => id) : [];
  const embedder = named.embedder ?? listed.find((id) => EMBEDS.test(id));
  const writer = named.writer ?? listed.find((id) => !EMBEDS.test(id));
  if (embedder === undefined && writer === undefined)
    throw new Error(`--models: ${url} has no models; name them by MODELS_EMBEDDER and MODELS_WRITER`);

  const endpoint = { url, ...(key !== undefined && { key }) };
  const dimensions = embedder === undefined ? 0 : await dimensionsOf(ask, embedder);
  return {
    EMBEDDER:
      embedder === undefined
        ? STAND_IN
        : JSON.stringify({ openai: { ...endpoint, model: embedder, dimensions } }),
    WRITER: writer === undefined ? STAND_IN : JSON.stringify({ openai: { ...endpoint, model: writer } }),
  };
}

type Ask = (route: string, body?: object) => Promise<unknown>;

async function dimensionsOf(ask: Ask, model: string): Promise<number> {
  const { data } = Embedded.parse(await ask('/embeddings', { model, input: ['KnowHub'] }));
  return data[0]!.embedding.length;
}

/** Posts where there is a body. */
const asker =
  (url: string, key: string | undefined): Ask =>
  async (route, body) => {
    try {
      const reply = await fetch(url + route, {
        method: body ? 'POST' : 'GET',
        headers: {
          ...(body && { 'content-type': 'application/json' }),
          ...(key !== undefined && { authorization: `Bearer ${key}` }),
        },
        ...(body && { body: JSON.stringify(body) }),
        signal: AbortSignal.timeout(PATIENCE_MS),
      });
      if (!reply.ok) throw new Error(`${reply.status} ${(await reply.text()).slice(0, 200)}`);
      return await reply.json();
    } catch (error) {
      const why =
        error instanceof Error ? [error.message, error.cause].filter(Boolean).join(': ') : String(error);
      throw new Error(`--models: ${url}${route} does not answer as it should: ${why}`, { cause: error });
    }
  };
