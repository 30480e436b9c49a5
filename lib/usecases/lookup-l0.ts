import { findByKeyword } from '#lib/core/keyword-index.ts';
import { type KnownItem, keywordMatch, type Match } from '#lib/core/lookup-match.ts';
import { matchKeywords } from '#lib/core/matching.ts';
import type { SessionRow } from '#lib/core/rows.ts';
import type { Instance } from '#lib/usecases/instance.ts';
import { knownItem, type LookupCall, wantedBy } from '#lib/usecases/lookup-call.ts';

/** More than calls of one session at once can take away, and than a reply hands over and names. */
const SPARE = 20;

/**
 * Asks L0 (R6.2): the items that match by a keyword, in the order of going live. A keyword may be that of half of all
 * items; of each domain only so many come as the session can use, whatever it was given before.
 */
export function searchByKeyword(
  instance: Instance,
  call: LookupCall,
  session: SessionRow | undefined,
): Match[] {
  const most = (session?.returned.length ?? 0) + SPARE;
  return findByKeyword(instance.catalog.keywords, call.query, wantedBy(call), most).flatMap((hit) => {
    const item = knownItem(instance, call, hit.id);
    return item ? [keywordMatch(item, hit)] : [];
  });
}

/** Of what L1 found, the matches by keyword that `searchByKeyword` left out because there were so many. */
export function leftOutByKeyword(
  query: string,
  keyword: readonly Match[],
  found: Iterable<KnownItem>,
): Match[] {
  const counts = new Map<string, number>();
  for (const { domain } of keyword) counts.set(domain, (counts.get(domain) ?? 0) + 1);
  const taken = new Set(keyword.map(({ id }) => id));
  const left_out: Match[] = [];
  for (const item of found) {
    if (taken.has(item.id) || (counts.get(item.domain) ?? 0) < SPARE) continue;
    taken.add(item.id);
    for (const match of matchKeywords([item], query)) left_out.push(keywordMatch(item, match));
  }
  return left_out;
}
