import type { BedrockRuntimeClient } from '@aws-sdk/client-bedrock-runtime';
import type { S3Client } from '@aws-sdk/client-s3';
import { SQSClient } from '@aws-sdk/client-sqs';
import type { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import { createBodies } from '#lib/adapters/aws/bodies.ts';
import { createDynamoClient } from '#lib/adapters/aws/dynamodb/client.ts';
import { createDynamoPorts } from '#lib/adapters/aws/dynamodb/ports.ts';
import { prepareProjections } from '#lib/adapters/aws/dynamodb/projections.ts';
import { createOpenSearchConnection } from '#lib/adapters/aws/opensearch/client.ts';
import { createOpenSearchIndex } from '#lib/adapters/aws/opensearch/search-index.ts';
import { createS3Client } from '#lib/adapters/aws/s3/client.ts';
import { createS3DocumentBodies } from '#lib/adapters/aws/s3/document-bodies.ts';
import { createS3Inbox } from '#lib/adapters/aws/s3/inbox.ts';
import { createS3Mirror } from '#lib/adapters/aws/s3/mirror.ts';
import { createS3SectionVectors } from '#lib/adapters/aws/s3/section-vectors.ts';
import { createS3Snapshots } from '#lib/adapters/aws/s3/snapshots.ts';
import { createSqsQueue } from '#lib/adapters/aws/sqs/queue.ts';
import type { TableNames } from '#lib/adapters/aws/tables.ts';
import { createVectors } from '#lib/adapters/aws/vectors.ts';
import { systemClock, systemRandom } from '#lib/adapters/memory/system.ts';
import type { Log, Model, Ports, SearchIndex } from '#lib/ports.ts';
import { type Env, readEnv } from '#lib/runtime/env.ts';
import { chosenModel, settingsOf } from '#lib/runtime/models.ts';
import { once } from '#lib/runtime/once.ts';
import { createRuntime, type Runtime } from '#lib/runtime/runtime.ts';

/** What the local run and tests put in place of AWS's; the adapters stay the same. */
export interface Replacements {
  dynamo?: DynamoDBDocumentClient;
  s3?: S3Client;
  sqs?: SQSClient;
  bedrock?: () => BedrockRuntimeClient;
  model?: Model;
  index?: SearchIndex;
}

/** One function on AWS, as its environment says. Connects to nothing before the first call. */
export function composeRuntime(env: Env, replaced: Replacements = {}): Runtime {
  const dynamo = replaced.dynamo ?? createDynamoClient();
  const choice = { embedder: env.EMBEDDER, writer: env.WRITER };
  const model = replaced.model ?? chosenModel(choice, replaced.bedrock);
  return createRuntime(env, {
    model,
    model_settings: settingsOf(model, choice),
    ports: (model, log) => composePorts(env, model, log, { ...replaced, dynamo }),
    prepare: () => prepareProjections(dynamo, tableNames(env)),
  });
}

/** The runtime of this process, made at its first event. */
export const processRuntime = once(() => composeRuntime(readEnv()));

function composePorts(
  env: Env,
  model: Model,
  log: Log,
  replaced: Replacements & { dynamo: DynamoDBDocumentClient },
): Ports {
  const { dynamo } = replaced;
  const s3 = replaced.s3 ?? createS3Client();
  const sqs = replaced.sqs ?? new SQSClient();
  const { task_vectors, entry_bodies, ...tables } = createDynamoPorts(dynamo, tableNames(env), systemClock);
  return {
    clock: systemClock,
    random: systemRandom,
    ...tables,
    bodies: createBodies(createS3DocumentBodies(s3, env.BUCKET), entry_bodies),
    vectors: createVectors(createS3SectionVectors(s3, env.BUCKET), task_vectors),
    mirror: createS3Mirror(s3, env.BUCKET),
    inbox: createS3Inbox(s3, env.BUCKET),
    snapshots: createS3Snapshots(s3, env.BUCKET),
    index: replaced.index ?? openSearchIndex(env, model),
    queue: createSqsQueue(sqs, { admit: env.QUEUE_ADMISSION_URL, recompute: env.QUEUE_RECOMPUTE_URL }),
    model,
    log,
  };
}

export const tableNames = (env: Env): TableNames => ({
  items: env.TABLE_ITEMS,
  relations: env.TABLE_RELATIONS,
  domains: env.TABLE_DOMAINS,
  ledger: env.TABLE_LEDGER,
  control: env.TABLE_CONTROL,
  sessions: env.TABLE_SESSIONS,
});

const openSearchIndex = (env: Env, { embedder }: Model): SearchIndex =>
  createOpenSearchIndex({
    connection: createOpenSearchConnection({ url: env.OPENSEARCH_URL }),
    clock: systemClock,
    dimensions: embedder.dimensions,
    shards: env.OPENSEARCH_SHARDS,
    replicas: env.OPENSEARCH_REPLICAS,
  });
