import { createConnection } from 'node:net';
import { afterEach, expect, test } from 'vitest';
import type { GatewayEvent } from '#lib/runtime/http.ts';
import { type Answer, createGateway, listen } from '#lib/runtime/local/gateway.ts';
import { createRouteTable } from '#lib/runtime/local/router.ts';

let close: () => void = () => undefined;
afterEach(() => close());

async function gateway(answer: Answer): Promise<string> {
  const server = createGateway(answer);
  const port = await listen(server, 0);
  close = () => {
    server.close();
    server.closeAllConnections();
  };
  return `http://127.0.0.1:${port}`;
}

/** Answers with the event it was given. */
const echo: Answer = async (event) => ({ statusCode: 200, headers: {}, body: JSON.stringify(event) });

async function eventOf(path: string, init: RequestInit = {}): Promise<GatewayEvent> {
  const url = await gateway(echo);
  const reply = await fetch(url + path, init);
  return (await reply.json()) as GatewayEvent;
}

test('API a request becomes an event of payload format 2.0, its path and query as they came', async () => {
  const event = await eventOf('/api/documents/a%20b/%E6%94%AF.md?scopes=a%2Cb&scopes=c', {
    headers: { 'X-KnowHub-Scopes': 'org:acme' },
  });
  expect(event).toMatchObject({
    version: '2.0',
    rawPath: '/api/documents/a%20b/%E6%94%AF.md',
    rawQueryString: 'scopes=a%2Cb&scopes=c',
    requestContext: { http: { method: 'GET' }, stage: '$default' },
  });
  expect(event.headers['x-knowhub-scopes']).toBe('org:acme');
  expect(event.body).toBeUndefined();
});

test.each([
  ['JSON as text', 'application/json', Buffer.from('{"a":"支付"}'), '{"a":"支付"}', false],
  ['text as text', 'text/markdown; charset=utf-8', Buffer.from('# 支付'), '# 支付', false],
  ['bytes in base64', 'application/octet-stream', Buffer.from([0, 255, 128]), 'AP+A', true],
  [
    'what is no UTF-8 in base64, whatever it says',
    'application/json',
    Buffer.from([0x22, 0xff]),
    'Iv8=',
    true,
  ],
])('API a body comes through byte by byte: %s', async (_, type, bytes, body, isBase64Encoded) => {
  const event = await eventOf('/x', { method: 'POST', headers: { 'content-type': type }, body: bytes });
  expect([event.body, event.isBase64Encoded]).toEqual([body, isBase64Encoded]);
});

test('API a body larger than Lambda takes is refused, and the function never sees it', async () => {
  let called = false;
  const url = await gateway(async (event) => {
    called = true;
    return echo(event);
  });
  const body = 'x'.repeat(6 * 1024 * 1024 + 1);
  const reply = await fetch(`${url}/api/documents`, { method: 'POST', body });
  expect([reply.status, called]).toEqual([413, false]);
  expect(await reply.json()).toMatchObject({ error: { code: 'too_large' } });
});

test('API a function that throws answers 500 without a word of why', async () => {
  const url = await gateway(async () => {
    throw new Error('secret');
  });
  const reply = await fetch(url);
  expect(reply.status).toBe(500);
  expect(await reply.text()).not.toContain('secret');
});

test('API what is not HTTP is answered by 400 in JSON', async () => {
  const url = await gateway(echo);
  const answer = await new Promise<string>((resolve, reject) => {
    const socket = createConnection(Number(new URL(url).port), '127.0.0.1');
    let said = '';
    socket.on('data', (data) => {
      said += data;
    });
    socket.on('end', () => resolve(said)).on('error', reject);
    socket.write('NOT HTTP AT ALL\r\n\r\n');
  });
  expect(answer).toMatch(/^HTTP\/1\.1 400 /);
  expect(JSON.parse(answer.slice(answer.indexOf('{')))).toMatchObject({ error: { code: 'invalid_input' } });
});

test('API the route that fits most exactly is taken, as API Gateway does', () => {
  const functionFor = createRouteTable([
    { key: 'GET /api/documents/{path+}', function: 'greedy' },
    { key: 'GET /api/knowledge/{id}', function: 'one' },
    { key: 'GET /api/knowledge/pending', function: 'fixed' },
    { key: 'POST /api/knowledge/{id}/review', function: 'deeper' },
    { key: '$default', function: 'default' },
  ]);
  const ask = (method: string, rawPath: string) =>
    functionFor({
      rawPath,
      rawQueryString: '',
      headers: {},
      isBase64Encoded: false,
      requestContext: { http: { method } },
    });
  expect(ask('GET', '/api/knowledge/pending')).toBe('fixed');
  expect(ask('GET', '/api/knowledge/knowledge-1')).toBe('one');
  expect(ask('POST', '/api/knowledge/pending')).toBe('default');
  expect(ask('POST', '/api/knowledge/x/review')).toBe('deeper');
  expect(ask('GET', '/api/documents/a/b/c.md')).toBe('greedy');
  expect(ask('GET', '/api/documents')).toBe('default');
});
