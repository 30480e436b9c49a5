import { ListObjectsV2Command } from '@aws-sdk/client-s3';
import * as fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { decodeSections, encodeSections } from '#lib/adapters/aws/s3/section-format.ts';
import { createS3SectionVectors } from '#lib/adapters/aws/s3/section-vectors.ts';
import { createVectors } from '#lib/adapters/aws/vectors.ts';
import { vectorsContract } from '#test/contract/vectors.contract.ts';
import { memoryTaskVectors } from '#test/support/dynamodb-halves.ts';
import { BUCKET, type LocalAws, startLocalAws } from '#test/support/fauxqs.ts';
import { sectionVector, uniqueId } from '#test/support/rows.ts';

let aws: LocalAws;
beforeAll(async () => {
  aws = await startLocalAws();
});
afterAll(() => aws.stop());

const tasks = memoryTaskVectors();

vectorsContract('vectors on S3 and beside the rows', async () =>
  createVectors(createS3SectionVectors(aws.s3, BUCKET), tasks),
);

test('R6.3 the vectors of one model lie in one folder, whatever its name', async () => {
  const id = uniqueId();
  const sections = createS3SectionVectors(aws.s3, BUCKET);
  await sections.saveSections(id, 'intfloat/e5:0@384', [sectionVector()]);
  const { Contents } = await aws.s3.send(new ListObjectsV2Command({ Bucket: BUCKET, Prefix: 'vectors/' }));
  const keys = (Contents ?? []).map(({ Key }) => Key);
  expect(keys).toContain(`vectors/intfloat%2Fe5%3A0%40384/${id}`);
});

test('R6.3 what is written as sections is read as the same sections', () => {
  const section = fc.record({
    heading: fc.string({ unit: 'grapheme' }),
    text: fc.string({ unit: 'grapheme' }),
    vector: fc.array(fc.float({ noNaN: true }), { maxLength: 5 }),
  });
  fc.assert(
    fc.property(fc.array(section, { maxLength: 5 }), (sections) => {
      expect(decodeSections(encodeSections(sections))).toEqual(sections);
    }),
  );
});

test('R6.3 bytes that are no sections are never read as some', () => {
  const whole = encodeSections([sectionVector()]);
  expect(() => decodeSections(whole.subarray(0, whole.length - 1))).toThrow();
  expect(() => decodeSections(new TextEncoder().encode('what is this?'))).toThrow();
});
