import { BedrockRuntimeClient } from '@aws-sdk/client-bedrock-runtime';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { BedrockEmbedder, BedrockWriter } from '#lib/adapters/aws/bedrock/configuration.ts';
import { createBedrockEmbedder } from '#lib/adapters/aws/bedrock/embedder.ts';
import { createBedrockWriter } from '#lib/adapters/aws/bedrock/writer.ts';
import { ModelUnavailable } from '#lib/core/errors.ts';
import { readJudgeReply } from '#lib/core/judge-reply.ts';
import { judge } from '#lib/usecases/judge.ts';
import { render } from '#prompts/judge-relations.ts';
import { modelContract } from '#test/contract/model.contract.ts';
import {
  type BedrockReply,
  type BedrockStub,
  byRecord,
  byRules,
  refused,
  replied,
  startBedrockStub,
} from '#test/support/bedrock-stub.ts';
import { recorded } from '#test/support/recorded.ts';

let stub: BedrockStub;
let client: BedrockRuntimeClient;
beforeAll(async () => {
  stub = await startBedrockStub();
  client = new BedrockRuntimeClient({
    endpoint: stub.url,
    region: 'us-east-1',
    maxAttempts: 1,
    credentials: { accessKeyId: 'test', secretAccessKey: 'test' },
  });
});
beforeEach(() => {
  stub.requests.length = 0;
  stub.answer = byRecord;
});
afterAll(async () => {
  client.destroy();
  await stub.stop();
});

const CLAUDE = { model: 'anthropic.claude-sonnet-4-6', profile: 'global' };
const TITAN = {};
const writer = (settings: object = CLAUDE) => createBedrockWriter(client, BedrockWriter.parse(settings));
const embedder = (settings: object = TITAN) => createBedrockEmbedder(client, BedrockEmbedder.parse(settings));

const COHERE_3 = { model: 'cohere.embed-multilingual-v3' };
const COHERE_4 = { model: 'cohere.embed-v4:0', profile: 'us', dimensions: 1536 };
modelContract('Claude and Titan on Bedrock', async () => ({ ...writer(), ...embedder() }));
modelContract('Nova and Cohere v3 on Bedrock', async () => ({
  ...writer({ model: 'amazon.nova-pro-v1:0', profile: 'us' }),
  ...embedder(COHERE_3),
}));
modelContract('a stand-in a wire away, and Cohere v4, on Bedrock', async () => {
  stub.answer = byRules;
  return { ...writer(), ...embedder(COHERE_4) };
});

