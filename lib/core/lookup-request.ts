import * as z from 'zod';
import { InvalidInput } from '#lib/core/errors.ts';
import { categoryName, isBlank } from '#lib/core/names.ts';
import { parseInput } from '#lib/core/parse-input.ts';

/** Code points; a question, not a document. */
const LONGEST_QUERY = 4000;

/** Input of a lookup (R6.1). `scopes` is for the edge, which decides whose they are (R6.8): here the caller's count. */
export const LookupInput = z.strictObject({
  query: z.string().max(LONGEST_QUERY),
  session_id: z.string().min(1).max(256).optional(),
  domain: z.string().optional(),
  scopes: z.array(z.string().min(1).max(128)).max(50).optional(),
  request_id: z
    .string()
    .regex(/^[\w.:-]{1,64}$/)
    .optional(),
});
export type LookupInput = z.infer<typeof LookupInput>;

/** The checked request. Throws `InvalidInput` that names the field. */
export function parseLookup(input: unknown): LookupInput {
  const request = parseInput(LookupInput, input);
  checkQuestion(request.query, 'query');
  if (request.domain === undefined) return request;
  return { ...request, domain: categoryName(request.domain, 'domain') };
}

/** Throws `InvalidInput` where there is nothing to look for; `field`: what the caller calls the question. */
export function checkQuestion(question: string, field: string): void {
  if (isBlank(question)) throw new InvalidInput(field, `${field} is blank`);
  if (!question.isWellFormed()) throw new InvalidInput(field, `${field} holds half a character`);
}
