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
  if (isBlank(request.query)) throw new InvalidInput('query', 'query is blank');
  if (!request.query.isWellFormed()) throw new InvalidInput('query', 'query holds half a character');
  if (request.domain === undefined) return request;
  return { ...request, domain: categoryName(request.domain, 'domain') };
}
