import { ConditionalCheckFailedException } from '@aws-sdk/client-dynamodb';
import { Unclear } from '#lib/core/errors.ts';

/** DynamoDB answers these with 400; the SDK has tried again by then. */
const PASSING: ReadonlySet<string> = new Set([
  'ProvisionedThroughputExceededException',
  'RequestLimitExceeded',
  'ThrottlingException',
  'ThrottledException',
  'LimitExceededException',
  'InternalServerError',
  'TransactionInProgressException',
]);

/** The condition of a write did not hold when DynamoDB looked. */
export const isRefusal = (error: unknown): boolean => error instanceof ConditionalCheckFailedException;

/**
 * `Unclear` for time-outs, network errors, 5xx and throttling; anything else as it came: a request that DynamoDB
 * refuses for good is our mistake, and repeating it does not help.
 */
export function portError(error: unknown, what: string): unknown {
  return isUnclear(error) ? new Unclear(`${what}: no clear answer from DynamoDB`, error) : error;
}

function isUnclear(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  if (PASSING.has(error.name) || error.name === 'TimeoutError' || error.name === 'AbortError') return true;
  const { $metadata, code } = error as { $metadata?: { httpStatusCode?: number }; code?: unknown };
  const status = $metadata?.httpStatusCode;
  // An error without a refusal's status came from an answer that was cut short.
  if (status !== undefined) return status < 400 || status >= 500;
  // ECONNRESET, EPIPE, ENOTFOUND and their like; ERR_… are Node's words for wrong arguments.
  return typeof code === 'string' && /^E(?!RR_)[A-Z_]+$/.test(code);
}
