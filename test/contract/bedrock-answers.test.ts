import { describe, expect, test } from 'vitest';
import { BedrockWriter } from '#lib/adapters/aws/bedrock/configuration.ts';
import { createBedrockWriter } from '#lib/adapters/aws/bedrock/writer.ts';
import { ModelUnavailable } from '#lib/core/errors.ts';
import { readJudgeReply } from '#lib/core/judge-reply.ts';
import { judge } from '#lib/usecases/judge.ts';
import { bedrockClient, bedrockModels, CLAUDE, OLD, prompt, view } from '#test/support/bedrock-models.ts';
import { type BedrockReply, refused, replied, startBedrockStub } from '#test/support/bedrock-stub.ts';
import { recorded } from '#test/support/recorded.ts';

const bedrock = bedrockModels();
const { writer, embedder, bodies } = bedrock;

describe('what is answered', () => {
  test.each(['claude-judge-relations', 'claude-reasoning', 'claude-text', 'nova-judge-relations'])(
    'R4.5 %s is read as the verdict in it',
    async (name) => {
      bedrock.stub.answer = () => replied(recorded(name));
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
    bedrock.stub.answer = () => replied(recorded(replies.shift()!));
    const candidates = [{ id: OLD, ...view }];
    expect(await judge({ ...writer(), ...embedder() })(view, candidates)).toMatchObject({ calls: 2 });
    expect(bodies()[1]?.messages).toHaveLength(1);
    expect(await judge({ ...writer(), ...embedder() })(view, candidates)).toMatchObject({ calls: 2 });
    expect(bodies()[3]?.messages).toHaveLength(1);
  });

  test('R4.5 arguments that came as text are read as they are', async () => {
    const input = '{"final_decision":"approved","relations":[]}';
    bedrock.stub.answer = () =>
      replied(
        recorded('claude-judge-relations').replace(
          /"input": \{[\s\S]*?\n {12}\}/,
          () => `"input": ${JSON.stringify(input)}`,
        ),
      );
    expect((await writer().complete(prompt)).text).toBe(input);
  });

  test('R4.5 a reply without any content is an empty answer', async () => {
    bedrock.stub.answer = () =>
      replied('{"output":{"message":{"role":"assistant","content":[]}},"stopReason":"end_turn"}');
    expect((await writer().complete(prompt)).text).toBe('');
  });

  test('R3.4 vectors of other dimensions than configured are refused', async () => {
    bedrock.stub.answer = () => replied('{"embedding":[1,0],"inputTextTokenCount":1}');
    await expect(embedder().embed(['a'], 'query')).rejects.toMatchObject({ code: 'model_refused' });
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
    bedrock.stub.answer = () => reply;
    await expect(writer({ ...CLAUDE, timeout_ms: 300 }).complete(prompt)).rejects.toThrow(ModelUnavailable);
    await expect(embedder({ timeout_ms: 300 }).embed(['a', 'b'], 'query')).rejects.toThrow(ModelUnavailable);
  });

  test('R4.5 a server that is not there is an outage', async () => {
    const other = await startBedrockStub();
    await other.stop();
    const gone = bedrockClient({ endpoint: other.url });
    const told = createBedrockWriter(gone, BedrockWriter.parse(CLAUDE));
    await expect(told.complete(prompt)).rejects.toThrow(ModelUnavailable);
    gone.destroy();
  });

  test.each([
    'HTTP/2 stream is abnormally aborted in mid-communication with result code 8.',
    'Unexpected error: http2 request did not get a response',
    'Frame type id 1 in stream id 3 has failed with code 2.',
  ])('R4.5 a broken connection that the SDK tells of in words alone is an outage: %s', async (message) => {
    const broken = bedrockClient({
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
    bedrock.stub.answer = () => refused(name, message, status);
    const error = { code: 'model_refused', retryable: false, message: expect.stringContaining(message) };
    await expect(writer().complete(prompt)).rejects.toMatchObject(error);
    await expect(embedder().embed(['a'.repeat(2000)], 'query')).rejects.toMatchObject(error);
    expect(bedrock.stub.requests).toHaveLength(2);
  });
});
