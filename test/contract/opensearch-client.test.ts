import { createServer, type RequestListener, type Server } from 'node:http';
import { afterEach, expect, test } from 'vitest';
import { createOpenSearchConnection, NoAnswer, regionOf } from '#lib/adapters/aws/opensearch/client.ts';

const servers: Server[] = [];
afterEach(() => {
  for (const server of servers.splice(0)) {
    server.closeAllConnections();
    server.close();
  }
});

/** A server on this machine; `seen` counts what reached it. */
async function serve(answer: RequestListener): Promise<{ url: string; seen: () => number }> {
  let seen = 0;
  const server = createServer((request, response) => {
    seen += 1;
    answer(request, response);
  });
  servers.push(server);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  if (typeof address !== 'object' || !address) throw new Error('no address');
  return { url: `http://127.0.0.1:${address.port}`, seen: () => seen };
}

const JSON_TYPE = { 'content-type': 'application/json' };

test('R4.8 every status is an answer, and no call is made twice', async () => {
  for (const status of [200, 400, 404, 429, 500, 502, 503, 504]) {
    const { url, seen } = await serve((_request, response) =>
      response.writeHead(status, JSON_TYPE).end(JSON.stringify({ status })),
    );
    const connection = createOpenSearchConnection({ url });
    expect(await connection({ method: 'PUT', path: '/i', body: {} })).toEqual({ status, body: { status } });
    expect(seen()).toBe(1);
  }
});

test('R4.8 a broken connection may have done it, a refused one has not', async () => {
  const { url, seen } = await serve((request) => request.socket.destroy());
  const broken = createOpenSearchConnection({ url })({ method: 'PUT', path: '/i', body: {} });
  await expect(broken).rejects.toMatchObject({ name: 'NoAnswer', sent: true });
  expect(seen()).toBe(1);
  const closed = createOpenSearchConnection({ url: 'http://127.0.0.1:1' });
  await expect(closed({ method: 'GET', path: '/' })).rejects.toMatchObject({ name: 'NoAnswer', sent: false });
});

test('R4.8 an engine that was away is asked again by the next call, and answers', async () => {
  let away = true;
  const { url } = await serve((request, response) => {
    if (away) request.socket.destroy();
    else response.writeHead(200, JSON_TYPE).end('{}');
  });
  const connection = createOpenSearchConnection({ url });
  for (let n = 0; n < 3; n++)
    await expect(connection({ method: 'GET', path: '/' })).rejects.toBeInstanceOf(NoAnswer);
  away = false;
  expect(await connection({ method: 'GET', path: '/' })).toEqual({ status: 200, body: {} });
});

test('R4.8 a silent engine, or one that falls silent in the middle of its answer, is given up', async () => {
  const silent: RequestListener[] = [
    () => undefined,
    (_request, response) => response.writeHead(200, JSON_TYPE).write('{"timed'),
  ];
  for (const answer of silent) {
    const { url, seen } = await serve(answer);
    const call = createOpenSearchConnection({ url, timeout_ms: 100 })({ method: 'GET', path: '/' });
    await expect(call).rejects.toMatchObject({ name: 'NoAnswer', sent: true });
    expect(seen()).toBe(1);
  }
});

test('R4.1 an answer that is no JSON is none', async () => {
  const { url } = await serve((_request, response) => response.writeHead(200, JSON_TYPE).end('{"timed'));
  await expect(createOpenSearchConnection({ url })({ method: 'GET', path: '/' })).rejects.toMatchObject({
    name: 'NoAnswer',
    sent: true,
  });
});

test('lines are sent as newline-delimited JSON, with the query string', async () => {
  let seen: object = {};
  const { url } = await serve((request, response) => {
    let body = '';
    request.on('data', (chunk) => (body += chunk));
    request.on('end', () => {
      const { method, url: path } = request;
      seen = { method, path, type: request.headers['content-type'], body };
      response.writeHead(200, JSON_TYPE).end('{}');
    });
  });
  await createOpenSearchConnection({ url })({
    method: 'POST',
    path: '/i/_bulk',
    query: { require_alias: true },
    lines: ['{"a":1}', '{"b":"é"}'],
  });
  expect(seen).toEqual({
    method: 'POST',
    path: '/i/_bulk?require_alias=true',
    type: 'application/x-ndjson',
    body: '{"a":1}\n{"b":"é"}\n',
  });
});

test('calls to an AWS domain are signed for its region with the caller’s keys', async () => {
  let authorization: string | undefined;
  let token: unknown;
  const { url } = await serve((request, response) => {
    authorization = request.headers.authorization;
    token = request.headers['x-amz-security-token'];
    response.writeHead(200, JSON_TYPE).end('{}');
  });
  const keys = { accessKeyId: 'AKID', secretAccessKey: 'secret', sessionToken: 'session' };
  const connection = createOpenSearchConnection({ url, region: 'eu-west-1', credentials: async () => keys });
  await connection({ method: 'POST', path: '/i/_search', body: {} });
  expect(authorization).toMatch(
    /^AWS4-HMAC-SHA256 Credential=AKID\/\d{8}\/eu-west-1\/es\/aws4_request, SignedHeaders=.+, Signature=[0-9a-f]{64}$/,
  );
  expect(token).toBe('session');
});

test('without keys nothing is sent, and the next call tries again', async () => {
  const { url, seen } = await serve((_request, response) => response.writeHead(200, JSON_TYPE).end('{}'));
  let missing = true;
  const connection = createOpenSearchConnection({
    url,
    region: 'eu-west-1',
    credentials: async () => {
      if (missing) throw new Error('no keys');
      return { accessKeyId: 'AKID', secretAccessKey: 'secret' };
    },
  });
  await expect(connection({ method: 'GET', path: '/' })).rejects.toMatchObject({
    name: 'NoAnswer',
    sent: false,
    message: 'GET /: no keys',
  });
  expect(seen()).toBe(0);
  missing = false;
  expect((await connection({ method: 'GET', path: '/' })).status).toBe(200);
});

test('an AWS domain is known by its name', () => {
  for (const [url, region] of [
    ['https://search-kb-abc.eu-west-1.es.amazonaws.com', 'eu-west-1'],
    ['https://vpc-kb-abc.cn-north-1.es.amazonaws.com.cn', 'cn-north-1'],
    ['https://search-kb-abc.aos.us-gov-west-1.on.aws', 'us-gov-west-1'],
    ['http://127.0.0.1:9200', undefined],
    ['https://es.amazonaws.com.example.org', undefined],
  ])
    expect(regionOf(url!)).toBe(region);
});
