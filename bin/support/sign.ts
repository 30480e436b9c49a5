import { KnowHubError } from '#lib/core/errors.ts';

/** A request before it is signed. */
export interface Unsigned {
  method: string;
  url: URL;
  headers: Readonly<Record<string, string>>;
  body?: string | undefined;
}

/** Returns the headers to send: those given, and the ones that say who asks. */
export type Signer = (request: Unsigned) => Promise<Record<string, string>>;

export interface Credentials {
  accessKeyId: string;
  secretAccessKey: string;
  sessionToken?: string | undefined;
}

/** Region of an API Gateway address, `{id}.execute-api.{region}.amazonaws.com`; `undefined` = it is none. */
export const regionOfHost = (hostname: string): string | undefined =>
  /\.execute-api\.([a-z0-9-]+)\.amazonaws\.com(\.cn)?$/.exec(hostname)?.[1];

/** Who asks, by what the server needs to be told; `undefined` = nothing. A token counts before a signature. */
export function signerFor({
  token,
  region,
}: {
  token: string | undefined;
  region: string | undefined;
}): Signer | undefined {
  if (token !== undefined) return async ({ headers }) => ({ ...headers, authorization: `Bearer ${token}` });
  return region === undefined ? undefined : createSigner(region);
}

/** Signs for API Gateway. Without credentials given: the SDK's own chain. Nothing is loaded before the first request. Throws `KnowHubError`. */
export function createSigner(region: string, credentials?: Credentials): Signer {
  let loaded: ReturnType<typeof load> | undefined;
  return async ({ method, url, headers, body }) => {
    const signer = await (loaded ??= load(region, credentials));
    const unsigned = {
      method,
      protocol: url.protocol,
      hostname: url.hostname,
      path: url.pathname,
      query: queryOf(url),
      headers: { ...headers, host: url.host },
      body: body ?? '',
    };
    const signed = await signer.sign(unsigned).catch((cause: unknown) => {
      const why = cause instanceof Error ? cause.message : String(cause);
      throw new KnowHubError('not_signed', `the call cannot be signed: ${why}`, { cause });
    });
    // `fetch` writes the same one, and lets nobody else do it.
    const { host: _, ...rest } = signed.headers;
    return rest;
  };
}

async function load(region: string, credentials: Credentials | undefined) {
  const [{ SignatureV4 }, { Sha256 }, { defaultProvider }] = await Promise.all([
    import('@smithy/signature-v4'),
    import('@smithy/core/checksum'),
    import('@aws-sdk/credential-provider-node'),
  ]);
  return new SignatureV4({
    service: 'execute-api',
    region,
    credentials: credentials ?? defaultProvider(),
    sha256: Sha256,
  });
}

function queryOf(url: URL): Record<string, string[]> {
  const query: Record<string, string[]> = {};
  for (const [name, value] of url.searchParams) (query[name] ??= []).push(value);
  return query;
}
