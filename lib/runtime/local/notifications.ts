import { ListObjectsV2Command, type S3Client } from '@aws-sdk/client-s3';
import { SendMessageCommand, type SQSClient } from '@aws-sdk/client-sqs';
import { queueUrl } from '#lib/runtime/local/intrinsics.ts';
import type { Wiring } from '#lib/runtime/local/template.ts';

const PAGE = 1000;

/**
 * What S3 does by itself and fauxqs does not: each call looks at the bucket and sends one notification an object that is
 * new or other than at the last look. The first look tells of everything that lies there.
 */
export function createNotifier(
  { s3, sqs }: { s3: S3Client; sqs: SQSClient },
  { bucket, prefix, queue }: Wiring['notifications'][number],
): () => Promise<void> {
  let told = new Map<string, string>();
  return async () => {
    const seen = await look(s3, bucket, prefix);
    for (const [key, version] of seen) {
      if (told.get(key) === version) continue;
      const QueueUrl = queueUrl(queue);
      await sqs.send(new SendMessageCommand({ QueueUrl, MessageBody: notification(bucket, key) }));
      told.set(key, version);
    }
    told = seen;
  };
}

/** Objects by key; the time tells two drops of the same bytes apart. */
async function look(s3: S3Client, Bucket: string, Prefix: string): Promise<Map<string, string>> {
  const seen = new Map<string, string>();
  for (let StartAfter: string | undefined; ; ) {
    const { Contents = [], IsTruncated } = await s3.send(
      new ListObjectsV2Command({ Bucket, Prefix, StartAfter, MaxKeys: PAGE }),
    );
    for (const { Key = '', ETag, LastModified } of Contents)
      seen.set(Key, `${ETag} ${LastModified?.toISOString()}`);
    StartAfter = Contents.at(-1)?.Key;
    if (!IsTruncated || StartAfter === undefined) return seen;
  }
}

/** A key in a notification is form-encoded, its slashes left. */
const formEncoded = (key: string): string =>
  new URLSearchParams({ key }).toString().slice('key='.length).replaceAll('%2F', '/');

const notification = (bucket: string, key: string): string =>
  JSON.stringify({
    Records: [
      {
        eventVersion: '2.1',
        eventSource: 'aws:s3',
        awsRegion: 'us-east-1',
        eventTime: new Date().toISOString(),
        eventName: 'ObjectCreated:Put',
        s3: { s3SchemaVersion: '1.0', bucket: { name: bucket }, object: { key: formEncoded(key) } },
      },
    ],
  });
