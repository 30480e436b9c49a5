import { BedrockWriter } from '#lib/adapters/aws/bedrock/configuration.ts';
import { OpenAiEmbedder, OpenAiWriter } from '#lib/adapters/openai/configuration.ts';
import { createOpenAiEmbedder } from '#lib/adapters/openai/model.ts';
import { createStandinModel } from '#lib/adapters/standin/model.ts';
import type { Settings } from '#lib/core/settings.ts';
import type { Model } from '#lib/ports.ts';
import { chosenModel, settingsOf } from '#lib/runtime/models.ts';
import type { AdmissionOptions } from './admission-options.ts';
import { cachedEmbedder, EMBEDDING_CACHE } from './embedding-cache.ts';

/** A model on a CPU that others use, too. */
const PATIENCE_MS = 600_000;

/** The embedder as asked for; a server's answers are kept between runs. `key`: the server's, if it wants one. */
export function embedderOf(
  { embeddings }: Pick<AdmissionOptions, 'embeddings'>,
  key: string | undefined,
  cache: string = EMBEDDING_CACHE,
): Pick<Model, 'embedder' | 'embed'> {
  if (embeddings === undefined) return createStandinModel();
  const settings = { ...embeddings, key, texts_a_call: 8, timeout_ms: PATIENCE_MS };
  return cachedEmbedder(createOpenAiEmbedder(OpenAiEmbedder.parse(settings)), cache);
}

/** The judge as asked for, with what of the settings is its own. */
export function judgeOf(
  { writer: asked }: Pick<AdmissionOptions, 'writer'>,
  key: string | undefined,
): { model: Model; settings: Partial<Settings> } {
  const writer =
    asked === 'stand-in'
      ? asked
      : 'models' in asked
        ? {
            openai: OpenAiWriter.parse({
              url: asked.models,
              model: asked.name,
              key,
              timeout_ms: PATIENCE_MS,
            }),
          }
        : { bedrock: BedrockWriter.parse({ model: asked.bedrock }) };
  const model = chosenModel({ embedder: 'stand-in', writer });
  return { model, settings: settingsOf(model, { writer }) };
}
