import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { S3Client } from '@aws-sdk/client-s3';
import { SQSClient } from '@aws-sdk/client-sqs';
import type { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import dynalite from 'dynalite';
import { startFauxqs } from 'fauxqs';
import { createDynamoClient } from '#lib/adapters/aws/dynamodb/client.ts';
import { withConditions } from '#lib/adapters/local/conditional-s3.ts';

/** DynamoDB, S3 and SQS in this process, on ports of 127.0.0.1, their state in a folder. */
export interface EmulatedAws {
  dynamo: DynamoDBDocumentClient;
  /** With the conditions that fauxqs itself ignores. */
  s3: S3Client;
  sqs: SQSClient;
  ports: { dynamo: number; s3_sqs: number };
  /** Each by itself, as an emulator that dies would. */
  stopDynamo(): Promise<void>;
  stopS3AndSqs(): Promise<void>;
}

const REGION = 'us-east-1';
const HOST = '127.0.0.1';
const LAST_ANSWERS_MS = 1000;
const options = { region: REGION, credentials: { accessKeyId: 'local', secretAccessKey: 'local' } };

export async function startEmulatedAws(paths: { dynamo: string; s3_sqs: string }): Promise<EmulatedAws> {
  const [dynamo, fauxqs] = await Promise.all([startDynamo(paths.dynamo), startS3AndSqs(paths.s3_sqs)]);
  const endpoint = `http://${HOST}:${fauxqs.port}`;
  const s3 = withConditions(new S3Client({ ...options, endpoint, forcePathStyle: true }));
  const sqs = new SQSClient({ ...options, endpoint, useQueueUrlAsEndpoint: false });
  return {
    dynamo: createDynamoClient({ ...options, endpoint: `http://${HOST}:${dynamo.port}` }),
    s3,
    sqs,
    ports: { dynamo: dynamo.port, s3_sqs: fauxqs.port },
    stopDynamo: dynamo.stop,
    stopS3AndSqs: onlyOnce(async () => {
      await fauxqs.stop();
    }),
  };
}

async function startDynamo(path: string): Promise<{ port: number; stop(): Promise<void> }> {
  const server = dynalite({ path, createTableMs: 0, updateTableMs: 0, deleteTableMs: 0 });
  server.listen(0, HOST);
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  return {
    port,
    stop: onlyOnce(async () => {
      // What it is asked already it answers first: cut off, it would throw where nobody can catch it.
      const late = setTimeout(() => server.closeAllConnections(), LAST_ANSWERS_MS);
      await new Promise((done) => server.close(done));
      clearTimeout(late);
    }),
  };
}

/** fauxqs asks for no credentials and listens on every address of the machine; it may do so on this one alone. */
async function startS3AndSqs(dataDir: string) {
  const bind = (message: unknown): void => {
    const { fastify } = message as { fastify: { listen(options: object): Promise<string> } };
    const listen = fastify.listen.bind(fastify);
    fastify.listen = (given) => listen({ ...given, host: HOST });
  };
  subscribe(INITIALISED, bind);
  try {
    // Makes its server before it first waits for anything.
    return await startFauxqs({ port: 0, logger: false, defaultRegion: REGION, dataDir });
  } finally {
    unsubscribe(INITIALISED, bind);
  }
}

const INITIALISED = 'fastify.initialization';

function onlyOnce(stop: () => Promise<void>): () => Promise<void> {
  let stopped: Promise<void> | undefined;
  return () => (stopped ??= stop());
}
