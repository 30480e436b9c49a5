import { InvalidInput, KnowHubError, NotFound } from '#lib/core/errors.ts';
import { parseJson } from '#lib/core/json-input.ts';
import { isBlank } from '#lib/core/names.ts';
import { type Auth, callerOf } from '#lib/runtime/caller.ts';
import { errorReply, MethodNotAllowed } from '#lib/runtime/errors.ts';
import {
  bodyText,
  decoded,
  GatewayEvent,
  type GatewayReply,
  jsonReply,
  pathOf,
  queryOf,
  textReply,
} from '#lib/runtime/http.ts';
import { type RuntimeLog, withLogFields } from '#lib/runtime/logger.ts';
import type { Meter } from '#lib/runtime/metrics.ts';
import type { RawInput, Route } from '#lib/runtime/route.ts';
import type { Instance } from '#lib/usecases/instance.ts';

export interface RouterOptions {
  routes: readonly Route[];
  auth: Auth;
  /**
   * How `rawPath` comes: API Gateway's HTTP APIs decode it, function URLs and plain servers do not. Decoding twice would
   * make another name of `100%25.md`.
   */
  path_encoding: 'decoded' | 'encoded';
  log: RuntimeLog;
  meter: Meter;
}

export type Router = (event: unknown) => Promise<GatewayReply>;

const BODY_LIMIT_BYTES = 256 * 1024;
const LISTS: Readonly<Record<string, 'commas' | 'repeated'>> = {
  scopes: 'commas',
  types: 'commas',
  tags: 'repeated',
};

/** Answers an HTTP API event by the route table; whatever is thrown becomes a JSON error (spec, section 7). */
export function createRouter(instance: Instance, options: RouterOptions): Router {
  const { log, meter } = options;
  return async (input) => {
    let request_id = instance.random.hex(8);
    try {
      const event = GatewayEvent.parse(input);
      const found = findRoute(options, event);
      const raw = { ...rawInput(found.route, event), params: found.params, request_id };
      request_id = raw.request_id = statedRequestId(found.route, raw.body) ?? request_id;
      const fields = { request_id, gateway_request_id: event.requestContext.requestId };
      return await withLogFields(fields, () => answer(instance, options, found.route, event, raw));
    } catch (error) {
      const reply = errorReply(error, request_id);
      meter('HttpErrors', 1, reply.status < 500 ? '4xx' : '5xx');
      report(log, error, { request_id, status: reply.status });
      return jsonReply(reply.status, reply.body, { 'x-request-id': request_id, ...reply.headers });
    }
  };
}

async function answer(
  instance: Instance,
  { auth, meter }: RouterOptions,
  route: Route,
  event: GatewayEvent,
  raw: RawInput,
): Promise<GatewayReply> {
  const { scopes, ...query } = raw.query;
  const in_query = route.caller_scopes === 'query';
  const stated = in_query
    ? scopes
    : route.caller_scopes === 'body'
      ? memberOf(raw.body, 'scopes')
      : undefined;
  const caller = callerOf(event, auth, stated);
  const input = in_query ? { ...raw, query } : raw;
  const [unknown] = Object.keys(input.query);
  if (!route.query && unknown !== undefined) throw new InvalidInput(unknown, `unknown field "${unknown}"`);
  if (route.exchange) {
    const reply = await route.exchange(caller, event, raw.request_id);
    return { ...reply, headers: { ...reply.headers, 'x-request-id': raw.request_id } };
  }
  const output = await route.answer(instance, meter)(caller, input);
  const status = route.also?.when(output) ? route.also.status : route.status;
  const reply =
    route.media !== undefined && typeof output === 'string'
      ? textReply(status, route.media, output)
      : output === undefined
        ? { statusCode: status, headers: {}, body: '' }
        : jsonReply(status, output);
  return { ...reply, headers: { ...reply.headers, 'x-request-id': raw.request_id } };
}

/** The caller's faults are told to the caller; what is ours is told to us, with its stack. */
export function report(log: RuntimeLog, error: unknown, fields: Record<string, unknown>): void {
  if (!(error instanceof KnowHubError)) log.error('request failed', fields, error);
  else if (error.retryable) log.warn('request failed', { ...fields, code: error.code, why: error.message });
  else log.info('request refused', { ...fields, code: error.code, why: error.message });
}

function rawInput(route: Route, event: GatewayEvent): Pick<RawInput, 'query' | 'body'> {
  const query = Object.fromEntries(
    [...queryOf(event)].map(([name, values]) => [name, queryValue(name, values)]),
  );
  if (!route.body || route.exchange) return { query, body: undefined };
  const text = bodyText(event, route.body_limit_bytes ?? BODY_LIMIT_BYTES);
  if (route.body_format === 'lines') return { query, body: text };
  // Who sends nothing states nothing: what is missing is then named.
  return { query, body: isBlank(text) ? {} : parseJson(text) };
}

function queryValue(name: string, values: string[]): string | string[] {
  const list = Object.hasOwn(LISTS, name) ? LISTS[name] : undefined;
  if (list === 'commas') return values.flatMap((value) => value.split(',').map((each) => each.trim()));
  if (list === 'repeated') return values;
  if (values.length > 1) throw new InvalidInput(name, `${name}: given more than once`);
  return values[0]!;
}

/** A lookup that names its request is found under that name, in the log too (R6.1). */
function statedRequestId(route: Route, body: unknown): string | undefined {
  const stated = route.caller_scopes === 'body' ? memberOf(body, 'request_id') : undefined;
  return typeof stated === 'string' && /^[\w.:-]{1,64}$/.test(stated) ? stated : undefined;
}

const memberOf = (value: unknown, name: string): unknown =>
  typeof value === 'object' && value !== null && Object.hasOwn(value, name)
    ? Reflect.get(value, name)
    : undefined;

/** The first route of the table that fits. Throws `NotFound`, `MethodNotAllowed`, `InvalidInput`. */
function findRoute({ routes, path_encoding }: RouterOptions, event: GatewayEvent) {
  const path = pathOf(event);
  const { method } = event.requestContext.http;
  const fitting = routes.flatMap((route) => {
    const params = matchPath(route.path, path);
    return params ? [{ route, params }] : [];
  });
  const found = fitting.find(({ route }) => route.method === method);
  if (found) return { route: found.route, params: plainParams(found.params, path_encoding) };
  if (fitting.length === 0) throw new NotFound('no such route');
  throw new MethodNotAllowed(method, [...new Set(fitting.map(({ route }) => route.method))].sort());
}

/** What the path's variables stand for; `undefined` where the path does not fit. */
export function matchPath(template: string, path: string): Record<string, string> | undefined {
  const wanted = template.split('/');
  const given = path.split('/');
  const params: Record<string, string> = {};
  for (const [at, part] of wanted.entries()) {
    const variable = /^\{(\w+)(\+?)\}$/.exec(part);
    const value = variable?.[2] === '+' ? given.slice(at).join('/') : given[at];
    if (value === undefined || (variable ? value === '' : value !== part)) return undefined;
    if (!variable) continue;
    params[variable[1]!] = value;
    if (variable[2] === '+') return params;
  }
  return given.length === wanted.length ? params : undefined;
}

function plainParams(params: Record<string, string>, encoding: RouterOptions['path_encoding']) {
  if (encoding === 'decoded') return params;
  return Object.fromEntries(
    Object.entries(params).map(([name, value]) => {
      const plain = decoded(value);
      if (plain === undefined) throw new InvalidInput(name, `${name}: its percent-encoding is not UTF-8`);
      return [name, plain];
    }),
  );
}
