import { ListObjectsV2Command, PutObjectCommand } from '@aws-sdk/client-s3';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createS3Snapshots } from '#lib/adapters/aws/s3/snapshots.ts';
import { snapshotsContract } from '#test/contract/snapshots.contract.ts';
import { BUCKET, type LocalAws, startLocalAws } from '#test/support/fauxqs.ts';

let aws: LocalAws;
beforeAll(async () => {
  aws = await startLocalAws();
});
afterAll(() => aws.stop());

snapshotsContract('snapshots on S3', async () => createS3Snapshots(aws.s3, BUCKET));

test('a snapshot lies at catalog/{schema}/{position}, compressed; what else lies there is left out', async () => {
  const snapshots = createS3Snapshots(aws.s3, BUCKET);
  await snapshots.put(0, 42, new Uint8Array(100_000));
  for (const Key of ['catalog/0/notes.txt', 'catalog/0000', 'catalog/x/1'])
    await aws.s3.send(new PutObjectCommand({ Bucket: BUCKET, Key, Body: 'mine' }));
  const { Contents = [] } = await aws.s3.send(
    new ListObjectsV2Command({ Bucket: BUCKET, Prefix: 'catalog/0/0' }),
  );
  expect(Contents.map(({ Key }) => Key)).toEqual(['catalog/0/0000000000000042']);
  expect(Contents[0]?.Size).toBeLessThan(1000);
  expect((await snapshots.list()).filter(({ schema }) => schema === 0)).toEqual([
    { schema: 0, position: 42 },
  ]);
});

test('a damaged snapshot is an error, never other bytes', async () => {
  const snapshots = createS3Snapshots(aws.s3, BUCKET);
  await aws.s3.send(
    new PutObjectCommand({ Bucket: BUCKET, Key: 'catalog/0/0000000000000043', Body: 'not compressed' }),
  );
  await expect(snapshots.get(0, 43)).rejects.toThrow();
});
