import { type BedrockRuntimeClient, InvokeModelCommand } from '@aws-sdk/client-bedrock-runtime';
import * as z from 'zod';
import { answered, refusalOf } from '#lib/adapters/aws/bedrock/answered.ts';
import { type BedrockEmbedder, modelId } from '#lib/adapters/aws/bedrock/configuration.ts';
import { embedBeginnings } from '#lib/adapters/embed-beginnings.ts';
import { modelRefused } from '#lib/adapters/model-refused.ts';
import type { Model } from '#lib/ports.ts';

type Role = 'query' | 'passage';

/** How a family of embedders is asked and answers. */
interface Family {
  texts_a_call: number;
  /** Code points of a text that a call may carry. */
  characters: number;
  request(texts: readonly string[], role: Role, dimensions: number): object;
  vectors(reply: unknown): number[][];
}

const TitanReply = z.object({ embedding: z.array(z.number()) });
const CohereReply = z.object({
  embeddings: z.union([
    z.array(z.array(z.number())),
    z.object({ float: z.array(z.array(z.number())) }).transform(({ float }) => float),
  ]),
});

const cohere = (texts: readonly string[], role: Role) => ({
  texts,
  input_type: role === 'query' ? 'search_query' : 'search_document',
  embedding_types: ['float'],
});

const FAMILIES: Readonly<Record<BedrockEmbedder['family'], Family>> = {
  titan: {
    texts_a_call: 1,
    characters: 50_000,
    request: ([inputText], _role, dimensions) => ({ inputText, dimensions, normalize: true }),
    vectors: (reply) => [TitanReply.parse(reply).embedding],
  },
  'cohere-v3': {
    texts_a_call: 96,
    characters: 2048,
    request: (texts, role) => ({ ...cohere(texts, role), truncate: 'END' }),
    vectors: (reply) => CohereReply.parse(reply).embeddings,
  },
  'cohere-v4': {
    texts_a_call: 96,
    characters: 50_000,
    request: (texts, role, dimensions) => ({
      ...cohere(texts, role),
      output_dimension: dimensions,
      truncate: 'RIGHT',
    }),
    vectors: (reply) => CohereReply.parse(reply).embeddings,
  },
};

/** Calls under way at a time: a document has up to 128 sections, and Titan takes one text a call. */
const AT_ONCE = 8;
const TOO_LONG = /too many (input )?tokens|max(imum)? ?(input )?(length|tokens)|too long/i;

/** The embedding half of the Model port on Bedrock (design, section 4). A vector's model is named with its dimensions. */
export function createBedrockEmbedder(
  client: BedrockRuntimeClient,
  settings: BedrockEmbedder,
): Pick<Model, 'embedder' | 'embed'> {
  const { model, dimensions, timeout_ms } = settings;
  const family = FAMILIES[settings.family];

  async function invoke(texts: readonly string[], role: Role): Promise<number[][]> {
    const command = new InvokeModelCommand({
      modelId: modelId(settings),
      contentType: 'application/json',
      accept: 'application/json',
      body: JSON.stringify(family.request(texts, role, dimensions)),
    });
    const { body } = await client.send(command, { abortSignal: AbortSignal.timeout(timeout_ms) });
    const vectors = family.vectors(JSON.parse(body.transformToString('utf-8')));
    if (vectors.length !== texts.length || vectors.some(({ length }) => length !== dimensions))
      throw modelRefused(`${model}: not one vector of ${dimensions} dimensions for each of the texts`);
    return vectors;
  }

  return {
    embedder: { name: `${model}@${dimensions}`, dimensions, stand_in: false },
    async embed(texts, role) {
      const calls: string[][] = [];
      for (let from = 0; from < texts.length; from += family.texts_a_call)
        calls.push(texts.slice(from, from + family.texts_a_call));
      const vectors: number[][] = [];
      for (let from = 0; from < calls.length; from += AT_ONCE) {
        const replies = await Promise.all(
          calls.slice(from, from + AT_ONCE).map((batch) =>
            answered(model, () =>
              embedBeginnings(
                batch,
                family.characters,
                (beginnings) => invoke(beginnings, role),
                (error) => TOO_LONG.test(refusalOf(error)),
              ),
            ),
          ),
        );
        vectors.push(...replies.flat());
      }
      return vectors;
    },
  };
}
