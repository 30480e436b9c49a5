import type { Auth } from '#lib/runtime/caller.ts';
import type { RuntimeLog } from '#lib/runtime/logger.ts';
import { createRouter } from '#lib/runtime/router.ts';
import { ROUTES } from '#lib/runtime/routes.ts';
import type { Instance } from '#lib/usecases/instance.ts';

/** A request as a client states it; the path comes percent-encoded, the query without its `?`. */
export interface Request {
  query?: string;
  /** A text goes as it is, everything else as JSON. */
  body?: unknown;
  headers?: Record<string, string>;
  /** Claims of the token, under JWT. */
  claims?: Record<string, unknown>;
  /** Who signed, under IAM; `null` = nobody. */
  arn?: string | null;
}

export const ARN = 'arn:aws:iam::111122223333:role/agents';

/** The request as API Gateway hands it to a function (payload format 2.0): the path decoded, the query as it came. */
export function gatewayEvent(method: string, path: string, request: Request = {}): Record<string, unknown> {
  const { query = '', body, headers = {}, claims, arn = ARN } = request;
  const authorizer = claims ? { jwt: { claims, scopes: null } } : arn ? { iam: { userArn: arn } } : undefined;
  return {
    version: '2.0',
    routeKey: '$default',
    rawPath: path,
    rawQueryString: query,
    headers: { 'content-type': 'application/json', ...headers },
    isBase64Encoded: false,
    ...(body !== undefined && { body: typeof body === 'string' ? body : JSON.stringify(body) }),
    requestContext: {
      accountId: '111122223333',
      requestId: 'gateway-request',
      stage: '$default',
      http: { method, path, protocol: 'HTTP/1.1', sourceIp: '192.0.2.1', userAgent: 'test' },
      ...(authorizer && { authorizer }),
    },
  };
}

export interface Answer {
  status: number;
  headers: Record<string, string>;
  /** Parsed where it is JSON. */
  body: unknown;
  text: string;
}

export interface Api {
  call(method: string, path: string, request?: Request): Promise<Answer>;
  send(event: unknown): Promise<Answer>;
  /** What the runtime logged as its own fault. */
  faults: unknown[];
  /** Metrics in order: name, value, dimension. */
  metered: [string, number, string | undefined][];
}

/** The API of one running function, answered through the router. */
export function apiOf(
  instance: Instance,
  options: { auth?: Auth; path_encoding?: 'decoded' | 'encoded' } = {},
): Api {
  const faults: unknown[] = [];
  const metered: Api['metered'] = [];
  const silent = () => undefined;
  const log: RuntimeLog = {
    debug: silent,
    info: silent,
    warn: silent,
    error: (_, __, error) => faults.push(error),
  };
  const router = createRouter(instance, {
    routes: ROUTES,
    auth: options.auth ?? { mode: 'iam' },
    path_encoding: options.path_encoding ?? 'encoded',
    log,
    meter: (name, value, by) => {
      metered.push([name, value, by]);
    },
  });
  const send = async (event: unknown): Promise<Answer> => {
    const { statusCode, headers, body } = await router(event);
    const json = headers['content-type']?.startsWith('application/json');
    return { status: statusCode, headers, body: json ? JSON.parse(body) : body, text: body };
  };
  return {
    send,
    call: (method, path, request) => send(gatewayEvent(method, path, request)),
    faults,
    metered,
  };
}
