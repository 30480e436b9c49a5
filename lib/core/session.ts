import { sha256 } from '#lib/core/normalise.ts';
import type { SessionClaim, SessionRow } from '#lib/core/rows.ts';
import type { Settings } from '#lib/core/settings.ts';

/** Domain under which a fruitless search counts that neither named nor met one (R6.6). */
export const NO_DOMAIN = '*';

/** How many answers a session keeps for clients that repeat a call (R6.1). */
export const ANSWERS = 32;

export type SessionLimits = Pick<Settings, 'searches_per_domain' | 'fruitless_limit'>;

/** Why a domain gives nothing more in a session: searched with success, or too often without (R6.6). */
export type UsedUp = 'searched' | 'fruitless';

/** A session belongs to the caller that opened it: the same id of another principal is another key (R6.7). */
export const sessionKey = (principal: string, session_id: string): string =>
  sha256(JSON.stringify([principal, session_id]));

/** The row, unless it is past its time; `now` in epoch seconds (R6.7). */
export const currentSession = (row: SessionRow | undefined, now: number): SessionRow | undefined =>
  row !== undefined && row.expires_at > now ? row : undefined;

// A domain may be called `constructor`.
const countOf = (counts: Readonly<Record<string, number>>, domain: string): number =>
  Object.hasOwn(counts, domain) ? counts[domain]! : 0;

export function usedUp(
  row: SessionRow | undefined,
  domain: string,
  limits: SessionLimits,
): UsedUp | undefined {
  if (row === undefined) return undefined;
  if (countOf(row.searches, domain) >= limits.searches_per_domain) return 'searched';
  return countOf(row.fruitless, domain) >= limits.fruitless_limit ? 'fruitless' : undefined;
}

/** Domains that were searched with success, in the order of the first time. */
export const searchedDomains = (row: SessionRow | undefined): string[] => Object.keys(row?.searches ?? {});

export const isReturned = (row: SessionRow | undefined, id: string): boolean =>
  row?.returned.some((returned) => returned.id === id) ?? false;

/** The answer that this session has given to the request already, as stored. */
export const answerTo = (row: SessionRow | undefined, request_id: string): string | undefined =>
  row?.answers.find((answer) => answer.request_id === request_id)?.reply;

/**
 * Whether everything that the choice read still holds (protocol, "Sessions"); `row` is the unexpired one.
 * What an adapter must check in one conditional update.
 */
export function claimHolds(row: SessionRow | undefined, claim: SessionClaim): boolean {
  if (row === undefined) return true;
  return (
    answerTo(row, claim.request_id) === undefined &&
    !claim.returned.some(({ id }) => isReturned(row, id)) &&
    !claim.domains.some((domain) => countOf(row.searches, domain) >= claim.cap) &&
    !domainsOf(claim).some((domain) => countOf(row.fruitless, domain) >= claim.fruitless_limit)
  );
}

/** Domains that the claim's search belongs to or hands items of: none may be used up by fruitless searches. */
export function domainsOf({ success, fruitless, domains }: SessionClaim): string[] {
  const search = success ?? fruitless;
  return [...new Set(search === undefined ? domains : [search, ...domains])];
}

/** The row once the claim is in it. */
export function afterClaim(row: SessionRow | undefined, key: string, claim: SessionClaim): SessionRow {
  const before = row ?? { searches: {}, fruitless: {}, returned: [], answers: [] };
  return {
    key,
    searches: counted(before.searches, claim.success),
    fruitless: counted(before.fruitless, claim.fruitless),
    returned: [...before.returned, ...claim.returned],
    answers: [...before.answers, { request_id: claim.request_id, reply: claim.reply }].slice(-ANSWERS),
    expires_at: claim.expires_at,
  };
}

const counted = (counts: Readonly<Record<string, number>>, domain: string | undefined) =>
  domain === undefined ? { ...counts } : { ...counts, [domain]: countOf(counts, domain) + 1 };
