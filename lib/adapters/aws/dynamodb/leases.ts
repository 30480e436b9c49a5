import { attribute, type Expression, expression } from '#lib/adapters/aws/dynamodb/expressions.ts';
import type { Claim } from '#lib/core/item.ts';

/** Nobody holds `name`, or it has expired, or it is the taker's own, whose answer was lost. */
export const isFree = (
  name: string,
  { token }: Claim,
  expired_before: number,
  not_after: number,
): Expression => {
  const at = attribute(name, 'at');
  return expression`(attribute_not_exists(${attribute(name)}) OR ${at} < ${expired_before} OR ${at} > ${not_after} OR ${isHeld(name, token)})`;
};

export const isHeld = (name: string, token: string): Expression =>
  expression`${attribute(name, 'token')} = ${token}`;
