import { S3Client } from '@aws-sdk/client-s3';
import { NodeHttpHandler } from '@smithy/node-http-handler';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { createS3Client } from '#lib/adapters/aws/s3/client.ts';
import { createS3DocumentBodies } from '#lib/adapters/aws/s3/document-bodies.ts';
import { createS3Mirror } from '#lib/adapters/aws/s3/mirror.ts';
import { createObjects } from '#lib/adapters/aws/s3/objects.ts';
import { createS3SectionVectors } from '#lib/adapters/aws/s3/section-vectors.ts';
import { createS3Snapshots } from '#lib/adapters/aws/s3/snapshots.ts';
import { createMemoryLedger } from '#lib/adapters/memory/ledger.ts';
import { Unclear } from '#lib/core/errors.ts';
import { createCatalog } from '#lib/usecases/instance.ts';
import { createStoredCatalogs } from '#lib/usecases/stored-catalogs.ts';
import { type HttpStub, type StubReply, startHttpStub } from '#test/support/http-stub.ts';

/** What goes over the wire to the real S3, which no emulator answers for. */
let stub: HttpStub;
let client: S3Client;
beforeAll(async () => {
  stub = await startHttpStub();
  client = new S3Client({
    endpoint: stub.url,
    forcePathStyle: true,
    region: 'us-east-1',
    maxAttempts: 1,
    credentials: { accessKeyId: 'test', secretAccessKey: 'test' },
    requestHandler: new NodeHttpHandler({ requestTimeout: 200, throwOnRequestTimeout: true }),
  });
});
beforeEach(() => {
  stub.requests.length = 0;
});
afterAll(async () => {
  client.destroy();
  await stub.stop();
});

const mirror = () => createS3Mirror(client, 'bucket');
const bodies = () => createS3DocumentBodies(client, 'bucket');

const failed = (status: number, code: string): StubReply => ({
  status,
  headers: { 'content-type': 'application/xml' },
  body: `<?xml version="1.0" encoding="UTF-8"?><Error><Code>${code}</Code><Message>${code}</Message></Error>`,
});
const sent = (header: string) => stub.requests.map(({ method, headers }) => [method, headers[header]]);

test('R3.5 the mirror sends the condition of every write', async () => {
  stub.answer = () => ({ status: 200, headers: { etag: '"e2"' } });
  expect(await mirror().put('a/b.md', 'knowledge-1', 'text', undefined)).toBe(true);
  expect(await mirror().put('a/b.md', 'knowledge-1', 'text', '"e1"')).toBe(true);
  expect(await mirror().remove('a/b.md', '"e1"')).toBe(true);
  expect(sent('if-none-match')).toEqual([
    ['PUT', '*'],
    ['PUT', undefined],
    ['DELETE', undefined],
  ]);
  expect(sent('if-match')).toEqual([
    ['PUT', undefined],
    ['PUT', '"e1"'],
    ['DELETE', '"e1"'],
  ]);
  expect(stub.requests[0]?.headers['x-amz-meta-item-id']).toBe('knowledge-1');
});

test('R3.2 a body is written only where none lies, and erased whatever lies there', async () => {
  stub.answer = () => ({ status: 200 });
  await bodies().put('knowledge-1', '');
  await bodies().erase('knowledge-1');
  expect(sent('if-none-match')).toEqual([
    ['PUT', '*'],
    ['DELETE', undefined],
  ]);
  expect(sent('if-match')[1]).toEqual(['DELETE', undefined]);
  expect(stub.requests.map(({ url }) => url.split('?')[0])).toEqual([
    '/bucket/bodies/knowledge-1.md',
    '/bucket/bodies/knowledge-1.md',
  ]);
});

test('R3.1 a copy names its source with every character encoded, and its ETag', async () => {
  stub.answer = () => ({ status: 200, body: '<CopyObjectResult><ETag>"e1"</ETag></CopyObjectResult>' });
  expect(await createObjects(client, 'bucket').copy('inbox/支付/a+b %2B#.md', 'x', '"e1"')).toBe(true);
  expect(stub.requests[0]?.headers).toMatchObject({
    'x-amz-copy-source': 'bucket/inbox/%E6%94%AF%E4%BB%98/a%2Bb%20%252B%23.md',
    'x-amz-copy-source-if-match': '"e1"',
  });
});

test.each([
  [412, 'PreconditionFailed'],
  [409, 'ConditionalRequestConflict'],
  [404, 'NoSuchKey'],
])('R3.5 a condition that did not hold is no error (%d)', async (status, code) => {
  stub.answer = () => failed(status, code);
  expect(await mirror().put('a/b.md', 'knowledge-1', 'text', '"e1"')).toBe(false);
  expect(await mirror().remove('a/b.md', '"e1"')).toBe(false);
});

test('R3.2 a body that lies there already is as good as written; one under way may yet fail', async () => {
  stub.answer = () => failed(412, 'PreconditionFailed');
  await expect(bodies().put('knowledge-1', 'text')).resolves.toBeUndefined();
  stub.answer = () => failed(409, 'ConditionalRequestConflict');
  await expect(bodies().put('knowledge-1', 'text')).rejects.toThrow(Unclear);
});

