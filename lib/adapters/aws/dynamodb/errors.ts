import { ConditionalCheckFailedException } from '@aws-sdk/client-dynamodb';
import { isUnclear } from '#lib/adapters/aws/service-errors.ts';
import { Unclear } from '#lib/core/errors.ts';

/** The condition of a write did not hold when DynamoDB looked. */
export const isRefusal = (error: unknown): boolean => error instanceof ConditionalCheckFailedException;

/** `Unclear` for what may have happened; anything else as it came: repeating a request that is wrong does not help. */
export const portError = (error: unknown, what: string): unknown =>
  isUnclear(error) ? new Unclear(`${what}: no clear answer from DynamoDB`, error) : error;

/** The row would grow beyond DynamoDB's 400 KB. */
export const isTooLarge = (error: unknown): boolean =>
  error instanceof Error && error.name === 'ValidationException' && /item size/i.test(error.message);
