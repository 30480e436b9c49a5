import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { OpenAiEmbedder, OpenAiWriter } from '#lib/adapters/openai/configuration.ts';
import { createOpenAiEmbedder, createOpenAiWriter } from '#lib/adapters/openai/model.ts';
import { ModelUnavailable } from '#lib/core/errors.ts';
import { readJudgeReply } from '#lib/core/judge-reply.ts';
import { render } from '#prompts/judge-relations.ts';
import { modelContract } from '#test/contract/model.contract.ts';
import type { HttpStub, StubReply, StubRequest } from '#test/support/http-stub.ts';
import { answered, bodyOf, json, refusal, startOpenAiStub } from '#test/support/openai-stub.ts';
import { recorded } from '#test/support/recorded.ts';

let stub: HttpStub;
beforeAll(async () => {
  stub = await startOpenAiStub();
});
beforeEach(() => {
  stub.requests.length = 0;
  stub.answer = answered;
});
afterAll(() => stub.stop());

const endpoint = (model: string, more: object) => ({ url: `${stub.url}/v1/`, model, ...more });
const writer = (more: object = {}) => createOpenAiWriter(OpenAiWriter.parse(endpoint('qwen3', more)));
const embedder = (more: object = {}) =>
  createOpenAiEmbedder(OpenAiEmbedder.parse(endpoint('e5', { dimensions: 384, ...more })));

modelContract('models of an OpenAI-compatible server', async () => ({ ...writer(), ...embedder() }));

const OLD = 'knowledge-20260701-120000-0a1b2c3d';
const view = { task: 'Pool', outline: '', content: 'Raise it.', complete: true, characters: 9 };
const prompt = { ...render({ newcomer: view, candidates: [{ id: OLD, ...view }] }), repairs: [] };
const bodies = () => stub.requests.map(bodyOf);

describe('what is asked', () => {
  test('R4.2 the answer is asked for by the schema of the prompt, what was sent back in turns', async () => {
    const repairs = [{ reply: 'approved', problem: 'This is not JSON.' }];
    expect((await writer().complete({ ...prompt, repairs })).model).toBe('qwen3');
    expect(bodies()).toEqual([
      {
        model: 'qwen3',
        messages: [
          { role: 'system', content: prompt.system },
          { role: 'user', content: prompt.user },
          { role: 'assistant', content: 'approved' },
          { role: 'user', content: 'This is not JSON.' },
        ],
        temperature: 0,
        response_format: {
          type: 'json_schema',
          json_schema: {
            name: 'judge-relations-2',
            schema: expect.objectContaining({ type: 'object', required: ['final_decision', 'relations'] }),
          },
        },
      },
    ]);
  });

  test('R3.4 texts are sent in batches, with their role', async () => {
    await embedder({ texts_a_call: 2 }).embed(['a', 'b', 'c'], 'query');
    await embedder().embed(['d'], 'passage');
    expect(bodies()).toEqual([
      { model: 'e5', input: ['a', 'b'], input_type: 'query' },
      { model: 'e5', input: ['c'], input_type: 'query' },
      { model: 'e5', input: ['d'], input_type: 'passage' },
    ]);
  });

  test('R4.2 a key is sent where there is one', async () => {
    await writer().complete(prompt);
    await writer({ key: 'k' }).complete(prompt);
    expect(stub.requests.map(({ headers }) => headers.authorization)).toEqual([undefined, 'Bearer k']);
  });

  test('R3.4 of a text that the model finds too long the beginning is embedded, beside a short one', async () => {
    stub.answer = (request: StubRequest) => {
      const input = bodyOf(request).input as string[];
      return input.some((text) => text.length > 1000)
        ? refusal("This model's maximum context length is 512 tokens, however you requested 9718 tokens.")
        : answered(request);
    };
    const text = '支付'.repeat(8000);
    const vectors = await embedder().embed(['short', text], 'passage');
    expect(vectors.map(({ length }) => length)).toEqual([384, 384]);
    const [short, long] = bodies().at(-1)!.input as string[];
    expect(short).toBe('short');
    expect(text.startsWith(long!)).toBe(true);
    expect(long!.length).toBe(1000);
    expect(bodies().at(-1)?.input_type).toBe('passage');
  });
});