const OLD = 'knowledge-20260701-120000-0a1b2c3d';
const view = { task: 'Pool', outline: '', content: 'Raise it.', complete: true, characters: 9 };
const prompt = { ...render({ newcomer: view, candidates: [{ id: OLD, ...view }] }), repairs: [] };
const bodies = () => stub.requests.map(({ body }) => body);

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
    expect(stub.requests).toEqual([
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
    expect(stub.requests.map(({ model }) => model)).toEqual([
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

describe('what is answered', () => {
  test.each(['claude-judge-relations', 'claude-reasoning', 'claude-text', 'nova-judge-relations'])(
    'R4.5 %s is read as the verdict in it',
    async (name) => {
      stub.answer = () => replied(recorded(name));
      const { text } = await writer().complete(prompt);
      expect(readJudgeReply(text, [OLD])).toMatchObject({
        kind: 'verdict',
        decision: 'rejected',
        grounds: [{ id: OLD, type: 'duplicate' }],
      });
    },
  );

  test('R4.5 an answer cut short is asked for again, as one that is no answer', async () => {
    const replies = ['claude-cut', 'claude-judge-relations', 'claude-filtered', 'claude-text'];
    stub.answer = () => replied(recorded(replies.shift()!));
    const candidates = [{ id: OLD, ...view }];
    expect(await judge({ ...writer(), ...embedder() })(view, candidates)).toMatchObject({ calls: 2 });
    expect(bodies()[1]?.messages).toHaveLength(1);
    expect(await judge({ ...writer(), ...embedder() })(view, candidates)).toMatchObject({ calls: 2 });
    expect(bodies()[3]?.messages).toHaveLength(1);
  });

  test('R4.5 arguments that came as text are read as they are', async () => {
    const input = '{"final_decision":"approved","relations":[]}';
    stub.answer = () =>
      replied(
        recorded('claude-judge-relations').replace(
          /"input": \{[\s\S]*?\n {12}\}/,
          () => `"input": ${JSON.stringify(input)}`,
        ),
      );
    expect((await writer().complete(prompt)).text).toBe(input);
  });

  test('R4.5 a reply without any content is an empty answer', async () => {
    stub.answer = () =>
      replied('{"output":{"message":{"role":"assistant","content":[]}},"stopReason":"end_turn"}');
    expect((await writer().complete(prompt)).text).toBe('');
  });

  test('R3.4 vectors of other dimensions than configured are refused', async () => {
    stub.answer = () => replied('{"embedding":[1,0],"inputTextTokenCount":1}');
    await expect(embedder().embed(['a'], 'query')).rejects.toMatchObject({ code: 'model_refused' });
  });
});

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
      stub.answer = (request) =>
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

describe('what fails', () => {
  test.each<[string, BedrockReply]>([
    ['throttling', refused('ThrottlingException', 'Too many requests', 429)],
    ['an outage', refused('ServiceUnavailableException', 'unavailable', 503)],
    ['an internal error', refused('InternalServerException', 'oops', 500)],
    ['a time-out of the model', refused('ModelTimeoutException', 'too slow', 408)],
    ['a model that is not ready', refused('ModelNotReadyException', 'warming up', 429)],
    ['an error inside the model', refused('ModelErrorException', 'unexpected error', 424)],
    ['a spent quota', refused('ServiceQuotaExceededException', 'quota', 400)],
    ['a stream that breaks off', 'cut'],
    ['a stream that ends without an answer', 'ended'],
    ['a connection that is gone', 'dropped'],
    ['no answer at all', 'silent'],
  ])('R4.5 %s is an outage, which passes', async (_, reply) => {
    stub.answer = () => reply;
    await expect(writer({ ...CLAUDE, timeout_ms: 300 }).complete(prompt)).rejects.toThrow(ModelUnavailable);
    await expect(embedder({ timeout_ms: 300 }).embed(['a', 'b'], 'query')).rejects.toThrow(ModelUnavailable);
  });

  test('R4.5 a server that is not there is an outage', async () => {
    const other = await startBedrockStub();
    await other.stop();
    const gone = new BedrockRuntimeClient({
      endpoint: other.url,
      region: 'us-east-1',
      maxAttempts: 1,
      credentials: { accessKeyId: 'test', secretAccessKey: 'test' },
    });
    const told = createBedrockWriter(gone, BedrockWriter.parse(CLAUDE));
    await expect(told.complete(prompt)).rejects.toThrow(ModelUnavailable);
    gone.destroy();
  });

  test.each([
    'HTTP/2 stream is abnormally aborted in mid-communication with result code 8.',
    'Unexpected error: http2 request did not get a response',
    'Frame type id 1 in stream id 3 has failed with code 2.',
  ])('R4.5 a broken connection that the SDK tells of in words alone is an outage: %s', async (message) => {
    const broken = new BedrockRuntimeClient({
      region: 'us-east-1',
      maxAttempts: 1,
      credentials: { accessKeyId: 'test', secretAccessKey: 'test' },
      requestHandler: { handle: () => Promise.reject(new Error(message)) },
    });
    const told = createBedrockWriter(broken, BedrockWriter.parse(CLAUDE));
    await expect(told.complete(prompt)).rejects.toThrow(ModelUnavailable);
  });

  test.each([
    ['AccessDeniedException', "You don't have access to the model with the specified model ID.", 403],
    ['ValidationException', 'The provided model identifier is invalid.', 400],
    ['ResourceNotFoundException', 'Could not resolve the foundation model', 404],
  ])('R4.5 %s is no outage, and says what is wrong', async (name, message, status) => {
    stub.answer = () => refused(name, message, status);
    const error = { code: 'model_refused', retryable: false, message: expect.stringContaining(message) };
    await expect(writer().complete(prompt)).rejects.toMatchObject(error);
    await expect(embedder().embed(['a'.repeat(2000)], 'query')).rejects.toMatchObject(error);
    expect(stub.requests).toHaveLength(2);
  });
});
