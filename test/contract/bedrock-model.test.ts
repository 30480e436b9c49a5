import { describe, expect, test } from 'vitest';
import { BedrockEmbedder } from '#lib/adapters/aws/bedrock/configuration.ts';
import { modelContract } from '#test/contract/model.contract.ts';
import { bedrockModels, CLAUDE, COHERE_3, COHERE_4, prompt } from '#test/support/bedrock-models.ts';
import { byRules, refused, replied } from '#test/support/bedrock-stub.ts';
import { recorded } from '#test/support/recorded.ts';

const bedrock = bedrockModels();
const { writer, embedder, bodies } = bedrock;

modelContract('Claude and Titan on Bedrock', async () => ({ ...writer(), ...embedder() }));
modelContract('Nova and Cohere v3 on Bedrock', async () => ({
  ...writer({ model: 'amazon.nova-pro-v1:0', profile: 'us' }),
  ...embedder(COHERE_3),
}));
modelContract('a stand-in a wire away, and Cohere v4, on Bedrock', async () => {
  bedrock.stub.answer = byRules;
  return { ...writer(), ...embedder(COHERE_4) };
});

describe('what is asked', () => {
  test('R4.2 the answer is forced into a tool whose schema is that of the prompt', async () => {
    const reply = await writer().complete(prompt);
    expect(reply.model).toBe('anthropic.claude-sonnet-4-6');
    const relation = {
      type: 'object',
      properties: { old_id: expect.anything(), type: expect.anything(), reverse_type: expect.anything() },
      required: ['old_id', 'type', 'reverse_type'],
      additionalProperties: false,
    };
    expect(bedrock.stub.requests).toEqual([
      {
        model: 'global.anthropic.claude-sonnet-4-6',
        operation: 'converse',
        body: {
          system: [{ text: prompt.system }],
          messages: [{ role: 'user', content: [{ text: prompt.user }] }],
          inferenceConfig: { maxTokens: 4096, temperature: 0 },
          toolConfig: {
            tools: [
              {
                toolSpec: {
                  name: 'answer',
                  description: expect.stringMatching(/\S/),
                  inputSchema: {
                    json: {
                      type: 'object',
                      properties: {
                        final_decision: { type: 'string', enum: ['approved', 'rejected'] },
                        relations: { type: 'array', items: relation },
                      },
                      required: ['final_decision', 'relations'],
                    },
                  },
                },
              },
            ],
            toolChoice: { tool: { name: 'answer' } },
          },
        },
      },
    ]);
  });

  test('R4.5 what was sent back follows in turns, none of them empty', async () => {
    const repairs = [
      { reply: 'approved', problem: 'This is not JSON.' },
      { reply: '', problem: 'Nothing came.' },
    ];
    await writer().complete({ ...prompt, repairs });
    const said = (role: string, text: string) => ({ role, content: [{ text }] });
    expect(bodies()[0]?.messages).toEqual([
      said('user', prompt.user),
      said('assistant', 'approved'),
      said('user', 'This is not JSON.'),
      said('assistant', '(nothing)'),
      said('user', 'Nothing came.'),
    ]);
  });

  test('R3.4 Titan is asked one text a call, Cohere up to 96 by their role', async () => {
    const texts = Array.from({ length: 100 }, (_, n) => `text ${n}`);
    await embedder({ dimensions: 256 }).embed(texts.slice(0, 2), 'query');
    await embedder(COHERE_3).embed(texts, 'query');
    await embedder(COHERE_4).embed(texts.slice(0, 1), 'passage');
    expect(bedrock.stub.requests.map(({ model }) => model)).toEqual([
      'amazon.titan-embed-text-v2:0',
      'amazon.titan-embed-text-v2:0',
      'cohere.embed-multilingual-v3',
      'cohere.embed-multilingual-v3',
      'us.cohere.embed-v4:0',
    ]);
    const v3 = { input_type: 'search_query', embedding_types: ['float'], truncate: 'END' };
    expect([...bodies()].sort((a, b) => order(a) - order(b))).toEqual([
      { inputText: 'text 0', dimensions: 256, normalize: true },
      { inputText: 'text 1', dimensions: 256, normalize: true },
      { ...v3, texts: texts.slice(0, 96) },
      { ...v3, texts: texts.slice(96) },
      {
        texts: ['text 0'],
        input_type: 'search_document',
        embedding_types: ['float'],
        output_dimension: 1536,
        truncate: 'RIGHT',
      },
    ]);
  });

  test('R3.4 a text that Cohere v3 would refuse is cut before it is sent', async () => {
    await embedder(COHERE_3).embed(['支'.repeat(3000)], 'passage');
    expect(bodies().map(({ texts }) => texts)).toEqual([['支'.repeat(2048)]]);
  });

  test('R3.4 a vector is named by its model and dimensions, whatever profile makes it', () => {
    const names = [{}, { profile: 'eu' }, COHERE_4].map((settings) => embedder(settings).embedder);
    expect(names).toEqual([
      { name: 'amazon.titan-embed-text-v2:0@1024', dimensions: 1024, stand_in: false },
      { name: 'amazon.titan-embed-text-v2:0@1024', dimensions: 1024, stand_in: false },
      { name: 'cohere.embed-v4:0@1536', dimensions: 1536, stand_in: false },
    ]);
    expect(
      BedrockEmbedder.safeParse({ model: 'arn:aws:bedrock:x:1:application-inference-profile/a' }),
    ).toMatchObject({
      success: false,
      error: { issues: [{ path: ['family'] }] },
    });
  });

  test.each([
    ['more characters than Titan takes', 'a '.repeat(30_000), 50_000],
    ['more tokens than Titan reads', '支付🚀'.repeat(10_000), 7500],
  ])('R3.4 of %s the beginning is embedded', async (_, text, kept) => {
    const [vector] = await embedder().embed([text], 'passage');
    expect(vector).toHaveLength(1024);
    const last = String(bodies().at(-1)?.inputText);
    expect(text.startsWith(last)).toBe(true);
    expect([...last].length).toBeGreaterThanOrEqual(kept / 2);
    expect(last.isWellFormed()).toBe(true);
  });
});

