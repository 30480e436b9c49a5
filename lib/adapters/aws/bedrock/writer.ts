import {
  type BedrockRuntimeClient,
  type ContentBlock,
  ConverseCommand,
  type Message,
  type ToolInputSchema,
} from '@aws-sdk/client-bedrock-runtime';
import * as z from 'zod';
import { answered, refusalOf } from '#lib/adapters/aws/bedrock/answered.ts';
import { type BedrockWriter, modelId } from '#lib/adapters/aws/bedrock/configuration.ts';
import { optionalFields } from '#lib/adapters/optional-fields.ts';
import type { Completion, Model } from '#lib/ports.ts';

const TOOL = 'answer';

/** How Bedrock words it that a model does not take a field; the narrower one first. */
const REFUSALS: readonly (readonly [field: string, words: RegExp])[] = [
  ['temperature', /temperature/i],
  ['toolChoice', /tool_?choice/i],
  ['tools', /tool/i],
];

/** The writing half of the Model port on Bedrock's Converse: the answer is a forced tool's input, or text (design, section 4). */
export function createBedrockWriter(
  client: BedrockRuntimeClient,
  settings: BedrockWriter,
): Pick<Model, 'writer' | 'complete'> {
  const { model, max_tokens, temperature, timeout_ms } = settings;
  const attempt = optionalFields((error, sent) => {
    const message = refusalOf(error);
    const refused = REFUSALS.find(([field, words]) => sent.includes(field) && words.test(message));
    return refused ? [refused[0]] : [];
  });
  return {
    writer: { name: model, stand_in: false },
    async complete(completion) {
      const abortSignal = AbortSignal.timeout(timeout_ms);
      const reply = await answered(model, () =>
        attempt((sends) =>
          client.send(
            new ConverseCommand({
              modelId: modelId(settings),
              system: [{ text: completion.system }],
              messages: turns(completion),
              inferenceConfig: {
                maxTokens: max_tokens,
                ...(temperature !== null && sends('temperature') && { temperature }),
              },
              ...(sends('tools') && {
                toolConfig: {
                  tools: [
                    { toolSpec: { name: TOOL, description: DESCRIPTION, inputSchema: schemaOf(completion) } },
                  ],
                  ...(sends('toolChoice') && { toolChoice: { tool: { name: TOOL } } }),
                },
              }),
            }),
            { abortSignal },
          ),
        ),
      );
      return { text: textOf(reply.output?.message?.content ?? []), model };
    },
  };
}

const DESCRIPTION = 'Takes the answer.';

/** What was sent back follows as turns of the conversation. A turn may not be empty. */
function turns({ user, repairs }: Completion<unknown>): Message[] {
  const said = (role: 'user' | 'assistant', text: string): Message => ({
    role,
    content: [{ text: text.trim() === '' ? '(nothing)' : text }],
  });
  return [
    said('user', user),
    ...repairs.flatMap(({ reply, problem }) => [said('assistant', reply), said('user', problem)]),
  ];
}

/** Nova ignores a tool whose schema has more than these three keys at the top. */
function schemaOf({ schema }: Completion<unknown>): ToolInputSchema {
  const { type, properties, required } = z.toJSONSchema(schema);
  return { json: { type, properties, required } as ToolInputSchema.JsonMember['json'] };
}

/** The tool's input, whatever was thought or said before it; else what was said, reasoning left out. */
function textOf(content: readonly ContentBlock[]): string {
  const input = content.find(({ toolUse }) => toolUse !== undefined)?.toolUse?.input;
  if (input !== undefined) return typeof input === 'string' ? input : JSON.stringify(input);
  return content.map(({ text }) => text ?? '').join('');
}
