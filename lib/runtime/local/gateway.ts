import { randomUUID } from 'node:crypto';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { GatewayEvent, GatewayReply } from '#lib/runtime/http.ts';

/** Answers an HTTP API event, or throws. */
export type Answer = (event: GatewayEvent) => Promise<GatewayReply>;

/** Lambda takes 6 MB, of which the event's other fields are a part. */
const BODY_LIMIT_BYTES = 6 * 1024 * 1024;
/** Types whose bodies API Gateway hands over as text, if they are UTF-8. */
const TEXT = /^(text\/|application\/(json|javascript|xml|x-ndjson)\b|[^;]*\+(json|xml)\b)/i;
const HOST = '127.0.0.1';

/**
 * An HTTP server in API Gateway's place: requests become events of payload format 2.0, and replies what the functions
 * answer. Nobody signs anything here, so what another site's page sends, or has sent under another host's name, is
 * refused.
 */
export function createGateway(answer: Answer): Server {
  const server = createServer((request, response) => {
    exchange(answer, request)
      .catch((error: unknown) =>
        error instanceof Refused
          ? refusal(error.status, error.code, error.message)
          : refusal(500, 'internal', 'A fault of ours; it was logged.'),
      )
      .then((reply) => send(response, reply));
  });
  // What is not HTTP at all.
  server.on('clientError', (_error, socket) => {
    if (!socket.writable) return socket.destroy();
    const { body } = refusal(400, 'invalid_input', 'this is no HTTP request that can be read');
    socket.end(
      `HTTP/1.1 400 Bad Request\r\ncontent-type: application/json\r\ncontent-length: ${Buffer.byteLength(body)}\r\nconnection: close\r\n\r\n${body}`,
    );
  });
  return server;
}

class Refused extends Error {
  readonly status: number;
  readonly code: string;
  constructor(status: number, code: string, message: string) {
    super(message);
    this.status = status;
    this.code = code;
  }
}

async function exchange(answer: Answer, request: IncomingMessage): Promise<GatewayReply> {
  refuseForeign(request);
  return answer(eventOf(request, await bodyOf(request)));
}

/** A browser tells where a page comes from, and a name that was made to point here is still another's. */
function refuseForeign({ headers, socket }: IncomingMessage): void {
  const { localPort } = socket;
  const own = [HOST, 'localhost'].map((name) => `${name}:${localPort}`);
  const host = headers.host?.toLowerCase() ?? '';
  if (!own.includes(host) && !(localPort === 80 && [HOST, 'localhost'].includes(host)))
    throw new Refused(403, 'forbidden', `this server is for ${own.join(' and ')}`);
  const { origin } = headers;
  if (origin !== undefined && !own.some((each) => origin === `http://${each}`))
    throw new Refused(403, 'forbidden', 'pages of other sites may not call this server');
}

async function bodyOf(request: IncomingMessage): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of request as AsyncIterable<Buffer>) {
    size += chunk.length;
    // Read to its end: an answer to who is still sending is lost.
    if (size <= BODY_LIMIT_BYTES) chunks.push(chunk);
    if (size > 10 * BODY_LIMIT_BYTES) break;
  }
  if (size > BODY_LIMIT_BYTES)
    throw new Refused(
      413,
      'too_large',
      `body: larger than ${BODY_LIMIT_BYTES} bytes; a document may come by POST /api/documents/uploads`,
    );
  return Buffer.concat(chunks);
}

function eventOf(request: IncomingMessage, bytes: Buffer): GatewayEvent {
  const { method = 'GET', url = '/', headers, socket } = request;
  const at = url.indexOf('?');
  const rawPath = at < 0 ? url : url.slice(0, at);
  const asText = TEXT.test(headers['content-type'] ?? 'application/json') && isUtf8(bytes);
  return {
    version: '2.0',
    routeKey: '$default',
    rawPath,
    rawQueryString: at < 0 ? '' : url.slice(at + 1),
    headers: Object.fromEntries(
      Object.entries(headers).map(([name, value]) => [name, Array.isArray(value) ? value.join(',') : value]),
    ),
    requestContext: {
      http: {
        method,
        path: rawPath,
        protocol: `HTTP/${request.httpVersion}`,
        sourceIp: socket.remoteAddress ?? '',
      },
      requestId: randomUUID(),
      stage: '$default',
      timeEpoch: Date.now(),
    },
    ...(bytes.length > 0 && { body: bytes.toString(asText ? 'utf8' : 'base64') }),
    isBase64Encoded: !asText,
  };
}

function isUtf8(bytes: Buffer): boolean {
  try {
    new TextDecoder('utf-8', { fatal: true }).decode(bytes);
    return true;
  } catch {
    return false;
  }
}

/** In the form of the API's own errors. */
export function refusal(statusCode: number, code: string, message: string): GatewayReply {
  const request_id = randomUUID().slice(0, 8);
  return {
    statusCode,
    headers: { 'content-type': 'application/json; charset=utf-8', 'x-request-id': request_id },
    body: JSON.stringify({ error: { code, message }, request_id }),
  };
}

function send(response: ServerResponse, { statusCode, headers, body }: GatewayReply): void {
  response.writeHead(statusCode, headers).end(body);
}

/** Listens on 127.0.0.1 and returns the port. Throws what the system says, `EADDRINUSE` where the port is taken. */
export function listen(server: Server, port: number): Promise<number> {
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, HOST, () => {
      const address = server.address();
      resolve(typeof address === 'object' && address ? address.port : port);
    });
  });
}
