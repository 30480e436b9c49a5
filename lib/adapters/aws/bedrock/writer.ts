import {
  type BedrockRuntimeClient,
  ConverseCommand,
  type ConverseCommandOutput,
  type Message,
  type ToolInputSchema,
} from '@aws-sdk/client-bedrock-runtime';
import * as z from 'zod';
import { answered, refusalOf } from '#lib/adapters/aws/bedrock/answered.ts';
import { type BedrockWriter, modelId } from '#lib/adapters/aws/bedrock/configuration.ts';
import { optionalFields } from '#lib/adapters/optional-fields.ts';
import { withoutThoughts } from '#lib/core/thoughts.ts';
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
      const converse = (sends: (field: string) => boolean) =>
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
        );
      const reply = await answered(model, () =>
        attempt((sends) =>
          converse(sends).catch((error: unknown) => {
            if (!isBrokenToolUse(error)) throw error;
            return converse((field) => field !== 'tools' && sends(field));
          }),
        ),
      );
      return { text: textOf(reply), model };
    },
  };
}

/** Nova at times writes a call that Bedrock cannot read, and to the same question the same one again: text is asked for. */
const isBrokenToolUse = (error: unknown): boolean =>
  error instanceof Error && error.name === 'ModelErrorException' && /tool ?use/i.test(error.message);

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

/** Stopped by a limit: Bedrock closes what it has of a tool's input, so that it looks whole. */
const CUT: ReadonlySet<string | undefined> = new Set(['max_tokens', 'model_context_window_exceeded']);

/** The tool's input, whatever was thought or said before it; else what was said, thoughts left out. */
function textOf({ output, stopReason }: Pick<ConverseCommandOutput, 'output' | 'stopReason'>): string {
  const content = output?.message?.content ?? [];
  const inputs = content.flatMap(({ toolUse }) => (toolUse?.input === undefined ? [] : [toolUse.input]));
  if (inputs.length === 0) return withoutThoughts(content.map(({ text }) => text ?? '').join(''));
  const text = inputs.map((input) => (typeof input === 'string' ? input : JSON.stringify(input))).join('\n');
  return CUT.has(stopReason) ? text.replace(/\}\s*$/, '') : text;
}
