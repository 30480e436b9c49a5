import { setTimeout } from 'node:timers/promises';
import { DeleteMessageCommand, ReceiveMessageCommand, SQSClient } from '@aws-sdk/client-sqs';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createSqsQueue, parseMessage } from '#lib/adapters/aws/sqs/queue.ts';
import { Unclear } from '#lib/core/errors.ts';
import type { Message } from '#lib/core/rows.ts';
import { queueContract } from '#test/contract/queue.contract.ts';
import { type LocalAws, startLocalAws } from '#test/support/fauxqs.ts';
import { startHttpStub } from '#test/support/http-stub.ts';
import { uniqueHex, uniqueId } from '#test/support/rows.ts';

let aws: LocalAws;
beforeAll(async () => {
  aws = await startLocalAws();
});
afterAll(() => aws.stop());

const open = () => {
  const urls = { admit: aws.queue(`admit-${uniqueHex()}`), recompute: aws.queue(`recompute-${uniqueHex()}`) };
  return { urls, queue: createSqsQueue(aws.sqs, urls) };
};

async function receive(QueueUrl: string): Promise<Message[]> {
  const { Messages = [] } = await aws.sqs.send(
    new ReceiveMessageCommand({ QueueUrl, MaxNumberOfMessages: 10, WaitTimeSeconds: 0 }),
  );
  for (const { ReceiptHandle } of Messages)
    await aws.sqs.send(new DeleteMessageCommand({ QueueUrl, ReceiptHandle }));
  return Messages.map(({ Body }) => parseMessage(Body ?? ''));
}

queueContract('queue on SQS', async () => {
  const { urls, queue } = open();
  return {
    queue,
    receive: async () => [...(await receive(urls.admit)), ...(await receive(urls.recompute))],
    pass: async (ms) => {
      await setTimeout(ms);
    },
  };
});

test('R5.1 each type of message has its own queue', async () => {
  const { urls, queue } = open();
  const admit: Message = { type: 'admit', item_id: uniqueId() };
  const recompute: Message = { type: 'recompute', domain_id: 'payment' };
  await queue.send(admit);
  await queue.send(recompute);
  expect([await receive(urls.admit), await receive(urls.recompute)]).toEqual([[admit], [recompute]]);
});

test('R5.1 a domain named with characters that SQS refuses arrives all the same', async () => {
  const { urls, queue } = open();
  const message: Message = { type: 'recompute', domain_id: 'a\uFFFE\uFFFF\u0001b' };
  await queue.send(message);
  expect(await receive(urls.recompute)).toEqual([message]);
});

test('R5.1 a delay is sent in whole seconds, never a shorter one, and never more than SQS takes', async () => {
  const stub = await startHttpStub(() => ({ status: 200, body: '{}' }));
  const credentials = { accessKeyId: 'test', secretAccessKey: 'test' };
  const md5 = false;
  const client = new SQSClient({ endpoint: stub.url, region: 'us-east-1', credentials, md5 });
  const queue = createSqsQueue(client, {
    admit: `${stub.url}/1/admit`,
    recompute: `${stub.url}/1/recompute`,
  });
  for (const delay_ms of [0, 0.5, 1001, 900_000, 3_600_000])
    await queue.send({ type: 'recompute', domain_id: 'a' }, delay_ms);
  expect(stub.requests.map(({ body }) => JSON.parse(body).DelaySeconds)).toEqual([0, 1, 2, 900, 900]);
  client.destroy();
  await stub.stop();
});

test('R4.8 a queue that cannot be reached may or may not have the message', async () => {
  const { urls } = open();
  const other = await startLocalAws();
  await other.stop();
  const gone = createSqsQueue(other.sqs, urls);
  await expect(gone.send({ type: 'recompute', domain_id: 'a' })).rejects.toThrow(Unclear);
});

test.each([
  '',
  '{}',
  '{"type":"admit"}',
  '{"type":"admit","item_id":"../etc"}',
  '{"type":"recompute","domain_id":"a","more":1}',
])('R4.6 a message that nobody of us sent is refused: %s', (body) => {
  expect(() => parseMessage(body)).toThrow();
});
