import { HeadObjectCommand, PutObjectCommand, S3Client } from '@aws-sdk/client-s3';
import { ListQueuesCommand, SQSClient } from '@aws-sdk/client-sqs';
import { GetCommand } from '@aws-sdk/lib-dynamodb';
import { beforeAll, expect, test } from 'vitest';
import { createDynamoClient } from '#lib/adapters/aws/dynamodb/client.ts';
import { withConditions } from '#lib/adapters/local/conditional-s3.ts';
import { countedIn, countRequests, type Requests } from '../../bin/support/aws-requests.ts';

const config = { region: 'us-east-1', credentials: { accessKeyId: 'test', secretAccessKey: 'test' } };
const dynamo = createDynamoClient(config);
const s3 = withConditions(new S3Client(config));
const sqs = new SQSClient(config);
const object = { Bucket: 'bucket', Key: 'key' };

/** Names of the commands that would have gone out. */
const sent: string[] = [];

beforeAll(() => {
  countRequests({ dynamo, s3, sqs });
  const answer = (name: string) => {
    sent.push(name);
    return Promise.resolve({ output: { $metadata: {} }, response: {} });
  };
  const step = { step: 'finalizeRequest', priority: 'high', name: 'answer' } as const;
  dynamo.middlewareStack.add(
    (_, { commandName = '' }) =>
      () =>
        answer(commandName),
    step,
  );
  s3.middlewareStack.add(
    (_, { commandName = '' }) =>
      () =>
        answer(commandName),
    step,
  );
  sqs.middlewareStack.add(
    (_, { commandName = '' }) =>
      () =>
        answer(commandName),
    step,
  );
});

test('requests are counted by service for whoever pays, side by side, and for nobody else', async () => {
  const [one, other]: [Requests, Requests] = [new Map(), new Map()];
  const key = { TableName: 'table', Key: { id: 'a' } };
  await Promise.all([
    countedIn(one, async () => {
      await dynamo.send(new GetCommand(key));
      await dynamo.send(new GetCommand(key));
      await sqs.send(new ListQueuesCommand({}));
    }),
    countedIn(other, () => dynamo.send(new GetCommand(key))),
    s3.send(new HeadObjectCommand(object)),
  ]);
  expect([one, other].map((each) => Object.fromEntries(each))).toEqual([
    { DynamoDB: 2, SQS: 1 },
    { DynamoDB: 1 },
  ]);
});

test('what the emulated conditions of S3 ask for is no request', async () => {
  const requests: Requests = new Map();
  sent.length = 0;
  await countedIn(requests, () => s3.send(new PutObjectCommand({ ...object, IfNoneMatch: '*' })));
  expect(sent).toEqual(['HeadObjectCommand', 'PutObjectCommand']);
  expect(Object.fromEntries(requests)).toEqual({ S3: 1 });
});