const order = (body: Record<string, unknown>): number =>
  'inputText' in body ? Number(String(body.inputText).slice(5)) : 10 + 100 - (body.texts as string[]).length;

describe('what a model does not take', () => {
  const REFUSED: [string, string, object, object | undefined][] = [
    ['temperature', '`temperature` is deprecated for this model.', { maxTokens: 4096 }, expect.anything()],
    [
      'toolChoice',
      "This model doesn't support the toolConfig.toolChoice.tool field. Remove toolConfig.toolChoice.tool and try again.",
      { maxTokens: 4096, temperature: 0 },
      { tools: expect.anything() },
    ],
    ['toolConfig', "This model doesn't support tool use.", { maxTokens: 4096, temperature: 0 }, undefined],
  ];

  test.each(REFUSED)(
    'R4.2 %s is left out for good once it was refused',
    async (field, message, config, tools) => {
      const told = writer();
      bedrock.stub.answer = (request) =>
        JSON.stringify(request.body).includes(field)
          ? refused('ValidationException', message)
          : replied(recorded('claude-text'));
      if (field === 'toolConfig') expect(JSON.stringify(prompt.user)).not.toContain(field);
      for (const _time of [1, 2]) expect((await told.complete(prompt)).text).toContain('final_decision');
      expect(bodies().at(-1)?.inferenceConfig).toEqual(config);
      expect(bodies().at(-1)?.toolConfig).toEqual(tools);
      const last = bodies().length;
      await told.complete(prompt);
      expect(bodies()).toHaveLength(last + 1);
    },
  );

  test('R4.2 no temperature is sent where none is configured', async () => {
    await writer({ ...CLAUDE, temperature: null }).complete(prompt);
    expect(bodies()[0]?.inferenceConfig).toEqual({ maxTokens: 4096 });
  });
});