test.each<[string, StubReply]>([
  ['an internal error', failed(500, 'InternalError')],
  ['a wish to go slower', failed(503, 'SlowDown')],
  ['too many requests', failed(429, 'Whatever')],
  ['a time-out', 'silent'],
  ['a cut connection', 'cut'],
])('R3.1 after %s a call may or may not have happened', async (_, reply) => {
  stub.answer = () => reply;
  const calls = [
    () => bodies().put('knowledge-1', 'text'),
    () => bodies().get('knowledge-1'),
    () => bodies().list('', Date.now(), 5),
    () => mirror().head('a/b.md'),
    () => mirror().put('a/b.md', 'knowledge-1', 'text', undefined),
    () => mirror().remove('a/b.md', '"e1"'),
    () => createS3SectionVectors(client, 'bucket').erase('knowledge-1'),
  ];
  for (const call of calls) await expect(call()).rejects.toThrow(Unclear);
});

test('R6.9 a function that starts while S3 does not answer reads the ledger alone', async () => {
  stub.answer = () => 'silent';
  const silent = createS3Client(
    {
      endpoint: stub.url,
      forcePathStyle: true,
      region: 'us-east-1',
      credentials: { accessKeyId: 'test', secretAccessKey: 'test' },
    },
    { connect: 1000, answer: 50 },
  );
  const ledger = createMemoryLedger();
  const warned: unknown[] = [];
  const log = { debug: () => undefined, info: () => undefined, warn: (text: string) => warned.push(text) };
  const stored = createStoredCatalogs({ snapshots: createS3Snapshots(silent, 'bucket'), ledger, log });
  expect(await createCatalog(ledger, stored).refresh()).toMatchObject({ position: 0 });
  expect(warned).toEqual(['snapshot not usable']);
  silent.destroy();
});

test('R3.2 half a body is no body', async () => {
  stub.answer = () => ({
    status: 200,
    headers: { 'content-length': '100', connection: 'close' },
    body: 'half',
  });
  await expect(bodies().get('knowledge-1')).rejects.toThrow(Unclear);
});

test.each([
  [403, 'AccessDenied'],
  [404, 'NoSuchBucket'],
])('R3.1 a fault of the set-up is neither absence nor passing (%d %s)', async (status, code) => {
  stub.answer = () => failed(status, code);
  await expect(bodies().get('knowledge-1')).rejects.toMatchObject({ name: code });
  await expect(mirror().put('a/b.md', 'knowledge-1', 'text', '"e1"')).rejects.toMatchObject({ name: code });
});

test('R4.8 a listing that cannot be read is no empty one', async () => {
  stub.answer = () => ({ status: 200, body: '<ListBucketResult><Contents><Key>a' });
  await expect(mirror().list('', 5)).rejects.toThrow(Unclear);
});

const listing = (keys: readonly string[], truncated: boolean): StubReply => ({
  status: 200,
  body: `<?xml version="1.0" encoding="UTF-8"?>
<ListBucketResult xmlns="http://s3.amazonaws.com/doc/2006-03-01/"><Name>bucket</Name><EncodingType>url</EncodingType>
<IsTruncated>${truncated}</IsTruncated>${keys
    .map(
      (key) => `<Contents><Key>${key}</Key><LastModified>2026-07-01T12:00:00.000Z</LastModified></Contents>`,
    )
    .join('')}</ListBucketResult>`,
});

test('R4.8 a listing asks for encoded keys, decodes them once, and goes on after the last', async () => {
  const pages = [
    listing(['knowledge_base/a/b+c%2B%252B.md', 'knowledge_base/a/%E6%94%AF%EF%BF%BE.md'], true),
    listing(['knowledge_base/b/c.md'], false),
  ];
  stub.answer = () => pages.shift()!;
  expect(await mirror().list('a/', 5)).toEqual(['a/b c+%2B.md', 'a/支\uFFFE.md', 'b/c.md']);
  const queries = stub.requests.map(({ url }) => new URL(url, stub.url).searchParams);
  expect(queries.map((query) => [query.get('start-after'), query.get('max-keys')])).toEqual([
    ['knowledge_base/a/', '5'],
    ['knowledge_base/a/支\uFFFE.md', '3'],
  ]);
  expect(queries.map((query) => query.get('encoding-type'))).toEqual(['url', 'url']);
});

test('R4.8 bodies older than asked for are found behind a page of younger ones', async () => {
  const young = Array.from({ length: 1000 }, (_, n) => `bodies/a${String(n).padStart(4, '0')}.md`);
  const last = listing(['bodies/b.md'], false) as { status: number; body: string };
  const pages = [listing(young, true), { ...last, body: last.body.replace('2026-07', '2026-05') }];
  stub.answer = () => pages.shift()!;
  expect(await bodies().list('', Date.UTC(2026, 5, 1), 3)).toEqual(['b']);
});
