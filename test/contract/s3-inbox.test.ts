import { CopyObjectCommand, GetObjectCommand, PutObjectCommand } from '@aws-sdk/client-s3';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createS3Inbox } from '#lib/adapters/aws/s3/inbox.ts';
import type { QuarantineReport, UploadTicket } from '#lib/core/inbox.ts';
import { inboxContract } from '#test/contract/inbox.contract.ts';
import { BUCKET, type LocalAws, startLocalAws } from '#test/support/fauxqs.ts';
import { uniqueHex } from '#test/support/rows.ts';

let aws: LocalAws;
beforeAll(async () => {
  aws = await startLocalAws();
});
afterAll(() => aws.stop());

const put = (Key: string, Body: Uint8Array | string, Metadata?: Record<string, string>) =>
  aws.s3.send(new PutObjectCommand({ Bucket: BUCKET, Key, Body, ...(Metadata && { Metadata }) }));

async function bytesAt(Key: string): Promise<Uint8Array | undefined> {
  try {
    const { Body } = await aws.s3.send(new GetObjectCommand({ Bucket: BUCKET, Key }));
    return await Body?.transformToByteArray();
  } catch (error) {
    if (error instanceof Error && error.name === 'NoSuchKey') return undefined;
    throw error;
  }
}

async function redeem({ url, fields }: UploadTicket, bytes: Uint8Array): Promise<void> {
  const form = new FormData();
  for (const [name, value] of Object.entries(fields)) form.append(name, value);
  form.append('file', new Blob([Uint8Array.from(bytes)]), 'whatever.md');
  const { status } = await fetch(url, { method: 'POST', body: form });
  expect(status).toBe(204);
}

inboxContract('inbox on S3', async () => ({
  inbox: createS3Inbox(aws.s3, BUCKET),
  drop: async (key, bytes) => {
    await put(key, bytes);
  },
  redeem,
  quarantined: async (name) => {
    const [bytes, report] = await Promise.all([
      bytesAt(`quarantine/${name}`),
      bytesAt(`quarantine/${name}.error.json`),
    ]);
    if (bytes === undefined || report === undefined) return undefined;
    return { bytes, report: JSON.parse(Buffer.from(report).toString()) as QuarantineReport };
  },
}));

test('R3.7 a ticket is for one key, one caller, 1 byte to the limit, and a time', async () => {
  const before = Date.now();
  const caller = { principal: 'agent:runner', scopes: ['org:acme'] };
  const { url, fields } = await createS3Inbox(aws.s3, BUCKET).ticket('inbox/a/b.md', caller, 1234, 60);
  expect(url).toBe(`http://127.0.0.1:${aws.server.port}/${BUCKET}`);
  const policy = JSON.parse(Buffer.from(fields.Policy!, 'base64').toString());
  const metadata = Buffer.from(JSON.stringify(caller)).toString('base64url');
  expect(policy.conditions).toEqual(
    expect.arrayContaining([
      ['content-length-range', 1, 1234],
      { key: 'inbox/a/b.md' },
      { bucket: BUCKET },
      { 'x-amz-meta-knowhub-caller': metadata },
    ]),
  );
  expect(fields['x-amz-meta-knowhub-caller']).toBe(metadata);
  const lasts = new Date(policy.expiration).getTime() - before;
  expect(lasts).toBeGreaterThan(58_000);
  expect(lasts).toBeLessThan(70_000);
});

test('R6.8 a caller that no ticket wrote sees what is public', async () => {
  const key = `inbox/contract-${uniqueHex()}/a.md`;
  for (const caller of ['', 'garbage', Buffer.from('{"scopes":"all"}').toString('base64url')]) {
    await put(key, 'text', { 'knowhub-caller': caller || 'e30' });
    const file = await createS3Inbox(aws.s3, BUCKET).read(key, 9);
    expect(file?.caller).toEqual({ principal: 'unknown', scopes: [] });
  }
});

test('R3.1 the local S3 copies only what has the ETag read', async () => {
  const key = `inbox/contract-${uniqueHex()}/a.md`;
  await put(key, 'text');
  const copy = new CopyObjectCommand({
    Bucket: BUCKET,
    Key: `${key}.copy`,
    CopySource: `${BUCKET}/${key}`,
    CopySourceIfMatch: '"other"',
  });
  await expect(aws.s3.send(copy)).rejects.toMatchObject({ name: 'PreconditionFailed' });
});
