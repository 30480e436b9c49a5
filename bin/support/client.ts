import { setTimeout as pause } from 'node:timers/promises';
import * as z from 'zod';
import { KnowHubError } from '#lib/core/errors.ts';
import type { Signer } from './sign.ts';

/** What the server said no to, in its own words. */
export class ApiFault extends KnowHubError {
  readonly status: number;
  readonly request_id: string | undefined;
  constructor(status: number, code: string, message: string, told: { field?: string; request_id?: string }) {
    super(code, message, told.field === undefined ? {} : { field: told.field });
    this.status = status;
    this.request_id = told.request_id;
  }
}

/** Nobody answers. `ever`: somebody did before. */
export class Unreachable extends KnowHubError {
  readonly ever: boolean;
  constructor(url: string, why: string, ever: boolean) {
    super('unreachable', `nobody answers at ${url} (${why})`);
    this.ever = ever;
  }
}

export interface ApiCall {
  method: 'GET' | 'POST' | 'DELETE';
  /** Percent-encoded; see `segment`. */
  path: string;
  query?: Readonly<Record<string, string>>;
  /** Sent as JSON. */
  body?: unknown;
}

/** `unsure`: an earlier try may have been carried out although its answer was lost. */
export interface Answer {
  text: string;
  unsure: boolean;
}

/** The API over HTTP. Every call is safe to repeat, and is repeated while what failed may pass. Throws `ApiFault`, `Unreachable`. */
export interface Client {
  readonly url: string;
  send(call: ApiCall): Promise<Answer>;
  /** The answer's JSON: what the schema reads of it, and all of it. */
  json<Reply>(
    call: ApiCall,
    schema: z.ZodType<Reply>,
  ): Promise<{ reply: Reply; whole: unknown; unsure: boolean }>;
  /** Posts a presigned form: the fields in their order, then the file. */
  form(url: string, fields: Readonly<Record<string, string>>, file: string): Promise<void>;
}

export interface ClientOptions {
  url: string;
  scopes?: readonly string[];
  sign?: Signer | undefined;
  /** Ends everything; what it was aborted with is thrown. */
  signal?: AbortSignal;
  tries?: number;
  /** Before the second try; doubled for each one more. */
  pause_ms?: number;
  /** For one try, its answer included. */
  timeout_ms?: number;
}

const MOST_PAUSE_MS = 5000;
/** API Gateway ends a call after 30 s. */
export const TIMEOUT_MS = 35_000;

export function createClient(options: ClientOptions): Client {
  const { url, sign, signal, tries = 5, pause_ms = 250, timeout_ms = TIMEOUT_MS } = options;
  const scopes: Record<string, string> = options.scopes?.length
    ? { 'x-knowhub-scopes': options.scopes.join(',') }
    : {};
  let ever = false;

  async function send(make: () => Promise<{ url: URL; init: RequestInit }>): Promise<Answer> {
    let unsure = false;
    for (let tried = 1; ; tried += 1) {
      const outcome = await attempt(await make());
      if ('status' in outcome) ever = true;
      if ('status' in outcome && !PASSING_STATUS.has(outcome.status)) {
        if (outcome.status >= 200 && outcome.status < 300) return { text: outcome.text, unsure };
        throw faultOf(outcome.status, outcome.text);
      }
      const again = 'status' in outcome || isPassing(outcome.broken, ever);
      if (tried === tries || !again) {
        if ('status' in outcome) throw faultOf(outcome.status, outcome.text);
        throw new Unreachable(url, outcome.broken, ever);
      }
      unsure ||= 'status' in outcome ? outcome.status !== TOO_MANY : outcome.broken !== 'ECONNREFUSED';
      await pause(pauseBefore(tried, 'status' in outcome ? outcome.retry_after_s : 0, pause_ms), undefined, {
        ...(signal && { signal }),
      }).catch(() => signal?.throwIfAborted());
    }
  }

  async function attempt(request: {
    url: URL;
    init: RequestInit;
  }): Promise<{ status: number; text: string; retry_after_s: number } | { broken: string }> {
    const late = AbortSignal.timeout(timeout_ms);
    try {
      const response = await fetch(request.url, {
        ...request.init,
        redirect: 'manual',
        signal: signal ? AbortSignal.any([signal, late]) : late,
      });
      const retry_after_s = Number(response.headers.get('retry-after') ?? 0) || 0;
      return { status: response.status, text: await response.text(), retry_after_s };
    } catch (error) {
      signal?.throwIfAborted();
      return { broken: late.aborted ? LATE : causeOf(error) };
    }
  }

  const client: Client = {
    url,
    send: ({ method, path, query = {}, body }) =>
      send(async () => {
        const target = new URL(url + path + queryText(query));
        const text = body === undefined ? undefined : JSON.stringify(body);
        const headers = { ...scopes, ...(text !== undefined && { 'content-type': 'application/json' }) };
        const signed = sign ? await sign({ method, url: target, headers, body: text }) : headers;
        return { url: target, init: { method, headers: signed, ...(text !== undefined && { body: text }) } };
      }),
    async json(call, schema) {
      const { text, unsure } = await client.send(call);
      const whole = jsonOf(text);
      const reply = schema.safeParse(whole);
      if (reply.success) return { reply: reply.data, whole, unsure };
      const at = reply.error.issues[0]?.path.join('.') ?? '';
      const what = `${call.method} ${call.path} is not answered as KnowHub would${at && `: ${at}`}`;
      throw new KnowHubError('strange_answer', `${what}; is it KnowHub that answers at ${url}?`);
    },
    async form(target, fields, file) {
      await send(async () => {
        const form = new FormData();
        for (const [name, value] of Object.entries(fields)) form.append(name, value);
        form.append('file', new Blob([file]));
        return { url: new URL(target), init: { method: 'POST', body: form } };
      });
    },
  };
  return client;
}

