import type * as z from 'zod';
import { InvalidInput } from '#lib/core/errors.ts';

/** The parsed value, or an `InvalidInput` that names the field at fault (R3.7). */
export function parseInput<Output>(schema: z.ZodType<Output>, input: unknown): Output {
  const parsed = schema.safeParse(input, { error: plainWords });
  if (parsed.success) return parsed.data;
  const issue = parsed.error.issues[0]!;
  const field = issue.code === 'unrecognized_keys' ? issue.keys[0]! : issue.path.join('.') || 'body';
  throw new InvalidInput(
    field,
    issue.code === 'unrecognized_keys' ? `unknown field "${field}"` : `${field}: ${issue.message}`,
  );
}

const TYPES: Readonly<Record<string, string>> = {
  string: 'a text',
  number: 'a number',
  int: 'a whole number',
  boolean: 'true or false',
  array: 'a list',
  object: 'an object',
};
const UNITS: Readonly<Record<string, string>> = { string: ' characters', array: ' entries' };

/** What is wrong, in words for whoever wrote the input; `undefined` leaves it to the schema. */
function plainWords(issue: z.core.$ZodRawIssue): string | undefined {
  if (issue.code === 'invalid_type') {
    const wanted = TYPES[issue.expected] ?? issue.expected;
    return issue.input === undefined ? `is missing; it must be ${wanted}` : `must be ${wanted}`;
  }
  if (issue.code === 'invalid_value') return `must be one of ${issue.values.join(', ')}`;
  if (issue.code === 'too_big') {
    const unit = UNITS[issue.origin] ?? '';
    return `must ${unit === '' ? 'be' : 'have'} at most ${issue.maximum}${unit}`;
  }
  if (issue.code === 'too_small') {
    const unit = UNITS[issue.origin] ?? '';
    if (unit !== '' && issue.minimum === 1) return 'must not be empty';
    return `must ${unit === '' ? 'be' : 'have'} at least ${issue.minimum}${unit}`;
  }
  return undefined;
}
