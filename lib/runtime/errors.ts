import * as z from 'zod';
import { KnowHubError } from '#lib/core/errors.ts';

/** The body is larger than the route takes (413). */
export class TooLarge extends KnowHubError {
  constructor(field: string, message: string) {
    super('too_large', message, { field });
  }
}

/** The path is known, its method is not (405). */
export class MethodNotAllowed extends KnowHubError {
  readonly allowed: readonly string[];
  constructor(method: string, allowed: readonly string[]) {
    super('method_not_allowed', `${method} is not allowed here; allowed: ${allowed.join(', ')}`);
    this.allowed = allowed;
  }
}

/** The authoriser named nobody (401). */
export class Unauthenticated extends KnowHubError {
  constructor(message: string) {
    super('unauthenticated', message);
  }
}

/** How a fault looks from outside (spec, section 7): JSON, and never a stack trace. */
export const ErrorBody = z.strictObject({
  error: z.strictObject({ code: z.string(), message: z.string(), field: z.string().optional() }),
  request_id: z.string(),
});
export type ErrorBody = z.infer<typeof ErrorBody>;

interface Answer {
  status: number;
  /** In place of the error's own message, which may name what is no caller's business. */
  message?: string;
}

/** The one table from an error's code to HTTP. What is not in it is a fault of ours: 500. */
export const ERROR_ANSWERS: Readonly<Record<string, Answer>> = {
  invalid_input: { status: 400 },
  unauthenticated: { status: 401 },
  not_found: { status: 404 },
  method_not_allowed: { status: 405 },
  conflict: { status: 409 },
  too_large: { status: 413 },
  unclear: {
    status: 503,
    message: 'A store gave no clear answer: it may have been done, or not. The call may be repeated.',
  },
  partial: { status: 503, message: 'A store gave only part of its answer. The call may be repeated.' },
  not_prepared: { status: 503, message: 'The deployment is a minute old, and not ready yet.' },
  index_unavailable: {
    status: 503,
    message:
      'The search index is out of reach: search by meaning and admissions wait, keyword lookups go on.',
  },
  model_unavailable: {
    status: 503,
    message: 'The model is out of reach: what needs it waits, uploads and keyword lookups go on.',
  },
};
export const INTERNAL = {
  code: 'internal',
  status: 500,
  message: 'A fault of ours; it was logged.',
} as const;

/** Seconds after which a call that failed for a passing reason may be repeated. */
const RETRY_AFTER_S = 5;

export interface ErrorReply {
  status: number;
  headers: Record<string, string>;
  body: ErrorBody;
}

/** The reply to a call that threw. */
export function errorReply(error: unknown, request_id: string): ErrorReply {
  const known =
    error instanceof KnowHubError && Object.hasOwn(ERROR_ANSWERS, error.code)
      ? ERROR_ANSWERS[error.code]
      : undefined;
  if (!known || !(error instanceof KnowHubError)) {
    const { code, message, status } = INTERNAL;
    return { status, headers: {}, body: { error: { code, message }, request_id } };
  }
  const { code, field } = error;
  const message = known.message ?? error.message;
  return {
    status: known.status,
    headers: {
      ...(known.status === 503 && { 'retry-after': String(RETRY_AFTER_S) }),
      ...(error instanceof MethodNotAllowed && { allow: error.allowed.join(', ') }),
    },
    body: { error: { code, message, ...(field !== undefined && { field }) }, request_id },
  };
}
