import { Buffer } from 'node:buffer';
import * as z from 'zod';
import { InvalidInput } from '#lib/core/errors.ts';
import { decodeUtf8 } from '#lib/core/names.ts';
import { TooLarge } from '#lib/runtime/errors.ts';

/** What is read of an HTTP API event, payload format 2.0; the rest of it is AWS's. */
export const GatewayEvent = z.looseObject({
  rawPath: z.string(),
  rawQueryString: z.string().default(''),
  headers: z.record(z.string(), z.string().optional()).default({}),
  body: z.string().nullish(),
  isBase64Encoded: z.boolean().default(false),
  requestContext: z.looseObject({
    http: z.looseObject({ method: z.string() }),
    requestId: z.string().optional(),
    stage: z.string().optional(),
    authorizer: z
      .looseObject({
        iam: z.looseObject({ userArn: z.string().nullish() }).nullish(),
        jwt: z.looseObject({ claims: z.record(z.string(), z.unknown()).default({}) }).nullish(),
      })
      .nullish(),
  }),
});
export type GatewayEvent = z.infer<typeof GatewayEvent>;

export interface GatewayReply {
  statusCode: number;
  headers: Record<string, string>;
  body: string;
}

const JSON_TYPE = 'application/json; charset=utf-8';

export const jsonReply = (
  statusCode: number,
  value: unknown,
  headers: Record<string, string> = {},
): GatewayReply => ({
  statusCode,
  headers: { 'content-type': JSON_TYPE, ...headers },
  body: JSON.stringify(value),
});

export const textReply = (statusCode: number, type: string, body: string): GatewayReply => ({
  statusCode,
  headers: { 'content-type': `${type}; charset=utf-8` },
  body,
});

/** The path without the stage that API Gateway puts before it, and without a slash at its end. */
export function pathOf({ rawPath, requestContext: { stage } }: GatewayEvent): string {
  const prefix = `/${stage}/`;
  const staged = stage !== undefined && stage !== '$default' && rawPath.startsWith(prefix);
  return staged ? rawPath.slice(prefix.length - 1) : rawPath;
}

/** A header's value; API Gateway gives names in lower case, other servers as they came. */
export function headerOf({ headers }: GatewayEvent, name: string): string | undefined {
  return Object.entries(headers).find(([key]) => key.toLowerCase() === name)?.[1];
}

/** The body as text. Throws `TooLarge`, and `InvalidInput` where it is not UTF-8. */
export function bodyText({ body, isBase64Encoded }: GatewayEvent, limit_bytes: number): string {
  if (body === undefined || body === null) return '';
  // A character has at least one byte, and a base64 digit stands for three quarters of one.
  const least = isBase64Encoded ? (body.length * 3) / 4 - 2 : body.length;
  const bytes = least > limit_bytes ? undefined : Buffer.from(body, isBase64Encoded ? 'base64' : 'utf8');
  if (bytes === undefined || bytes.length > limit_bytes)
    throw new TooLarge('body', `body: larger than ${limit_bytes} bytes`);
  const text = isBase64Encoded ? decodeUtf8(bytes) : body;
  if (text === undefined) throw new InvalidInput('body', 'body: not UTF-8');
  return text.replace(/^\uFEFF/, '');
}

/**
 * The query's values by name, in order. Read from the raw string: in the parsed one API Gateway joins repeated values by
 * commas. Throws `InvalidInput` at a percent-encoding that is not UTF-8.
 */
export function queryOf({ rawQueryString }: GatewayEvent): Map<string, string[]> {
  const query = new Map<string, string[]>();
  for (const pair of rawQueryString.split('&').filter((each) => each !== '')) {
    const equals = pair.indexOf('=');
    const name = decodedQuery(equals < 0 ? pair : pair.slice(0, equals));
    const value = decodedQuery(equals < 0 ? '' : pair.slice(equals + 1));
    if (name === undefined || value === undefined)
      throw new InvalidInput('query', 'query: its percent-encoding is not UTF-8');
    const values = query.get(name);
    if (values) values.push(value);
    else query.set(name, [value]);
  }
  return query;
}

const decodedQuery = (text: string): string | undefined => decoded(text.replaceAll('+', ' '));

/** Percent-decoded once; `undefined` where that gives no UTF-8. */
export function decoded(text: string): string | undefined {
  try {
    const plain = decodeURIComponent(text);
    return plain.isWellFormed() ? plain : undefined;
  } catch {
    return undefined;
  }
}
