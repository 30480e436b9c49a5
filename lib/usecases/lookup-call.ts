import { isLiveState } from '#lib/core/fold-state.ts';
import { hasWanted } from '#lib/core/keyword-index.ts';
import type { Wanted } from '#lib/core/keyword-items.ts';
import type { KnownItem } from '#lib/core/lookup-match.ts';
import type { StoredAnswer } from '#lib/core/lookup-reply.ts';
import type { LookupInput } from '#lib/core/lookup-request.ts';
import { isVisible } from '#lib/core/relevance.ts';
import type { SessionRow } from '#lib/core/rows.ts';
import { currentSession } from '#lib/core/session.ts';
import type { Instance } from '#lib/usecases/instance.ts';

/** One lookup under way. `session`: the key of its session; `scopes`: the caller's. */
export interface LookupCall {
  query: string;
  domain: string | undefined;
  request_id: string;
  scopes: readonly string[];
  session: string | undefined;
  started: number;
}

export function lookupCall(
  request: LookupInput,
  scopes: readonly string[],
  session: string | undefined,
  request_id: string,
  started: number,
): LookupCall {
  return { query: request.query, domain: request.domain, request_id, scopes, session, started };
}

/** What a reply is made from, beside the documents. */
export type Answer = Pick<StoredAnswer, 'level' | 'confidence' | 'keyword_only' | 'stand_ins'>;

export const NO_SEARCH: Answer = { level: 'none', confidence: 'none', keyword_only: false, stand_ins: [] };

/** The call's session as it stands, unless it is past its time (R6.7). */
export async function readSession(
  { sessions, clock }: Instance,
  { session }: LookupCall,
): Promise<SessionRow | undefined> {
  if (session === undefined) return undefined;
  return currentSession(await sessions.get(session), Math.floor(clock.now() / 1000));
}

/** The item as the catalog knows it, if it is live and the caller may see it (R6.8, R6.9). */
export function knownItem({ catalog }: Instance, { scopes }: LookupCall, id: string): KnownItem | undefined {
  const item = catalog.fold.items.get(id);
  if (!isLiveState(item) || !item.live || !isVisible(item.scopes, scopes)) return undefined;
  return { ...item.live, id, path: item.path ?? '', scopes: item.scopes };
}

/** Whether the call may find the items of a group (R6.8). */
export const wantedBy =
  ({ scopes, domain }: Pick<LookupCall, 'scopes' | 'domain'>): Wanted =>
  (group) =>
    (domain === undefined || group.domain === domain) && isVisible(group.scopes, scopes);

/** Whether there is anything that the call may find. */
export const hasFindable = ({ catalog }: Instance, call: Pick<LookupCall, 'scopes' | 'domain'>): boolean =>
  hasWanted(catalog.keywords, wantedBy(call));
