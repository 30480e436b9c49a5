import type * as z from 'zod';
import { InvalidInput } from '#lib/core/errors.ts';

/** The parsed value, or an `InvalidInput` that names the field at fault (R3.7). */
export function parseInput<Output>(schema: z.ZodType<Output>, input: unknown): Output {
  const parsed = schema.safeParse(input);
  if (parsed.success) return parsed.data;
  const issue = parsed.error.issues[0]!;
  const field = issue.code === 'unrecognized_keys' ? issue.keys[0]! : issue.path.join('.') || 'body';
  throw new InvalidInput(
    field,
    issue.code === 'unrecognized_keys' ? `unknown field "${field}"` : `${field}: ${issue.message}`,
  );
}
