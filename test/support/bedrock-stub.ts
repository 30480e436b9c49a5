import { createServer, type Http2Session } from 'node:http2';
import type { AddressInfo } from 'node:net';
import * as z from 'zod';
import { tokens } from '#lib/core/tokens.ts';
import { answerByRules, vectorByRules } from '#test/support/answer-by-rules.ts';
import { promptOf, recorded } from '#test/support/recorded.ts';

export interface BedrockRequest {
  model: string;
  operation: 'converse' | 'invoke';
  body: Record<string, unknown>;
}

/**
 * `error`: the exception's name. `cut`: the stream breaks off, `ended`: it ends without an answer, `dropped`: the
 * connection is gone, `silent`: no answer ever comes.
 */
export type BedrockReply =
  | { status: number; error?: string; body: string }
  | 'cut'
  | 'ended'
  | 'dropped'
  | 'silent';

export interface BedrockStub {
  url: string;
  requests: BedrockRequest[];
  /** May be changed between requests. */
  answer: (request: BedrockRequest) => BedrockReply | Promise<BedrockReply>;
  stop(): Promise<void>;
}

export const refused = (error: string, message: string, status = 400): BedrockReply => ({
  status,
  error,
  body: JSON.stringify({ message }),
});
export const replied = (body: string): BedrockReply => ({ status: 200, body });

const Converse = z.object({
  system: z.array(z.object({ text: z.string() })),
  messages: z.array(z.object({ content: z.array(z.object({ text: z.string() })) })),
});

/** Answers with recorded replies, of Nova if the model is one, and with the stand-in's vectors. */
export async function byRecord(request: BedrockRequest): Promise<BedrockReply> {
  if (request.operation === 'invoke') return embedded(request);
  const prompt = promptOf(Converse.parse(request.body).system[0]!.text);
  return replied(recorded(`${/nova/.test(request.model) ? 'nova' : 'claude'}-${prompt}`));
}

/** Answers as the stand-in would, in Claude's shape: for runs that need sense in what a model says. */
export async function byRules(request: BedrockRequest): Promise<BedrockReply> {
  if (request.operation === 'invoke') return embedded(request);
  const { system, messages } = Converse.parse(request.body);
  const input = await answerByRules(system[0]!.text, messages[0]!.content[0]!.text);
  const message = {
    role: 'assistant',
    content: [{ toolUse: { toolUseId: 'tooluse_1', name: 'answer', input } }],
  };
  const usage = { inputTokens: 1, outputTokens: 1, totalTokens: 2 };
  return replied(
    JSON.stringify({ output: { message }, stopReason: 'tool_use', usage, metrics: { latencyMs: 1 } }),
  );
}

const Titan = z.strictObject({
  inputText: z.string().min(1),
  dimensions: z.literal([256, 512, 1024]),
  normalize: z.boolean(),
});
const Cohere = z.strictObject({
  texts: z.array(z.string().min(1)).max(96),
  input_type: z.enum(['search_query', 'search_document']),
  embedding_types: z.tuple([z.literal('float')]),
  output_dimension: z.literal([256, 512, 1024, 1536]).optional(),
  truncate: z.string(),
});

/** Embeddings with the limits that the real models have. */
async function embedded({ model, body }: BedrockRequest): Promise<BedrockReply> {
  if (/titan/.test(model)) {
    const { inputText, dimensions } = Titan.parse(body);
    const count = tokens(inputText);
    if ([...inputText].length > 50_000)
      return refused('ValidationException', '400 Bad Request: expected maxLength: 50000, please reformat');
    if (count > 8192)
      return refused(
        'ValidationException',
        `400 Bad Request: Too many input tokens. Max input tokens: 8192, request input token count: ${count} `,
      );
    const embedding = await vectorByRules(inputText, dimensions);
    return replied(
      JSON.stringify({ embedding, embeddingsByType: { float: embedding }, inputTextTokenCount: count }),
    );
  }
  const { texts, output_dimension } = Cohere.parse(body);
  const long = texts.findIndex((text) => [...text].length > 2048);
  if (/v3/.test(model) && long >= 0)
    return refused(
      'ValidationException',
      `Malformed input request: #/texts/${long}: expected maxLength: 2048`,
    );
  const float = await Promise.all(texts.map((text) => vectorByRules(text, output_dimension ?? 1024)));
  return replied(
    JSON.stringify({
      id: 'b2f1c0de',
      texts,
      embeddings: { float },
      response_type: 'embeddings_by_type',
    }),
  );
}

/** Bedrock's runtime over HTTP/2 without TLS, as its client speaks it to an `http:` endpoint. */
export async function startBedrockStub(
  options: { answer?: BedrockStub['answer']; port?: number } = {},
): Promise<BedrockStub> {
  const server = createServer();
  const sessions = new Set<Http2Session>();
  server.on('session', (session) => {
    sessions.add(session);
    session.on('close', () => sessions.delete(session));
  });
  server.on('stream', (stream, headers) => {
    const chunks: Buffer[] = [];
    stream.on('error', () => undefined);
    stream.on('data', (chunk: Buffer) => chunks.push(chunk));
    stream.on('end', async () => {
      const [, model = '', operation] =
        /^\/model\/([^/]+)\/(converse|invoke)$/.exec(headers[':path'] ?? '') ?? [];
      const request = {
        model: decodeURIComponent(model),
        operation: operation as BedrockRequest['operation'],
        body: JSON.parse(Buffer.concat(chunks).toString('utf8')),
      };
      stub.requests.push(request);
      const reply = await Promise.resolve(request)
        .then(stub.answer)
        .catch((error: Error): BedrockReply => refused('ValidationException', error.message));
      if (reply === 'cut') stream.close(2);
      else if (reply === 'ended') stream.close(0);
      else if (reply === 'dropped') stream.session?.destroy();
      else if (reply !== 'silent' && !stream.destroyed) {
        stream.respond({
          ':status': reply.status,
          'content-type': 'application/json',
          ...(reply.error !== undefined && {
            'x-amzn-errortype': `${reply.error}:http://internal.amazon.com/`,
          }),
        });
        stream.end(reply.body);
      }
    });
  });
  await new Promise<void>((resolve) => server.listen(options.port ?? 0, '127.0.0.1', resolve));
  const stub: BedrockStub = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    requests: [],
    answer: options.answer ?? byRecord,
    stop: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        for (const session of sessions) session.destroy();
      }),
  };
  return stub;
}
