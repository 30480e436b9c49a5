import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import * as z from 'zod';
import { call, until } from '#test/support/local-process.ts';
import { localRun } from '#test/support/local-run.ts';

const sh = promisify(execFile);

const Queued = z.object({ status: z.literal('pending'), knowledge_id: z.string() });
const Uploaded = z.object({ id: z.string(), path: z.string(), status: z.string(), unchanged: z.boolean() });
const Status = z.object({ id: z.string(), status: z.string(), decision: z.unknown() });
const Found = z.object({ documents: z.array(z.object({ path: z.string(), title: z.string() })) });

const local = localRun();

const decided = (id: string) =>
  until(
    async () => Status.parse((await call(`${local.url}/api/knowledge/status/${id}`)).body),
    ({ status }) => status !== 'pending' && status !== 'processing',
  );

async function page(): Promise<string> {
  const { status, body } = await call(local.url);
  expect(status).toBe(200);
  return z.string().parse(body);
}

const plain = (html: string): string =>
  html.replaceAll('&quot;', '"').replaceAll('&lt;', '<').replaceAll('&gt;', '>').replaceAll('&amp;', '&');

async function pasted(line: string): Promise<unknown> {
  const { stdout } = await sh('sh', ['-c', line]);
  return JSON.parse(stdout);
}

test('API the page names every stand-in, says that nobody is authenticated, and its three lines work when pasted', async () => {
  const html = await page();
  expect(html).toContain('Callers are not authenticated');
  for (const standIn of ['OpenSearch', 'Embedder', 'Judge and writers'])
    expect(html).toContain(`<tr><td>${standIn}</td><td class="stand-in">STAND-IN</td>`);

  const lines = [...html.matchAll(/<pre>(.*)<\/pre>/g)].map(([, line = '']) => plain(line));
  expect(lines).toHaveLength(3);
  const [entry = '', document = '', lookup = ''] = lines;
  const { knowledge_id } = Queued.parse(await pasted(entry));
  const { id } = Uploaded.parse(await pasted(document));
  expect(await decided(knowledge_id)).toMatchObject({ status: 'approved' });
  expect(await decided(id)).toMatchObject({ status: 'approved' });
  const found = await until(
    async () => Found.parse(await pasted(lookup)),
    ({ documents }) => documents.length > 0,
  );
  expect(found.documents[0]).toEqual({ path: 'payment/payment-timeout.md', title: 'Payment timeouts' });
});

test('R4.1 the same knowledge under another name is rejected, and the lookup gives the first one', async () => {
  const content =
    '---\ntitle: Rotating keys\nkeywords: [key rotation]\n---\nRotate the signing keys every quarter.\n';
  const upload = async (filename: string) =>
    Uploaded.parse(
      (await call(`${local.url}/api/documents`, 'POST', { category: 'security', filename, content })).body,
    );
  const first = await upload('keys.md');
  expect(await decided(first.id)).toMatchObject({ status: 'approved' });
  const second = await upload('keys-again.md');
  expect(await decided(second.id)).toMatchObject({ status: 'rejected' });
  expect(await upload('keys.md')).toEqual({ ...first, status: 'approved', unchanged: true });
  const { body } = await call(`${local.url}/api/lookup`, 'POST', { query: 'key rotation' });
  expect(Found.parse(body).documents).toEqual([{ path: 'security/keys.md', title: 'Rotating keys' }]);
});

test('R3.7 whatever is wrong with a request, the answer is a 4xx in JSON', async () => {
  const long = 'x'.repeat(7 * 1024 * 1024);
  const wrong: [path: string, method: string, body: unknown, status: number][] = [
    ['/nowhere', 'GET', undefined, 404],
    ['/', 'POST', {}, 404],
    ['/api/knowledge', 'PUT', {}, 405],
    ['/api/knowledge', 'POST', '{"task": ', 400],
    ['/api/knowledge', 'POST', { task: 'a', content: 'b', status: 'approved' }, 400],
    ['/api/knowledge', 'POST', { task: 7, content: 'b' }, 400],
    ['/api/documents', 'POST', { category: '..', filename: 'a.md', content: 'b' }, 400],
    ['/api/documents', 'POST', { category: 'a', filename: 'a\u0000.md', content: 'b' }, 400],
    ['/api/documents', 'POST', { category: 'a', filename: 'a.md', content: ' \n ' }, 400],
    ['/api/documents', 'POST', { category: 'a', filename: 'a.md', content: long }, 413],
    ['/api/documents/%ff/a.md', 'GET', undefined, 400],
    ['/api/documents/a/b%2F..%2Fc.md', 'GET', undefined, 400],
    ['/api/knowledge?limit=many', 'GET', undefined, 400],
    ['/api/lookup', 'POST', { query: '' }, 400],
  ];
  for (const [path, method, body, status] of wrong) {
    const reply = await call(local.url + path, method, body);
    expect([path, method, reply.status]).toEqual([path, method, status]);
    expect(reply.body).toEqual({
      error: { code: expect.any(String), message: expect.any(String), ...fieldOf(reply.body) },
      request_id: expect.any(String),
    });
    expect(JSON.stringify(reply.body)).not.toMatch(/\bat .*\.ts:/);
  }
});

const fieldOf = (body: unknown) => {
  const { error } = z.object({ error: z.object({ field: z.string().optional() }) }).parse(body);
  return error.field === undefined ? {} : { field: expect.any(String) };
};

test('API another site, and a name that was made to point here, are refused', async () => {
  const foreign = async (header: string): Promise<string> => {
    const { stdout } = await sh('curl', ['-s', '-H', header, `${local.url}/api/knowledge`]);
    return z.object({ error: z.object({ code: z.string() }) }).parse(JSON.parse(stdout)).error.code;
  };
  expect(await foreign('origin: https://evil.example')).toBe('forbidden');
  expect(await foreign('origin: null')).toBe('forbidden');
  expect(await foreign('host: evil.example')).toBe('forbidden');
  const { hostname, port } = new URL(local.url);
  const own = await sh('curl', ['-s', '-H', `origin: http://localhost:${port}`, `${local.url}/api/domains`]);
  expect(JSON.parse(own.stdout)).toHaveProperty('domains');
  expect(hostname).toBe('127.0.0.1');
});

test('R6.9 Ctrl-C ends within 5 seconds with 0, and after the next start everything is there and found by meaning', async () => {
  const query = { query: 'the bank needs a reference number for the refund' };
  const lookup = async () => Found.parse((await call(`${local.url}/api/lookup`, 'POST', query)).body);
  const before = { items: await call(`${local.url}/api/knowledge`), found: await lookup() };
  expect(before.found.documents.length).toBeGreaterThan(0);
  expect(local.out()).not.toContain('The last run was killed');

  const { code, took_ms, err } = await local.end('SIGINT');
  expect([code, err]).toEqual([0, '']);
  expect(took_ms).toBeLessThan(5000);

  await local.restart();
  expect(local.out()).not.toContain('The last run was killed');
  expect(Number(/\((\d+\.\d) s\)/.exec(local.out())?.[1])).toBeLessThan(10);
  expect({ items: await call(`${local.url}/api/knowledge`), found: await lookup() }).toEqual(before);
});
