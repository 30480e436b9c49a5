import { networkInterfaces } from 'node:os';
import { join } from 'node:path';
import { PutObjectCommand } from '@aws-sdk/client-s3';
import { DeleteMessageCommand, ReceiveMessageCommand } from '@aws-sdk/client-sqs';
import { PutCommand, QueryCommand } from '@aws-sdk/lib-dynamodb';
import { ClassicLevel } from 'classic-level';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { DataFolderTaken, takeDataFolder } from '#lib/adapters/local/data-folder.ts';
import { type EmulatedAws, startEmulatedAws } from '#lib/adapters/local/emulated-aws.ts';
import { mendIndexes } from '#lib/adapters/local/mend-indexes.ts';
import { fromS3Notification } from '#lib/core/names.ts';
import { queueUrl } from '#lib/runtime/local/intrinsics.ts';
import { createNotifier } from '#lib/runtime/local/notifications.ts';
import { prepareResources } from '#lib/runtime/local/resources.ts';
import type { Wiring } from '#lib/runtime/local/template.ts';
import { droppedKeys } from '#lib/runtime/s3-notification.ts';
import { newDataFolder } from '#test/support/local-process.ts';

const WIRING = {
  tables: [
    {
      TableName: 'items',
      KeySchema: [
        { AttributeName: 'id', KeyType: 'HASH' as const },
        { AttributeName: 'part', KeyType: 'RANGE' as const },
      ],
      AttributeDefinitions: ['id', 'part', 'waiting'].map((AttributeName) => ({
        AttributeName,
        AttributeType: 'S' as const,
      })),
      GlobalSecondaryIndexes: [
        {
          IndexName: 'due',
          KeySchema: [{ AttributeName: 'waiting', KeyType: 'HASH' as const }],
          Projection: { ProjectionType: 'KEYS_ONLY' as const },
        },
      ],
    },
  ],
  buckets: ['knowledge'],
  queues: [{ name: 'inbox', attributes: { VisibilityTimeout: '60' } }],
  functions: [],
  event_sources: [],
  routes: [],
  schedules: [],
  notifications: [],
} satisfies Wiring;

let data: Awaited<ReturnType<typeof newDataFolder>>;
let aws: EmulatedAws;
const start = async () => {
  aws = await startEmulatedAws({ dynamo: join(data.path, 'dynamodb'), s3_sqs: join(data.path, 's3-sqs') });
};
const stop = () => Promise.all([aws.stopDynamo(), aws.stopS3AndSqs()]);
beforeEach(async () => {
  data = await newDataFolder();
  await start();
  await prepareResources(aws, WIRING);
});
afterEach(async () => {
  await stop();
  await data.remove();
});

test('FIGURES the emulators, which ask for no credentials, answer on 127.0.0.1 alone', async () => {
  const others = Object.values(networkInterfaces())
    .flat()
    .flatMap((each) => (each?.family === 'IPv4' && !each.internal ? [each.address] : []));
  // On Linux all of 127.0.0.0/8 is this machine.
  for (const address of [...others, '127.0.0.2'])
    for (const port of Object.values(aws.ports))
      await expect(fetch(`http://${address}:${port}/`)).rejects.toThrow();
});

test('R4.8 what an index of dynalite lost with a killed process is brought back', async () => {
  const row = { id: 'a', part: 'meta', waiting: 'pending' };
  await aws.dynamo.send(new PutCommand({ TableName: 'items', Item: row }));
  await aws.dynamo.send(new PutCommand({ TableName: 'items', Item: { id: 'b', part: 'meta' } }));
  await stop();
  const level = new ClassicLevel(join(data.path, 'dynamodb'));
  for await (const key of level.keys()) if (key.startsWith('index-')) await level.del(key);
  await level.close();
  await start();
  const due = async () => {
    const { Items } = await aws.dynamo.send(
      new QueryCommand({
        TableName: 'items',
        IndexName: 'due',
        KeyConditionExpression: 'waiting = :waiting',
        ExpressionAttributeValues: { ':waiting': 'pending' },
      }),
    );
    return Items;
  };
  expect(await due()).toEqual([]);
  expect(await mendIndexes(aws.dynamo, WIRING.tables)).toBe(1);
  expect(await due()).toEqual([row]);
});

test('R4.8 resources are made once, and keep what is in them; another shape of a table is refused', async () => {
  await aws.s3.send(new PutObjectCommand({ Bucket: 'knowledge', Key: 'inbox/a/b.md', Body: 'text' }));
  const notify = createNotifier(aws, { bucket: 'knowledge', prefix: 'inbox/', queue: 'inbox' });
  await notify();
  await stop();
  await start();
  await prepareResources(aws, WIRING);
  expect(await keysTold()).toEqual(['inbox/a/b.md']);

  const [table] = WIRING.tables;
  const other = { ...WIRING, tables: [{ ...table!, GlobalSecondaryIndexes: [] }] };
  await expect(prepareResources(aws, other)).rejects.toThrow('another version of the stack');
});

async function keysTold(): Promise<string[]> {
  const QueueUrl = queueUrl('inbox');
  const { Messages = [] } = await aws.sqs.send(
    new ReceiveMessageCommand({ QueueUrl, MaxNumberOfMessages: 10, WaitTimeSeconds: 0 }),
  );
  for (const { ReceiptHandle } of Messages)
    await aws.sqs.send(new DeleteMessageCommand({ QueueUrl, ReceiptHandle }));
  return Messages.flatMap(({ Body = '' }) => droppedKeys(Body)).map((key) => fromS3Notification(key).key);
}

test('R3.1 each object that is new or other is told of once, under any name', async () => {
  const notify = createNotifier(aws, { bucket: 'knowledge', prefix: 'inbox/', queue: 'inbox' });
  const put = (Key: string, Body: string) =>
    aws.s3.send(new PutObjectCommand({ Bucket: 'knowledge', Key, Body }));
  const names = ['inbox/支付/退 款+100%.md', 'inbox/a/b&c=d.md', 'inbox/a/é.md'];
  for (const name of names) await put(name, 'one');
  await put('elsewhere/a.md', 'one');
  await notify();
  expect((await keysTold()).sort()).toEqual([...names].sort());
  await notify();
  expect(await keysTold()).toEqual([]);
  await put(names[1]!, 'two');
  await notify();
  expect(await keysTold()).toEqual([names[1]]);
  // The same bytes again are another drop, which must leave the inbox too.
  await put(names[1]!, 'two');
  await notify();
  expect(await keysTold()).toEqual([names[1]]);
});

test('FIGURES a data folder is for one at a time; one that was not given back was left by a killed run', async () => {
  const path = join(data.path, 'folder');
  const first = takeDataFolder(path);
  expect(first.unclean).toBe(false);
  expect(() => takeDataFolder(path)).toThrow(DataFolderTaken);
  expect(() => takeDataFolder(path)).toThrow(`in use by process ${process.pid}`);
  first.release();
  const second = takeDataFolder(path);
  expect(second.unclean).toBe(false);
  second.release();
});
