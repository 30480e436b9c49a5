import { BedrockRuntimeClient, type BedrockRuntimeClientConfig } from '@aws-sdk/client-bedrock-runtime';
import { afterAll, beforeAll, beforeEach } from 'vitest';
import { BedrockEmbedder, BedrockWriter } from '#lib/adapters/aws/bedrock/configuration.ts';
import { createBedrockEmbedder } from '#lib/adapters/aws/bedrock/embedder.ts';
import { createBedrockWriter } from '#lib/adapters/aws/bedrock/writer.ts';
import { render } from '#prompts/judge-relations.ts';
import { type BedrockStub, byRecord, startBedrockStub } from '#test/support/bedrock-stub.ts';

export const CLAUDE = { model: 'anthropic.claude-sonnet-4-6', profile: 'global' };
export const COHERE_3 = { model: 'cohere.embed-multilingual-v3' };
export const COHERE_4 = { model: 'cohere.embed-v4:0', profile: 'us', dimensions: 1536 };
const TITAN = {};

/** The id of the only candidate. */
export const OLD = 'knowledge-20260701-120000-0a1b2c3d';
/** What the judge is shown of newcomer and candidate alike. */
export const view = { task: 'Pool', outline: '', content: 'Raise it.', complete: true, characters: 9 };
/** The prompt that asks for a judgement on them. */
export const prompt = { ...render({ newcomer: view, candidates: [{ id: OLD, ...view }] }), repairs: [] };

/** A client that asks once, so that a fault is seen as it comes. */
export const bedrockClient = (configuration: BedrockRuntimeClientConfig): BedrockRuntimeClient =>
  new BedrockRuntimeClient({
    region: 'us-east-1',
    maxAttempts: 1,
    credentials: { accessKeyId: 'test', secretAccessKey: 'test' },
    ...configuration,
  });

/** The adapters, and a Bedrock in this process for the tests of a file; each of them begins with recorded answers. */
export function bedrockModels() {
  let stub: BedrockStub;
  let client: BedrockRuntimeClient;
  beforeAll(async () => {
    stub = await startBedrockStub();
    client = bedrockClient({ endpoint: stub.url });
  });
  beforeEach(() => {
    stub.requests.length = 0;
    stub.answer = byRecord;
  });
  afterAll(async () => {
    client.destroy();
    await stub.stop();
  });
  return {
    get stub() {
      return stub;
    },
    /** What was asked since the test began. */
    bodies: () => stub.requests.map(({ body }) => body),
    writer: (settings: object = CLAUDE) => createBedrockWriter(client, BedrockWriter.parse(settings)),
    embedder: (settings: object = TITAN) => createBedrockEmbedder(client, BedrockEmbedder.parse(settings)),
  };
}
