import { createHash, createHmac } from 'node:crypto';
import { afterEach, expect, test } from 'vitest';
import * as z from 'zod';
import { type HttpStub, type StubReply, startHttpStub } from '#test/support/http-stub.ts';
import { ApiFault, type Client, createClient, segment, Unreachable } from '../../bin/support/client.ts';
import { createSigner, regionOfHost, signerFor } from '../../bin/support/sign.ts';

let stub: HttpStub | undefined;
afterEach(() => stub?.stop());

/** A client of a server that gives these answers, the last one for ever. */
async function answering(replies: StubReply[], more: Partial<Parameters<typeof createClient>[0]> = {}) {
  let n = 0;
  stub = await startHttpStub(() => replies[Math.min(n++, replies.length - 1)]!);
  return { client: createClient({ url: stub.url, pause_ms: 1, ...more }), requests: stub.requests };
}

const faultOf = async (client: Client) =>
  client.send({ method: 'GET', path: '/' }).then(
    () => undefined,
    (error: unknown) => error,
  );

test.each([429, 502, 503, 504])('API %i is tried again, and the answer counts', async (status) => {
  const { client, requests } = await answering([{ status }, { status }, { status: 200, body: '{"a":1}' }]);
  expect(
    await client.json({ method: 'POST', path: '/x', body: { b: '支' } }, z.object({ a: z.number() })),
  ).toEqual({
    reply: { a: 1 },
    whole: { a: 1 },
    unsure: status !== 429,
  });
  expect(requests.map(({ method, url, body }) => [method, url, body])).toEqual(
    Array.from({ length: 3 }, () => ['POST', '/x', '{"b":"支"}']),
  );
});

test('API a connection that breaks is tried again; the first try may have been carried out', async () => {
  const { client, requests } = await answering(['cut', { status: 200, body: 'yes' }]);
  expect(await client.send({ method: 'GET', path: '/' })).toEqual({ text: 'yes', unsure: true });
  expect(requests).toHaveLength(2);
});

test('API an answer that does not come is waited for only so long', async () => {
  const { client } = await answering(['silent', { status: 200, body: 'late' }], { timeout_ms: 50 });
  expect(await client.send({ method: 'GET', path: '/' })).toEqual({ text: 'late', unsure: true });
});

test('API after the last try the server’s own words are thrown', async () => {
  const error = { code: 'index_unavailable', message: 'out of reach' };
  const { client, requests } = await answering(
    [{ status: 503, body: JSON.stringify({ error, request_id: 'abc' }) }],
    { tries: 2 },
  );
  const fault = await faultOf(client);
  expect(fault).toBeInstanceOf(ApiFault);
  expect(fault).toMatchObject({
    status: 503,
    code: 'index_unavailable',
    message: 'out of reach',
    request_id: 'abc',
  });
  expect(requests).toHaveLength(2);
});

test.each([
  [
    400,
    '{"error":{"code":"invalid_input","message":"content is blank","field":"content"},"request_id":"r"}',
    'invalid_input',
    'content is blank',
    'content',
  ],
  [403, '{"message":"Forbidden"}', 'http_403', 'Forbidden', undefined],
  [500, '<html>', 'http_500', 'the server answered with HTTP 500', undefined],
  [301, '', 'http_301', 'the server answered with HTTP 301', undefined],
])('API HTTP %i %s is told at once, and not tried again', async (status, body, code, message, field) => {
  const { client, requests } = await answering([{ status, body, headers: { location: '/else' } }]);
  expect(await faultOf(client)).toMatchObject({ code, message, field });
  expect(requests).toHaveLength(1);
});

test('API an answer that KnowHub would not give is said to be one', async () => {
  const { client } = await answering([{ status: 200, body: '<html>hello' }]);
  await expect(client.json({ method: 'GET', path: '/api/x' }, z.object({}))).rejects.toMatchObject({
    code: 'strange_answer',
    message: `GET /api/x is not answered as KnowHub would; is it KnowHub that answers at ${stub!.url}?`,
  });
});

test('API a server that never answered is not waited for; one that did may be starting again', async () => {
  const { client } = await answering([{ status: 200, body: '' }], { tries: 3 });
  const { url } = stub!;
  const other = createClient({ url, pause_ms: 1 });
  await client.send({ method: 'GET', path: '/' });
  await stub!.stop();
  expect(await faultOf(other)).toEqual(new Unreachable(url, 'ECONNREFUSED', false));
  expect(await faultOf(client)).toEqual(new Unreachable(url, 'ECONNREFUSED', true));
});

test('API who gives up is let go at once, in the middle of a pause', async () => {
  const interrupt = new AbortController();
  const { client } = await answering([{ status: 503, headers: { 'retry-after': '5' } }], {
    signal: interrupt.signal,
  });
  const sent = faultOf(client);
  await expect.poll(() => stub!.requests.length).toBe(1);
  interrupt.abort();
  expect(await sent).toBe(interrupt.signal.reason);
});

