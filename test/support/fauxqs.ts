import { S3Client } from '@aws-sdk/client-s3';
import { SQSClient } from '@aws-sdk/client-sqs';
import { type FauxqsServer, startFauxqs } from 'fauxqs';
import { withConditions } from '#lib/adapters/local/conditional-s3.ts';

export const BUCKET = 'knowhub-contract';

/** S3 and SQS in this process, on a free port. */
export interface LocalAws {
  server: FauxqsServer;
  /** With the conditions that fauxqs itself ignores. */
  s3: S3Client;
  sqs: SQSClient;
  /** Makes a queue and returns its URL. */
  queue(name: string): string;
  stop(): Promise<void>;
}

export async function startLocalAws(): Promise<LocalAws> {
  const server = await startFauxqs({ port: 0, host: '127.0.0.1', logger: false });
  server.createBucket(BUCKET);
  const options = {
    endpoint: `http://127.0.0.1:${server.port}`,
    region: 'us-east-1',
    credentials: { accessKeyId: 'test', secretAccessKey: 'test' },
  };
  const s3 = withConditions(new S3Client({ ...options, forcePathStyle: true }));
  const sqs = new SQSClient({ ...options, useQueueUrlAsEndpoint: false });
  return {
    server,
    s3,
    sqs,
    queue: (name) => server.createQueue(name).queueUrl,
    async stop() {
      s3.destroy();
      sqs.destroy();
      await server.stop();
    },
  };
}
