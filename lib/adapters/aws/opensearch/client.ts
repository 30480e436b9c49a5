import type { Connection, ConnectionPool, Serializer, Transport } from '@opensearch-project/opensearch';
import connectionModule from '@opensearch-project/opensearch/lib/Connection.js';
import poolModule from '@opensearch-project/opensearch/lib/pool/index.js';
import serializerModule from '@opensearch-project/opensearch/lib/Serializer.js';
import transportModule from '@opensearch-project/opensearch/lib/Transport.js';

/** One HTTP call. `lines` is a body of newline-delimited JSON, each line without its end. */
export interface OpenSearchCall {
  method: 'GET' | 'HEAD' | 'POST' | 'PUT' | 'DELETE';
  path: string;
  query?: Record<string, string | number | boolean>;
  body?: object;
  lines?: readonly string[];
}

export interface OpenSearchAnswer {
  status: number;
  body: unknown;
}

/** Makes one call, once: nothing is retried here. Resolves with every status; throws `NoAnswer` when none came. */
export type OpenSearchConnection = (call: OpenSearchCall) => Promise<OpenSearchAnswer>;

/** No answer came. `sent: false` is sure that the engine never saw the call; otherwise it may have done it. */
export class NoAnswer extends Error {
  readonly sent: boolean;
  constructor(message: string, sent: boolean, cause?: unknown) {
    super(message, { cause });
    this.name = 'NoAnswer';
    this.sent = sent;
  }
}

export interface Credentials {
  accessKeyId: string;
  secretAccessKey: string;
  sessionToken?: string | undefined;
  expiration?: Date | undefined;
}

export interface ConnectionOptions {
  url: string;
  /** Calls are signed for it (SigV4); default: the region in an AWS domain's own name, else they are sent as they are. */
  region?: string;
  /** How long one call may take, its answer included. */
  timeout_ms?: number;
  /** For signing; default: the SDK's own chain. */
  credentials?: () => Promise<Credentials>;
}

// The package's root pulls in every API (280 kB bundled, 30 ms to import); its parts are exported one by one, but as
// CommonJS, which their types do not say.
const parts = {
  Transport: transportModule as unknown as typeof Transport,
  Connection: connectionModule as unknown as typeof Connection,
  Serializer: serializerModule as unknown as typeof Serializer,
  ConnectionPool: poolModule.ConnectionPool as typeof ConnectionPool,
};

/** `…eu-west-1.es.amazonaws.com` or, dual-stack, `….aos.eu-west-1.on.aws` → its region. */
export function regionOf(url: string): string | undefined {
  const { hostname } = new URL(url);
  const match = /\.([a-z0-9-]+)\.es\.amazonaws\.com(\.cn)?$|\.aos\.([a-z0-9-]+)\.on\.aws$/.exec(hostname);
  return match?.[1] ?? match?.[3];
}

/** Nothing is connected, loaded or read before the first call. */
export function createOpenSearchConnection(options: ConnectionOptions): OpenSearchConnection {
  const timeout_ms = options.timeout_ms ?? 10_000;
  let opened: Promise<Transport> | undefined;
  return async (call) => {
    opened ??= open(options, timeout_ms);
    const transport = await opened.catch((cause: unknown) => {
      opened = undefined;
      throw new NoAnswer(`no connection to the search engine: ${messageOf(cause)}`, false, cause);
    });
    const { method, path, query = {}, body, lines } = call;
    const request = transport.request({
      method,
      path,
      querystring: { ...query },
      ...(body && { body }),
      ...(lines && { bulkBody: `${lines.join('\n')}\n` }),
    });
    // The client's own time-out ends with the answer's first byte: a body that stalls would hang for ever.
    const deadline = setTimeout(() => request.abort(), timeout_ms);
    try {
      const answer = await request;
      return { status: answer.statusCode ?? 0, body: answer.body };
    } catch (error) {
      return answerOf(error, `${method} ${path}`);
    } finally {
      clearTimeout(deadline);
    }
  };
}

async function open(options: ConnectionOptions, timeout_ms: number): Promise<Transport> {
  const { url, region = regionOf(url), credentials } = options;
  const { Transport, Connection } = region === undefined ? parts : await signing(region, credentials);
  const emit = () => false;
  // One address stands for the whole cluster: it is never taken out of use, and never probed in between.
  const connectionPool = new parts.ConnectionPool({ Connection, emit, resurrectStrategy: 'none' });
  connectionPool.addConnection(url);
  return new Transport({
    emit,
    connectionPool,
    serializer: new parts.Serializer(),
    // The client retries 502 to 504 and broken connections at once, a create included: the callers retry, with pauses.
    maxRetries: 0,
    requestTimeout: timeout_ms,
    sniffEndpoint: '',
  });
}

async function signing(region: string, credentials: ConnectionOptions['credentials']) {
  const { AwsSigv4Signer } = await import('@opensearch-project/opensearch/aws-v3');
  return AwsSigv4Signer({ region, service: 'es', ...(credentials && { getCredentials: credentials }) });
}

/** The client throws for statuses too: those are answers. */
function answerOf(error: unknown, what: string): OpenSearchAnswer {
  if (error instanceof Error && error.name === 'ResponseError' && 'meta' in error) {
    const { statusCode, body } = error.meta as { statusCode: number; body: unknown };
    return { status: statusCode, body };
  }
  throw new NoAnswer(`${what}: ${messageOf(error)}`, !neverSent(error), error);
}

const SENT = ['ConnectionError', 'TimeoutError', 'RequestAbortedError', 'DeserializationError'];
const NO_CONNECTION = /ECONNREFUSED|ENOTFOUND|EAI_AGAIN|EHOSTUNREACH|ENETUNREACH/;

/** Refused connections, unknown hosts, missing credentials. */
const neverSent = (error: unknown): boolean =>
  error instanceof Error && (!SENT.includes(error.name) || NO_CONNECTION.test(error.message));

const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));