test('R6.8 the caller’s scopes go with every call', async () => {
  const { client, requests } = await answering([{ status: 200 }], { scopes: ['org:a', 'org:b'] });
  await client.send({ method: 'GET', path: '/x', query: { 'a b': "c+d'" } });
  expect([requests[0]?.headers['x-knowhub-scopes'], requests[0]?.url]).toEqual([
    'org:a,org:b',
    '/x?a%20b=c%2Bd%27',
  ]);
});

test('API a segment of a path carries nothing that a signature would read otherwise', () => {
  expect(segment("支/a+b (1)!*'")).toBe('%E6%94%AF%2Fa%2Bb%20%281%29%21%2A%27');
});

const credentials = { accessKeyId: 'AKIDEXAMPLE', secretAccessKey: 'secret', sessionToken: 'token' };

test('API a signed call carries who signed it, for which region and service, and a hash of its body', async () => {
  const { client, requests } = await answering([{ status: 503 }, { status: 200 }], {
    sign: createSigner('eu-west-1', credentials),
    scopes: ['org:a'],
  });
  await client.send({ method: 'POST', path: '/api/x', query: { a: '1' }, body: {} });
  const { headers } = requests[1]!;
  expect(headers.authorization).toMatch(
    /^AWS4-HMAC-SHA256 Credential=AKIDEXAMPLE\/\d{8}\/eu-west-1\/execute-api\/aws4_request, SignedHeaders=content-type;host;x-amz-content-sha256;x-amz-date;x-amz-security-token;x-knowhub-scopes, Signature=[0-9a-f]{64}$/,
  );
  expect({
    host: headers.host,
    token: headers['x-amz-security-token'],
    hash: headers['x-amz-content-sha256'],
  }).toEqual({
    host: new URL(stub!.url).host,
    token: 'token',
    hash: '44136fa355b3678a1146ad16f7e8649e94fb4fc21fe77e8310c060f61caaff8a',
  });
});

test('API under JWT a call carries the token, also to an address that could be signed for, and else nothing', async () => {
  const { client, requests } = await answering([{ status: 200 }], {
    sign: signerFor({ token: 'eyJ.a.b', region: 'eu-west-1' }),
    scopes: ['org:a'],
  });
  await client.send({ method: 'GET', path: '/api/x' });
  const { authorization, 'x-knowhub-scopes': scopes, 'x-amz-date': signed } = requests[0]!.headers;
  expect({ authorization, scopes, signed }).toEqual({
    authorization: 'Bearer eyJ.a.b',
    scopes: 'org:a',
    signed: undefined,
  });
  expect(signerFor({ token: undefined, region: undefined })).toBeUndefined();
});

/** The signature as API Gateway computes it from what it received (AWS, "Create a signed request"). */
function expectedSignature(
  method: string,
  path: string,
  query: string,
  headers: Record<string, string>,
): string {
  const [, scope = '', signed = ''] = /Credential=[^/]+\/([^,]+), SignedHeaders=([^,]+)/.exec(
    headers.authorization!,
  )!;
  const canonical = [
    method,
    path.split('/').map(encodeURIComponent).join('/'),
    query,
    ...signed.split(';').map((name) => `${name}:${headers[name]}`),
    '',
    signed,
    headers['x-amz-content-sha256'],
  ].join('\n');
  const hash = createHash('sha256').update(canonical).digest('hex');
  const key = scope
    .split('/')
    .reduce<string | Buffer>(
      (secret, part) => createHmac('sha256', secret).update(part).digest(),
      `AWS4${credentials.secretAccessKey}`,
    );
  return createHmac('sha256', key)
    .update(['AWS4-HMAC-SHA256', headers['x-amz-date'], scope, hash].join('\n'))
    .digest('hex');
}

test('API a signature is the one that API Gateway computes, whatever stands in the path and the query', async () => {
  const { client, requests } = await answering([{ status: 200 }], {
    sign: createSigner('eu-west-1', credentials),
  });
  const path = `/api/documents/${segment('支付')}/${segment("a+b (1)'s%2F.md")}`;
  await client.send({ method: 'GET', path, query: { offset: "0 *'+" } });
  const { url, headers } = requests[0]!;
  expect(url).toBe(`${path}?offset=0%20%2A%27%2B`);
  expect(headers.authorization).toContain(
    `Signature=${expectedSignature('GET', path, 'offset=0%20%2A%27%2B', headers as Record<string, string>)}`,
  );
});

test.each([
  ['abc.execute-api.eu-west-1.amazonaws.com', 'eu-west-1'],
  ['abc.execute-api.cn-north-1.amazonaws.com.cn', 'cn-north-1'],
  ['execute-api.eu-west-1.amazonaws.com', undefined],
  ['abc.execute-api.eu-west-1.amazonaws.com.example', undefined],
  ['127.0.0.1', undefined],
])('API the region of %s is %s', (host, region) => {
  expect(regionOfHost(host)).toBe(region);
});
