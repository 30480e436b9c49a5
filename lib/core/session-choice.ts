import * as z from 'zod';
import type { SessionRow } from '#lib/core/rows.ts';
import { isReturned, NO_DOMAIN, type SessionLimits, type UsedUp, usedUp } from '#lib/core/session.ts';

/** What the session rules read of a match. `keyword`: L0 found it. */
export interface Candidate {
  id: string;
  domain: string;
  keyword: boolean;
}

export const SuppressionReason = z.enum(['already_returned', 'domain_searched', 'domain_fruitless']);
export type SuppressionReason = z.infer<typeof SuppressionReason>;

export interface Suppressed<C> {
  match: C;
  reason: SuppressionReason;
}

/** What a call may hand over (R6.5, R6.6). `domain` is the one that the search belongs to. */
export type Choice<C> =
  | { outcome: 'found'; domain: string; documents: C[]; suppressed: Suppressed<C>[] }
  /** All that matched was handed over before: counts as fruitless. */
  | { outcome: 'nothing_new'; domain: string; suppressed: Suppressed<C>[] }
  | { outcome: 'nothing_found'; domain: string; suppressed: [] }
  | { outcome: 'stopped'; domain: string; cause: UsedUp; suppressed: Suppressed<C>[] };

/** What was held back is named up to this many; the rest is further down the ranking. */
const NAMED = 10;

/**
 * Chooses from what matched, best first. The search belongs to the domain asked for, else to that of the best match,
 * already returned ones included. Returned items and those of used-up domains are held back; if that takes the best
 * match away, the next best of its domain comes first, and of other domains only what L0 found: nothing far-off in its
 * place.
 */
export function choose<C extends Candidate>(
  matches: readonly C[],
  asked: string | undefined,
  row: SessionRow | undefined,
  limits: SessionLimits & { top_k: number },
): Choice<C> {
  const domain = asked ?? matches[0]?.domain ?? NO_DOMAIN;
  const fresh: C[] = [];
  const suppressed: Suppressed<C>[] = [];
  for (const match of matches) {
    const reason = reasonAgainst(match, row, limits);
    if (reason) suppressed.push({ match, reason });
    else fresh.push(match);
  }
  const cause = usedUp(row, domain, limits);
  if (cause) {
    const held = suppressed.filter(({ match }) => match.domain === domain);
    return { outcome: 'stopped', domain, cause, suppressed: held.slice(0, NAMED) };
  }
  if (matches.length === 0) return { outcome: 'nothing_found', domain, suppressed: [] };

  const first = fresh.find((match) => match.domain === domain);
  const rest = fresh.filter((match) => match !== first && (first !== undefined || match.keyword));
  const documents = (first ? [first, ...rest] : rest).slice(0, limits.top_k);
  const named = suppressed.slice(0, NAMED);
  if (documents.length === 0) return { outcome: 'nothing_new', domain, suppressed: named };
  return { outcome: 'found', domain, documents, suppressed: named };
}

/** Why this match is held back, if it is. */
function reasonAgainst(
  { id, domain }: Candidate,
  row: SessionRow | undefined,
  limits: SessionLimits,
): SuppressionReason | undefined {
  if (isReturned(row, id)) return 'already_returned';
  const cause = usedUp(row, domain, limits);
  return cause && REASONS[cause];
}

const REASONS = { searched: 'domain_searched', fruitless: 'domain_fruitless' } as const;
