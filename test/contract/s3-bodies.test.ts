import { ListObjectsV2Command } from '@aws-sdk/client-s3';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createBodies } from '#lib/adapters/aws/bodies.ts';
import { createS3DocumentBodies } from '#lib/adapters/aws/s3/document-bodies.ts';
import { bodiesContract } from '#test/contract/bodies.contract.ts';
import { memoryEntryBodies } from '#test/support/dynamodb-halves.ts';
import { BUCKET, type LocalAws, startLocalAws } from '#test/support/fauxqs.ts';
import { uniqueId } from '#test/support/rows.ts';

let aws: LocalAws;
beforeAll(async () => {
  aws = await startLocalAws();
});
afterAll(() => aws.stop());

const entries = memoryEntryBodies();
const documents = () => createS3DocumentBodies(aws.s3, BUCKET);

bodiesContract('bodies on S3 and beside the rows', async () => createBodies(documents(), entries));

test('R3.2 a document is a Markdown file under its id, and an entry is none', async () => {
  const bodies = createBodies(documents(), entries);
  const [document, entry] = [uniqueId(), uniqueId()];
  await bodies.put(document, 'document', 'text');
  await bodies.put(entry, 'entry', 'text');
  const { Contents } = await aws.s3.send(new ListObjectsV2Command({ Bucket: BUCKET }));
  const keys = (Contents ?? []).map(({ Key }) => Key);
  expect(keys).toContain(`bodies/${document}.md`);
  expect(keys.filter((key) => key?.includes(entry))).toEqual([]);
});
