import { BedrockRuntimeClient } from '@aws-sdk/client-bedrock-runtime';
import * as z from 'zod';
import { BedrockEmbedder, BedrockWriter } from '#lib/adapters/aws/bedrock/configuration.ts';
import { createBedrockEmbedder } from '#lib/adapters/aws/bedrock/embedder.ts';
import { createBedrockWriter } from '#lib/adapters/aws/bedrock/writer.ts';
import { OpenAiEmbedder, OpenAiWriter } from '#lib/adapters/openai/configuration.ts';
import { createOpenAiEmbedder, createOpenAiWriter } from '#lib/adapters/openai/model.ts';
import { STANDIN_JUDGE_BUDGET } from '#lib/adapters/standin/judge.ts';
import { createStandinModel } from '#lib/adapters/standin/model.ts';
import { floorsOf, settingsOfFloors } from '#lib/core/embedder-floors.ts';
import type { Settings } from '#lib/core/settings.ts';
import type { Model } from '#lib/ports.ts';
import { once } from '#lib/runtime/once.ts';

/** Who embeds, e.g. `{"bedrock": {"model": "amazon.titan-embed-text-v2:0"}}`; `"stand-in"`: hashes in its place. */
export const EmbedderChoice = z.union([
  z.literal('stand-in'),
  z.strictObject({ bedrock: BedrockEmbedder }),
  z.strictObject({ openai: OpenAiEmbedder }),
]);
export type EmbedderChoice = z.infer<typeof EmbedderChoice>;

/** Who judges and writes; `"stand-in"`: rules in its place. */
export const WriterChoice = z.union([
  z.literal('stand-in'),
  z.strictObject({ bedrock: BedrockWriter }),
  z.strictObject({ openai: OpenAiWriter }),
]);
export type WriterChoice = z.infer<typeof WriterChoice>;

/** The model as chosen, half by half. `bedrock`: the client of both halves. Connects to nothing before the first call. */
export function chosenModel(
  choice: { embedder: EmbedderChoice; writer: WriterChoice },
  bedrock: () => BedrockRuntimeClient = () => new BedrockRuntimeClient(),
): Model {
  const standin = createStandinModel();
  const client = once(bedrock);
  const { embedder, embed } = embedderOf(choice.embedder, standin, client);
  const { writer, complete } = writerOf(choice.writer, standin, client);
  return { embedder, embed, writer, complete };
}

/** What of the settings is a property of the models: the embedder's floors, if they were measured, and the stand-in judge's view. */
export function settingsOf(
  { embedder }: Pick<Model, 'embedder'>,
  { writer }: { writer: WriterChoice },
): Partial<Settings> {
  const floors = floorsOf(embedder.name);
  return {
    ...(floors && settingsOfFloors(floors)),
    ...(writer === 'stand-in' && { judge_view_budget: STANDIN_JUDGE_BUDGET }),
  };
}

function embedderOf(choice: EmbedderChoice, standin: Model, client: () => BedrockRuntimeClient) {
  if (choice === 'stand-in') return standin;
  if ('bedrock' in choice) return createBedrockEmbedder(client(), choice.bedrock);
  return createOpenAiEmbedder(choice.openai);
}

function writerOf(choice: WriterChoice, standin: Model, client: () => BedrockRuntimeClient) {
  if (choice === 'stand-in') return standin;
  if ('bedrock' in choice) return createBedrockWriter(client(), choice.bedrock);
  return createOpenAiWriter(choice.openai);
}
