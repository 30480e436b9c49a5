import { CreateTableCommand, DescribeTableCommand, ListTablesCommand } from '@aws-sdk/client-dynamodb';
import { CreateBucketCommand, ListBucketsCommand } from '@aws-sdk/client-s3';
import { CreateQueueCommand, ListQueuesCommand, SetQueueAttributesCommand } from '@aws-sdk/client-sqs';
import type { EmulatedAws } from '#lib/adapters/local/emulated-aws.ts';
import { queueUrl } from '#lib/runtime/local/intrinsics.ts';
import type { QueueWiring, Wiring } from '#lib/runtime/local/template.ts';

/** Makes the tables, buckets and queues of the wiring that are not there yet. Throws when a table is another than the wiring's. */
export async function prepareResources(aws: EmulatedAws, wiring: Wiring): Promise<void> {
  await Promise.all([
    prepareTables(aws, wiring.tables),
    prepareBuckets(aws, wiring.buckets),
    prepareQueues(aws, wiring.queues),
  ]);
}

type TableWiring = Wiring['tables'][number];

async function prepareTables({ dynamo }: EmulatedAws, tables: readonly TableWiring[]): Promise<void> {
  const { TableNames = [] } = await dynamo.send(new ListTablesCommand({}));
  for (const table of tables) {
    const { TableName } = table;
    if (!TableNames.includes(TableName))
      await dynamo.send(new CreateTableCommand({ BillingMode: 'PAY_PER_REQUEST', ...table }));
    for (;;) {
      const { Table: found } = await dynamo.send(new DescribeTableCommand({ TableName }));
      if (found?.TableStatus !== 'ACTIVE') continue;
      if (shape(found) !== shape(table))
        throw new Error(
          `the table ${TableName} was made by another version of the stack: start with another data folder`,
        );
      break;
    }
  }
}

/** Keys and indexes, in one order. */
function shape(table: {
  KeySchema?: TableWiring['KeySchema'] | { AttributeName?: string | undefined }[];
  GlobalSecondaryIndexes?:
    | { IndexName?: string | undefined; KeySchema?: { AttributeName?: string | undefined }[] | undefined }[]
    | undefined;
}): string {
  const names = (schema: { AttributeName?: string | undefined }[] = []) =>
    schema.map(({ AttributeName }) => AttributeName);
  const indexes = (table.GlobalSecondaryIndexes ?? []).map(
    ({ IndexName, KeySchema }) => `${IndexName}:${names(KeySchema)}`,
  );
  return JSON.stringify([names(table.KeySchema), indexes.sort()]);
}

async function prepareBuckets({ s3 }: EmulatedAws, buckets: readonly string[]): Promise<void> {
  const { Buckets = [] } = await s3.send(new ListBucketsCommand({}));
  for (const Bucket of buckets)
    if (!Buckets.some(({ Name }) => Name === Bucket)) await s3.send(new CreateBucketCommand({ Bucket }));
}

async function prepareQueues({ sqs }: EmulatedAws, queues: readonly QueueWiring[]): Promise<void> {
  const { QueueUrls = [] } = await sqs.send(new ListQueuesCommand({}));
  const there = new Set(QueueUrls.map((url) => url.split('/').at(-1)));
  // Dead-letter queues first: the others name them.
  const inOrder = [...queues].sort(
    (a, b) => Number(a.redrive !== undefined) - Number(b.redrive !== undefined),
  );
  for (const queue of inOrder) {
    const { name } = queue;
    const Attributes = attributesOf(queue);
    if (there.has(name))
      await sqs.send(new SetQueueAttributesCommand({ QueueUrl: queueUrl(name), Attributes }));
    else await sqs.send(new CreateQueueCommand({ QueueName: name, Attributes }));
  }
}

const attributesOf = ({ attributes, redrive }: QueueWiring): Record<string, string> => ({
  ...attributes,
  ...(redrive && {
    RedrivePolicy: JSON.stringify({
      deadLetterTargetArn: `arn:aws:sqs:us-east-1:000000000000:${redrive.dead_letter_queue}`,
      maxReceiveCount: redrive.max_receives,
    }),
  }),
});
