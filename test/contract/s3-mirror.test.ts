import { afterAll, beforeAll } from 'vitest';
import { createS3Mirror } from '#lib/adapters/aws/s3/mirror.ts';
import { mirrorContract } from '#test/contract/mirror.contract.ts';
import { BUCKET, type LocalAws, startLocalAws } from '#test/support/fauxqs.ts';

let aws: LocalAws;
beforeAll(async () => {
  aws = await startLocalAws();
});
afterAll(() => aws.stop());

mirrorContract('mirror on S3', async () => createS3Mirror(aws.s3, BUCKET));
