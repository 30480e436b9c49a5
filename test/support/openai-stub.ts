import * as z from 'zod';
import { vectorByRules } from '#test/support/answer-by-rules.ts';
import { type HttpStub, type StubReply, type StubRequest, startHttpStub } from '#test/support/http-stub.ts';
import { promptOf, recorded } from '#test/support/recorded.ts';

export const json = (body: string, status = 200): StubReply => ({
  status,
  headers: { 'content-type': 'application/json' },
  body,
});

/** A 400 as OpenAI words it. */
export const refusal = (message: string, status = 400): StubReply =>
  json(
    JSON.stringify({ error: { message, type: 'invalid_request_error', param: null, code: null } }),
    status,
  );

export const bodyOf = (request: StubRequest): Record<string, unknown> => JSON.parse(request.body);

const Embeddings = z.object({ model: z.string(), input: z.array(z.string().min(1)) });
const Chat = z.object({ messages: z.array(z.object({ role: z.string(), content: z.string() })) });

/** Answers as a server of one's own does: the stand-in's vectors, recorded replies. */
export async function answered(request: StubRequest): Promise<StubReply> {
  if (request.url === '/v1/embeddings') {
    const { input } = Embeddings.parse(bodyOf(request));
    const data = await Promise.all(
      input.map(async (text, index) => ({
        object: 'embedding',
        index,
        embedding: await vectorByRules(text, 384),
      })),
    );
    // Nothing promises the order of the texts.
    return json(JSON.stringify({ object: 'list', data: data.reverse(), model: 'e5', usage: {} }));
  }
  if (request.url !== '/v1/chat/completions') return refusal('not found', 404);
  const { messages } = Chat.parse(bodyOf(request));
  return json(recorded(`openai-${promptOf(messages[0]!.content)}`));
}

export const startOpenAiStub = (): Promise<HttpStub> => startHttpStub(answered);
