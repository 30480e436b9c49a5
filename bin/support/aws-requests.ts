import { AsyncLocalStorage } from 'node:async_hooks';
import type { S3Client } from '@aws-sdk/client-s3';
import type { SQSClient } from '@aws-sdk/client-sqs';
import type { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';

/** How many requests each service got, e.g. `DynamoDB`. */
export type Requests = Map<string, number>;

/** Who pays for what is under way; nobody for what the demo itself does: looking, polling, preparing. */
const payer = new AsyncLocalStorage<Requests | undefined>();

/** Whatever `work` asks of AWS is counted. */
export const countedIn = <Answer>(requests: Requests, work: () => Answer): Answer =>
  payer.run(requests, work);

/** Makes the clients count; a retry is no request of its own. */
export function countRequests({
  dynamo,
  s3,
  sqs,
}: {
  dynamo: DynamoDBDocumentClient;
  s3: S3Client;
  sqs: SQSClient;
}): void {
  const step = { step: 'initialize', priority: 'high', name: 'countRequests' } as const;
  dynamo.middlewareStack.add((next) => (args) => counted('DynamoDB', () => next(args)), step);
  s3.middlewareStack.add((next) => (args) => counted('S3', () => next(args)), step);
  sqs.middlewareStack.add((next) => (args) => counted('SQS', () => next(args)), step);
}

function counted<Answer>(service: string, send: () => Answer): Answer {
  const requests = payer.getStore();
  if (requests) requests.set(service, (requests.get(service) ?? 0) + 1);
  // What the emulated conditions of S3 ask for on their own would be no request on AWS.
  return payer.run(undefined, send);
}