const TOO_MANY = 429;
export const PASSING_STATUS: ReadonlySet<number> = new Set([TOO_MANY, 502, 503, 504]);

const LATE = 'no answer in time';
const PASSING_CAUSE: ReadonlySet<string> = new Set([
  LATE,
  'ECONNRESET',
  'EPIPE',
  'ETIMEDOUT',
  'EAI_AGAIN',
  'UND_ERR_SOCKET',
  'UND_ERR_CONNECT_TIMEOUT',
]);

/** A server that never answered is not there; one that did may be starting again. */
const isPassing = (cause: string, ever: boolean): boolean =>
  PASSING_CAUSE.has(cause) || (cause === 'ECONNREFUSED' && ever);

/** `fetch` says only that it failed; why lies below. */
export function causeOf(error: unknown): string {
  const cause = error instanceof Error ? (error.cause ?? error) : error;
  if (!(cause instanceof Error)) return String(cause);
  return 'code' in cause && typeof cause.code === 'string' ? cause.code : cause.message;
}

export function pauseBefore(tried: number, retry_after_s: number, pause_ms: number): number {
  const longest = pause_ms * 2 ** (tried - 1);
  return Math.min(MOST_PAUSE_MS, Math.max(longest * (0.5 + Math.random() / 2), retry_after_s * 1000));
}

/** API Gateway has errors of its own, without a code; those of MCP have a number. */
const Fault = z.union([
  z.object({
    error: z.object({ code: z.coerce.string(), message: z.string(), field: z.string().optional() }),
    request_id: z.string().optional(),
  }),
  z.object({ message: z.string() }),
]);

export function faultOf(status: number, text: string): ApiFault {
  const fault = Fault.safeParse(jsonOf(text));
  const code = `http_${status}`;
  if (!fault.success) return new ApiFault(status, code, `the server answered with HTTP ${status}`, {});
  if ('message' in fault.data) return new ApiFault(status, code, fault.data.message, {});
  const { error, request_id } = fault.data;
  return new ApiFault(status, error.code, error.message, {
    ...(error.field !== undefined && { field: error.field }),
    ...(request_id !== undefined && { request_id }),
  });
}

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** One segment of a path or one value of a query. SigV4 wants more encoded than URLs do. */
export const segment = (text: string): string =>
  encodeURIComponent(text).replace(/[!'()*]/g, (sign) => `%${sign.charCodeAt(0).toString(16).toUpperCase()}`);

function queryText(query: Readonly<Record<string, string>>): string {
  const pairs = Object.entries(query).map(([name, value]) => `${segment(name)}=${segment(value)}`);
  return pairs.length === 0 ? '' : `?${pairs.join('&')}`;
}