describe('what is answered', () => {
  test.each(['openai-judge-relations', 'openai-thinking'])(
    'R4.5 %s is read as the verdict in it',
    async (name) => {
      stub.answer = () => json(recorded(name));
      const { text } = await writer().complete(prompt);
      expect(readJudgeReply(text, [OLD])).toMatchObject({
        kind: 'verdict',
        decision: 'rejected',
        grounds: [{ id: OLD, type: 'duplicate' }],
      });
    },
  );

  test('R4.5 a refusal is an answer, if none that can be used', async () => {
    stub.answer = () => json(recorded('openai-refusal'));
    const { text } = await writer().complete(prompt);
    expect(readJudgeReply(text, [OLD]).kind).toBe('retry');
    expect(text).toBe("I'm sorry, I can't help with that.");
  });

  test('R3.4 vectors of other dimensions than configured are refused', async () => {
    await expect(embedder({ dimensions: 512 }).embed(['a'], 'query')).rejects.toMatchObject({
      code: 'model_refused',
    });
  });
});

describe('what a server does not take', () => {
  test.each([
    [
      'temperature',
      "Unsupported value: 'temperature' does not support 0 with this model.",
      ['response_format'],
    ],
    ['response_format', "'response_format' of type 'json_schema' is not supported", ['temperature']],
    ['response_format', 'unexpected field', []],
  ])('R4.2 %s is left out for good once it was refused (%s)', async (field, message, kept) => {
    const told = writer();
    stub.answer = (request) => (field in bodyOf(request) ? refusal(message) : answered(request));
    for (const _time of [1, 2, 3])
      expect(readJudgeReply((await told.complete(prompt)).text, [OLD]).kind).toBe('verdict');
    expect(bodies()).toHaveLength(4);
    expect(Object.keys(bodies().at(-1)!)).toEqual(['model', 'messages', ...kept]);
  });

  test('R3.4 the role is left out for good once it was refused', async () => {
    const told = embedder();
    stub.answer = (request) =>
      'input_type' in bodyOf(request)
        ? refusal('Unrecognized request argument supplied: input_type')
        : answered(request);
    for (const _time of [1, 2]) expect(await told.embed(['a'], 'query')).toHaveLength(1);
    expect(bodies().map((body) => 'input_type' in body)).toEqual([true, false, false]);
  });
});

describe('what fails', () => {
  test.each<[string, StubReply]>([
    ['throttling', refusal('Rate limit reached', 429)],
    ['an outage', refusal('The server is overloaded', 503)],
    ['an internal error', { status: 500, body: 'oops' }],
    ['a page of a proxy', { status: 200, body: '<html>starting</html>' }],
    ['an answer of another API', json('{"ok":true}')],
    ['a cut connection', 'cut'],
    ['no answer at all', 'silent'],
  ])('R4.5 %s is an outage, which passes', async (_, reply) => {
    stub.answer = () => reply;
    await expect(writer({ timeout_ms: 300 }).complete(prompt)).rejects.toThrow(ModelUnavailable);
    await expect(embedder({ timeout_ms: 300 }).embed(['a'], 'query')).rejects.toThrow(ModelUnavailable);
  });

  test('R4.5 a server that is not there is an outage', async () => {
    const gone = createOpenAiWriter(OpenAiWriter.parse({ url: 'http://127.0.0.1:1/v1', model: 'a' }));
    await expect(gone.complete(prompt)).rejects.toThrow(ModelUnavailable);
  });

  test.each([
    [401, 'Incorrect API key provided'],
    [404, 'The model `qwen3` does not exist'],
    [400, 'Invalid model'],
  ])('R4.5 a %d is no outage, and says what is wrong', async (status, message) => {
    stub.answer = () => refusal(message, status);
    const error = { code: 'model_refused', retryable: false, message: expect.stringContaining(message) };
    await expect(writer().complete(prompt)).rejects.toMatchObject(error);
    await expect(embedder().embed(['a'], 'query')).rejects.toMatchObject(error);
  });
});
