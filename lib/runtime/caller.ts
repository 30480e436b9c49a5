import * as z from 'zod';
import type { Caller } from '#lib/core/caller.ts';
import { InvalidInput } from '#lib/core/errors.ts';
import { Unauthenticated } from '#lib/runtime/errors.ts';
import { type GatewayEvent, headerOf } from '#lib/runtime/http.ts';

/** Who vouches for the caller: AWS signatures, a token, or nobody (the local run, on 127.0.0.1 only). */
export type Auth = { mode: 'iam' } | { mode: 'jwt'; scopes_claim: string } | { mode: 'none' };

export const SCOPES_HEADER = 'x-knowhub-scopes';

export const Scopes = z.array(z.string().min(1).max(128)).max(50);

/** Everybody is this one where nobody vouches. */
const LOCAL = 'local';

/**
 * The caller of a request (R6.7, R6.8). Under IAM and locally the request states the scopes: `stated` by its query or
 * body, else the header. Under JWT they come from the token alone, whatever the request says. Throws `Unauthenticated`,
 * and `InvalidInput` at scopes that are none.
 */
export function callerOf(event: GatewayEvent, auth: Auth, stated: unknown): Caller {
  const { authorizer } = event.requestContext;
  if (auth.mode === 'jwt') {
    const claims = authorizer?.jwt?.claims ?? {};
    return { principal: tokenPrincipal(claims), scopes: words(claims[auth.scopes_claim]) };
  }
  const principal = auth.mode === 'none' ? LOCAL : authorizer?.iam?.userArn;
  if (!principal) throw new Unauthenticated('the request is not signed');
  return { principal, scopes: statedScopes(event, stated) };
}

function statedScopes(event: GatewayEvent, stated: unknown): string[] {
  const header = headerOf(event, SCOPES_HEADER);
  const [field, value] = stated === undefined ? [SCOPES_HEADER, commaSeparated(header)] : ['scopes', stated];
  const scopes = Scopes.safeParse(value);
  if (!scopes.success) throw new InvalidInput(field, `${field}: ${scopes.error.issues[0]!.message}`);
  return [...new Set(scopes.data)];
}

const commaSeparated = (text: string | undefined): string[] =>
  text === undefined || text.trim() === '' ? [] : text.split(',').map((scope) => scope.trim());

/** A subject is unique to its issuer only. */
function tokenPrincipal(claims: Record<string, unknown>): string {
  const { iss, sub, client_id } = claims;
  const subject = typeof sub === 'string' && sub !== '' ? sub : client_id;
  if (typeof subject !== 'string' || subject === '') throw new Unauthenticated('the token names no subject');
  return `${typeof iss === 'string' ? iss : ''}#${subject}`;
}

/** API Gateway hands a list in a claim over as text, `[a b]`; a `scope` claim is words by its own standard. */
function words(claim: unknown): string[] {
  if (Array.isArray(claim)) return claim.filter((each) => typeof each === 'string' && each !== '');
  if (typeof claim !== 'string') return [];
  const text = /^\[.*\]$/.test(claim) ? claim.slice(1, -1) : claim;
  return text.split(/[\s,]+/).filter((word) => word !== '');
}
