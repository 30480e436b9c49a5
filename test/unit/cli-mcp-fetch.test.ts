import { afterEach, expect, test } from 'vitest';
import { type HttpStub, type StubReply, startHttpStub } from '#test/support/http-stub.ts';
import { createMcpFetch, type McpFetchOptions } from '../../bin/support/cli-mcp-fetch.ts';
import type { Unsigned } from '../../bin/support/sign.ts';

let stub: HttpStub | undefined;
afterEach(() => stub?.stop());

/** What fetches from a server that gives these answers, the last one for ever. */
async function answering(replies: StubReply[], more: Partial<McpFetchOptions> = {}) {
  let n = 0;
  stub = await startHttpStub(() => replies[Math.min(n++, replies.length - 1)]!);
  const { url, requests } = stub;
  const fetch = createMcpFetch({ url, pause_ms: 1, ...more });
  const ask = (method: string, init: RequestInit = {}) => fetch(`${url}/mcp`, { method, ...init });
  return { ask, requests, url };
}

const post = { body: '{"a":"支"}', headers: new Headers({ 'content-type': 'application/json' }) };

test.each<[string, StubReply]>([
  ['a full house', { status: 429 }],
  ['a function that starts', { status: 503 }],
  ['a gateway that gave up', { status: 504 }],
  ['a connection that broke', 'cut'],
])('API a message is sent again after %s', async (_, reply) => {
  const { ask, requests } = await answering([reply, reply, { status: 200, body: 'yes' }]);
  const response = await ask('POST', post);
  expect([response.status, await response.text()]).toEqual([200, 'yes']);
  expect(requests.map(({ url, body }) => [url, body])).toEqual(
    Array.from({ length: 3 }, () => ['/mcp', post.body]),
  );
});

test('API what no repetition mends is handed on at once, and after the third try everything', async () => {
  const refused = await answering([{ status: 403, body: 'no' }]);
  expect((await refused.ask('POST', post)).status).toBe(403);
  expect(refused.requests).toHaveLength(1);
  await stub?.stop();
  const away = await answering([{ status: 503 }]);
  expect((await away.ask('POST', post)).status).toBe(503);
  expect(away.requests).toHaveLength(3);
});

test('API the end of a session and the look for a stream are tried once', async () => {
  const { ask, requests } = await answering([{ status: 503 }]);
  for (const method of ['DELETE', 'GET']) expect((await ask(method)).status).toBe(503);
  expect(requests).toHaveLength(2);
});

test('API nobody there, and an answer that does not come, are told as such', async () => {
  const { ask, url } = await answering(['silent'], { timeout_ms: 50 });
  await expect(ask('POST', post)).rejects.toMatchObject({
    ...{ code: 'unreachable', ever: false, message: `nobody answers at ${url} (no answer in time)` },
  });
  await stub?.stop();
  await expect(ask('POST', post)).rejects.toMatchObject({
    message: `nobody answers at ${url} (ECONNREFUSED)`,
  });
});

test('API who aborts is not asked to wait', async () => {
  const { ask } = await answering(['silent']);
  await expect(ask('POST', { ...post, signal: AbortSignal.timeout(20) })).rejects.toThrow(/aborted/);
});

test('API each try is signed anew: its method, its address, its headers and its body', async () => {
  const seen: Unsigned[] = [];
  const sign = async (request: Unsigned) => {
    seen.push(request);
    return { ...request.headers, authorization: `signature ${seen.length}` };
  };
  const { ask, requests, url } = await answering([{ status: 503 }, { status: 200 }], { sign });
  await ask('POST', post);
  await ask('DELETE');
  expect(requests.map(({ headers }) => headers.authorization)).toEqual([
    ...['signature 1', 'signature 2', 'signature 3'],
  ]);
  const unsigned = { method: 'POST', url: new URL(`${url}/mcp`), body: post.body };
  expect(seen).toEqual([
    { ...unsigned, headers: { 'content-type': 'application/json' } },
    { ...unsigned, headers: { 'content-type': 'application/json' } },
    { method: 'DELETE', url: unsigned.url, headers: {}, body: undefined },
  ]);
});
