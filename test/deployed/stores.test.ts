import { CreateBucketCommand, GetObjectCommand, PutObjectCommand, S3Client } from '@aws-sdk/client-s3';
import { afterAll, beforeAll, expect } from 'vitest';
import { createDynamoClient } from '#lib/adapters/aws/dynamodb/client.ts';
import { createDynamoPorts } from '#lib/adapters/aws/dynamodb/ports.ts';
import { prepareProjections } from '#lib/adapters/aws/dynamodb/projections.ts';
import { createS3Inbox } from '#lib/adapters/aws/s3/inbox.ts';
import { createS3Mirror } from '#lib/adapters/aws/s3/mirror.ts';
import type { TableNames } from '#lib/adapters/aws/tables.ts';
import { systemClock } from '#lib/adapters/memory/system.ts';
import { inboxContract } from '#test/contract/inbox.contract.ts';
import { itemsContract } from '#test/contract/items.contract.ts';
import { ledgerContract } from '#test/contract/ledger.contract.ts';
import { mirrorContract } from '#test/contract/mirror.contract.ts';
import { pathsContract } from '#test/contract/paths.contract.ts';
import { projectionsContract } from '#test/contract/projections.contract.ts';
import { sessionsContract } from '#test/contract/sessions.contract.ts';
import { createTables } from '#test/support/dynalite.ts';
import { uniqueHex } from '#test/support/rows.ts';

// What fauxqs and dynalite leave out (conditions on PUT and DELETE, the row that a refused write met) is held here.

const Bucket = `contract-${uniqueHex()}`;
const s3 = new S3Client();
const dynamo = createDynamoClient();
let names: TableNames;
beforeAll(async () => {
  await s3.send(new CreateBucketCommand({ Bucket }));
  names = await createTables(dynamo);
  await prepareProjections(dynamo, names);
});
afterAll(() => {
  s3.destroy();
  dynamo.destroy();
});

async function bytesAt(Key: string): Promise<Uint8Array | undefined> {
  try {
    const { Body } = await s3.send(new GetObjectCommand({ Bucket, Key }));
    return await Body?.transformToByteArray();
  } catch (error) {
    if (error instanceof Error && error.name === 'NoSuchKey') return undefined;
    throw error;
  }
}

inboxContract('inbox, deployed', async () => ({
  inbox: createS3Inbox(s3, Bucket),
  drop: async (Key, Body) => {
    await s3.send(new PutObjectCommand({ Bucket, Key, Body }));
  },
  redeem: async ({ url, fields }, bytes) => {
    const form = new FormData();
    for (const [name, value] of Object.entries(fields)) form.append(name, value);
    form.append('file', new Blob([Uint8Array.from(bytes)]), 'whatever.md');
    expect((await fetch(url, { method: 'POST', body: form })).status).toBe(204);
  },
  quarantined: async (name) => {
    const file = await bytesAt(`quarantine/${name}`);
    const report = await bytesAt(`quarantine/${name}.error.json`);
    return file && report && { bytes: file, report: JSON.parse(Buffer.from(report).toString()) };
  },
}));
mirrorContract('mirror, deployed', async () => createS3Mirror(s3, Bucket));

const ports = () => createDynamoPorts(dynamo, names, systemClock);
itemsContract('items, deployed', async () => ports().items);
ledgerContract('ledger, deployed', async () => ports().ledger);
pathsContract('paths, deployed', async () => ports().paths);
projectionsContract('projections, deployed', async () => ports().projections);
sessionsContract('sessions, deployed', async () => ports().sessions);
