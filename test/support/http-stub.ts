import { createServer, type IncomingHttpHeaders } from 'node:http';
import type { AddressInfo } from 'node:net';

export interface StubRequest {
  method: string;
  /** Path and query, as they came over the wire. */
  url: string;
  headers: IncomingHttpHeaders;
  body: string;
}

/** `cut`: the connection is closed without an answer. `silent`: no answer ever comes. */
export type StubReply =
  | { status: number; headers?: Record<string, string>; body?: string }
  | 'cut'
  | 'silent';

export interface HttpStub {
  url: string;
  requests: StubRequest[];
  /** May be changed between requests. */
  answer: (request: StubRequest) => StubReply | Promise<StubReply>;
  stop(): Promise<void>;
}

/** A server that writes down what it is asked and answers as told. */
export async function startHttpStub(answer: HttpStub['answer'] = () => ({ status: 500 })): Promise<HttpStub> {
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', async () => {
      const { method = '', url = '', headers } = request;
      const seen = { method, url, headers, body: Buffer.concat(chunks).toString('utf8') };
      stub.requests.push(seen);
      const reply = await stub.answer(seen);
      if (reply === 'cut') request.socket.destroy();
      else if (reply !== 'silent') response.writeHead(reply.status, reply.headers).end(reply.body);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const stub: HttpStub = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    requests: [],
    answer,
    stop: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
  return stub;
}
