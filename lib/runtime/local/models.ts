import * as z from 'zod';
import type { LocalOptions } from '#lib/runtime/local/options.ts';

/** Beside the URL: a key, and what to take of a server that has more than one model. */
export interface ModelVariables {
  MODELS_KEY?: string | undefined;
  MODELS_EMBEDDER?: string | undefined;
  MODELS_WRITER?: string | undefined;
}

const Listed = z.object({ data: z.array(z.object({ id: z.string() })) });
const Embedded = z.object({ data: z.array(z.object({ embedding: z.array(z.number()) })).min(1) });

const STAND_IN = JSON.stringify('stand-in');
const PATIENCE_MS = 60_000;
const EMBEDS = /embed|e5|bge|minilm/i;

/** What the functions' environment says of models. Throws, with what to do about it, when the server is of no use. */
export async function modelEnvironment(
  { bedrock, models }: Pick<LocalOptions, 'bedrock' | 'models'>,
  variables: ModelVariables,
): Promise<Record<string, string>> {
  // Which of them is the stack's own choice.
  if (bedrock) return {};
  if (models === undefined) return { EMBEDDER: STAND_IN, WRITER: STAND_IN };
  const url = models.replace(/\/+$/, '');
  const key = variables.MODELS_KEY || undefined;
  const call = caller(url, key);
  const ids = Listed.parse(await call('/models')).data.map(({ id }) => id);
  const embedder = variables.MODELS_EMBEDDER || ids.find((id) => EMBEDS.test(id));
  const writer = variables.MODELS_WRITER || ids.find((id) => id !== embedder && !EMBEDS.test(id));
  if (embedder === undefined)
    throw new Error(`${url}: no embedder among ${ids}; name one by MODELS_EMBEDDER`);
  if (writer === undefined) throw new Error(`${url}: no writer among ${ids}; name one by MODELS_WRITER`);
  const probe = Embedded.parse(await call('/embeddings', { model: embedder, input: ['KnowHub'] }));
  const dimensions = probe.data[0]!.embedding.length;
  const endpoint = { url, ...(key !== undefined && { key }) };
  return {
    EMBEDDER: JSON.stringify({ openai: { ...endpoint, model: embedder, dimensions } }),
    WRITER: JSON.stringify({ openai: { ...endpoint, model: writer } }),
  };
}

/** Posts where there is a body. */
const caller = (url: string, key: string | undefined) => async (route: string, body?: object) => {
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
    return (await reply.json()) as unknown;
  } catch (error) {
    const why =
      error instanceof Error ? [error.message, error.cause].filter(Boolean).join(': ') : String(error);
    throw new Error(`--models: ${url}${route} does not answer as it should: ${why}`, { cause: error });
  }
};
