import * as z from 'zod';
import { embedBeginnings } from '#lib/adapters/embed-beginnings.ts';
import { modelRefused } from '#lib/adapters/model-refused.ts';
import type { OpenAiEmbedder, OpenAiWriter } from '#lib/adapters/openai/configuration.ts';
import { post, Refusal } from '#lib/adapters/openai/post.ts';
import { optionalFields } from '#lib/adapters/optional-fields.ts';
import { ModelUnavailable } from '#lib/core/errors.ts';
import { withoutThoughts } from '#lib/core/thoughts.ts';
import type { Completion, Model } from '#lib/ports.ts';

const Embeddings = z.object({
  data: z.array(z.object({ index: z.number(), embedding: z.array(z.number()) })),
});
const Content = z.union([
  z.string(),
  // Thoughts come as parts of their own, without a text.
  z
    .array(z.object({ type: z.string(), text: z.string().optional() }))
    .transform((parts) => parts.map(({ text }) => text ?? '').join('')),
]);
const Said = z.object({
  content: Content.nullish(),
  refusal: z.string().nullish(),
  tool_calls: z.array(z.object({ function: z.object({ arguments: z.string() }) })).nullish(),
});
const ChatCompletion = z.object({ choices: z.array(z.object({ message: Said })).min(1) });

const TOO_LONG = /too long|too large|context|maximum|(less|more) than \d+ tokens|input length/i;

/** Servers word it in their own ways: what names no field may mean each of them. */
const attempts = () =>
  optionalFields((error, sent) => {
    if (!(error instanceof Refusal)) return [];
    const named = sent.filter((field) => error.message.includes(field));
    return named.length > 0 ? named : sent;
  });

/** The embedding half of the Model port on any OpenAI-compatible server, which is told the role by `input_type`. */
export function createOpenAiEmbedder(settings: OpenAiEmbedder): Pick<Model, 'embedder' | 'embed'> {
  const { model, dimensions, texts_a_call, characters } = settings;
  const attempt = attempts();
  const embed = async (input: readonly string[], input_type: string): Promise<number[][]> => {
    const reply = await attempt(async (sends) => {
      try {
        return await post(settings, '/embeddings', {
          model,
          input,
          ...(sends('input_type') && { input_type }),
        });
      } catch (error) {
        throw isTooLong(error) ? new TooLong(error) : error;
      }
    });
    const vectors = parsed(Embeddings, reply, settings.url)
      .data.sort((a, b) => a.index - b.index)
      .map(({ embedding }) => embedding);
    if (vectors.length !== input.length || vectors.some(({ length }) => length !== dimensions))
      throw modelRefused(`${model}: not one vector of ${dimensions} dimensions for each of the texts`);
    return vectors;
  };
  return {
    embedder: { name: model, dimensions, stand_in: false },
    embed: (texts, role) =>
      refusing(async () => {
        const vectors: number[][] = [];
        for (let from = 0; from < texts.length; from += texts_a_call) {
          const batch = texts.slice(from, from + texts_a_call);
          vectors.push(
            ...(await embedBeginnings(
              batch,
              characters,
              (beginnings) => embed(beginnings, role),
              (error) => error instanceof TooLong,
            )),
          );
        }
        return vectors;
      }),
  };
}

/** The writing half of the Model port on any OpenAI-compatible server: JSON by schema, or plain text where that is refused. */
export function createOpenAiWriter(settings: OpenAiWriter): Pick<Model, 'writer' | 'complete'> {
  const { model, temperature } = settings;
  const attempt = attempts();
  return {
    writer: { name: model, stand_in: false },
    complete: (completion) =>
      refusing(async () => {
        const reply = await attempt((sends) =>
          post(settings, '/chat/completions', {
            model,
            messages: messagesOf(completion),
            ...(temperature !== null && sends('temperature') && { temperature }),
            ...(sends('response_format') && { response_format: formatOf(completion) }),
          }),
        );
        return { text: textOf(parsed(ChatCompletion, reply, settings.url).choices[0]!.message), model };
      }),
  };
}

/** Not asking otherwise, but asking for less. */
class TooLong extends Error {
  constructor(cause: unknown) {
    super(String(cause), { cause });
  }
}
const isTooLong = (error: unknown): boolean => error instanceof Refusal && TOO_LONG.test(error.message);

/** A refusal that no other way of asking could turn. */
async function refusing<Answer>(ask: () => Promise<Answer>): Promise<Answer> {
  try {
    return await ask();
  } catch (error) {
    if (error instanceof Refusal || error instanceof TooLong) throw modelRefused(error.message, error);
    throw error;
  }
}

/** Not what this API answers: a proxy's page, or a server that is not up yet. */
function parsed<Output>(schema: z.ZodType<Output>, reply: unknown, url: string): Output {
  const read = schema.safeParse(reply);
  if (read.success) return read.data;
  throw new ModelUnavailable(`${url}: ${z.prettifyError(read.error)}`);
}

const messagesOf = ({ system, user, repairs }: Completion<unknown>) => [
  { role: 'system', content: system },
  { role: 'user', content: user },
  ...repairs.flatMap(({ reply, problem }) => [
    { role: 'assistant', content: reply },
    { role: 'user', content: problem },
  ]),
];

const formatOf = ({ prompt, schema }: Completion<unknown>) => ({
  type: 'json_schema',
  json_schema: { name: prompt.replace(/[^\w-]/g, '-'), schema: z.toJSONSchema(schema) },
});

/** What was said; else what a tool was called with, which some proxies make of a schema; else the refusal. */
function textOf({ content, refusal, tool_calls }: z.infer<typeof Said>): string {
  const said = withoutThoughts(content ?? '');
  if (said !== '') return said;
  return tool_calls?.map((call) => call.function.arguments).join('\n') || (refusal ?? '');
}
