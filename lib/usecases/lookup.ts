import type { Caller } from '#lib/core/caller.ts';
import { isUnique, levelOf, type Match } from '#lib/core/lookup-match.ts';
import type { LookupReply } from '#lib/core/lookup-reply.ts';
import { parseLookup } from '#lib/core/lookup-request.ts';
import type { SessionRow } from '#lib/core/rows.ts';
import { answerTo, sessionKey, usedUp } from '#lib/core/session.ts';
import type { Instance } from '#lib/usecases/instance.ts';
import {
  hasFindable,
  type LookupCall,
  lookupCall,
  NO_SEARCH,
  readSession,
} from '#lib/usecases/lookup-call.ts';
import { searchByKeyword } from '#lib/usecases/lookup-l0.ts';
import { searchByMeaning } from '#lib/usecases/lookup-l1.ts';
import { nameable, replyTo } from '#lib/usecases/lookup-reply.ts';
import { handOver, replay } from '#lib/usecases/lookup-session.ts';

/**
 * Looks knowledge up (R6). The caller's scopes count; who reads them off a token or a body is the edge's business.
 * Throws `InvalidInput`, `Conflict` (a request id used for another question), and, if neither model nor index nor a
 * keyword can answer, the error of the one that is away.
 */
export const lookup =
  (instance: Instance) =>
  async (caller: Caller, input: unknown): Promise<LookupReply> => {
    const { clock, random, log } = instance;
    const started = clock.now();
    const request = parseLookup(input);
    const session =
      request.session_id === undefined ? undefined : sessionKey(caller.principal, request.session_id);
    const request_id = request.request_id ?? random.hex(8);
    const call = lookupCall(request, caller.scopes, session, request_id, started);
    const { query, domain } = call;
    log.info('lookup', { request_id, query, domain, in_session: session !== undefined });
    try {
      const reply = await answer(instance, call);
      const { level, confidence, took_ms } = reply;
      const matches = reply.documents.map(({ id }) => id);
      // `level` alone would be taken for the level of the log line.
      log.info('lookup answered', { request_id, lookup_level: level, matches, took_ms });
      log.debug('lookup result', {
        request_id,
        confidence,
        suppressed: reply.suppressed,
        message: reply.message,
      });
      return reply;
    } catch (error) {
      log.warn('lookup failed', { request_id, why: String(error) });
      throw error;
    }
  };

async function answer(instance: Instance, call: LookupCall): Promise<LookupReply> {
  const row = await readBeforeSearch(instance, call);
  if ('stopped' in row) return row.stopped;
  const replayed = await replay(instance, call, row.session);
  if (replayed) return replayed;

  const keyword = searchByKeyword(instance, call, row.session);
  const skipped = whyNotL1(instance, call, row.session, keyword);
  instance.log.debug('lookup by keyword', { request_id: call.request_id, matches: keyword.length, skipped });
  const found = skipped
    ? { matches: keyword, keyword_only: false, stand_ins: [] }
    : await searchByMeaning(instance, call, keyword);
  const { matches, keyword_only, stand_ins } = found;
  const level = levelOf(matches, !skipped && !keyword_only);
  return handOver(instance, call, row.session, matches, { ...NO_SEARCH, level, keyword_only, stand_ins });
}

/** A call that names a used-up domain costs one read: the session's, not the catalog's (R6.6). */
async function readBeforeSearch(
  instance: Instance,
  call: LookupCall,
): Promise<{ session: SessionRow | undefined } | { stopped: LookupReply }> {
  const { session, domain } = call;
  if (session === undefined || domain === undefined) {
    const [row] = await Promise.all([readSession(instance, call), instance.catalog.refresh()]);
    return { session: row };
  }
  const row = await readSession(instance, call);
  const cause = usedUp(row, domain, instance.settings);
  if (cause && answerTo(row, call.request_id) === undefined) {
    const gave = nameable(instance, call, row).filter((returned) => returned.domain === domain);
    const suppressed = gave.map((returned) => ({ ...returned, reason: 'already_returned' as const }));
    const outcome = { ...NO_SEARCH, outcome: 'stopped' as const, cause, domain };
    return { stopped: replyTo(instance, call, row, outcome, [], suppressed) };
  }
  await instance.catalog.refresh();
  return { session: row };
}

/** L1 is left alone where nothing can be found, where L0 has the answer, and where all that it found is used up. */
function whyNotL1(
  instance: Instance,
  call: LookupCall,
  row: SessionRow | undefined,
  keyword: readonly Match[],
): string | undefined {
  if (!hasFindable(instance, call)) return 'nothing to find';
  if (isUnique(keyword)) return 'unique keyword match';
  if (call.session === undefined || keyword.length === 0) return undefined;
  const stopped = keyword.every(({ domain }) => usedUp(row, domain, instance.settings));
  return stopped ? 'keyword match in a used-up domain' : undefined;
}
