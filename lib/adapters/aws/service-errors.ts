import { Unclear } from '#lib/core/errors.ts';

/** A hot DynamoDB partition is `ProvisionedThroughputExceeded`, with a 400. */
const THROTTLED =
  /throttl|slow ?down|too ?many ?requests|limit ?exceeded|throughput ?exceeded|request ?timeout/i;

/** Node's names for a connection that was refused, cut or never answered, a reply's stream included. */
const NO_CONNECTION =
  /^(E[A-Z_]*(CONN|PIPE|TIMEDOUT|NOTFOUND|AI_AGAIN|HOST|NET)[A-Z]*|ERR_(STREAM|HTTP2)_\w+|UND_ERR_\w+)$/;

/** The HTTP status that a service answered with; `undefined` when none came. */
export function statusOf(error: unknown): number | undefined {
  const metadata = property(error, '$metadata');
  const status = property(metadata, 'httpStatusCode');
  return typeof status === 'number' ? status : undefined;
}

/** Whether the call may or may not have happened: no answer, half of one, a 5xx, or a service that asks to come again. */
export function isUnclear(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  const status = statusOf(error);
  // A success that cannot be read: the reply was cut, or came from a proxy.
  if (status !== undefined && (status >= 500 || status === 429 || status === 408 || status < 300))
    return true;
  if (THROTTLED.test(error.name) || /^(Abort|Timeout)Error$/.test(error.name)) return true;
  const code = property(error, 'code');
  return typeof code === 'string' && NO_CONNECTION.test(code);
}

/** Makes a call to a service; what may or may not have happened is thrown as `Unclear`, everything else as it came. */
export async function called<Answer>(what: string, call: () => Promise<Answer>): Promise<Answer> {
  try {
    return await call();
  } catch (error) {
    if (isUnclear(error)) throw new Unclear(`${what}: ${(error as Error).message}`, error);
    throw error;
  }
}

function property(value: unknown, name: string): unknown {
  return typeof value === 'object' && value !== null ? Reflect.get(value, name) : undefined;
}
