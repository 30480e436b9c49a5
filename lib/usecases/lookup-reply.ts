import { languageOfQuestion } from '#lib/core/language.ts';
import type { KnownItem } from '#lib/core/lookup-match.ts';
import { type Facts, lookupMessage } from '#lib/core/lookup-message.ts';
import {
  type LookupDocument,
  type LookupReply,
  lookupDocument,
  StoredAnswer,
} from '#lib/core/lookup-reply.ts';
import { isVisible } from '#lib/core/relevance.ts';
import type { Section, SessionRow } from '#lib/core/rows.ts';
import { searchedDomains } from '#lib/core/session.ts';
import type { SuppressionReason } from '#lib/core/session-choice.ts';
import type { Instance } from '#lib/usecases/instance.ts';
import { type Answer, hasFindable, type LookupCall } from '#lib/usecases/lookup-call.ts';
import { settled } from '#lib/usecases/retry.ts';

/** What is to be handed over: the item, and the section that stands for it. */
export interface HandOver {
  item: KnownItem;
  score: number;
  section: Section | undefined;
}

/** Reads what the documents show. One whose row is gone, or erased a moment ago, is left out. */
export async function readDocuments(
  { items, clock, settings }: Instance,
  chosen: readonly HandOver[],
): Promise<LookupDocument[]> {
  if (chosen.length === 0) return [];
  const rows = await settled(clock, () => items.getMany(chosen.map(({ item }) => item.id)));
  const by_id = new Map(rows.filter(({ status }) => status !== 'removed').map((row) => [row.id, row]));
  return chosen.flatMap(({ item, score, section }) => {
    const row = by_id.get(item.id);
    return row ? [lookupDocument(item, row, score, section, settings.excerpt_code_points)] : [];
  });
}

export interface Held {
  id: string;
  path: string;
  title: string;
  reason: SuppressionReason;
}

type Outcome = Answer & Pick<Facts, 'outcome' | 'cause' | 'domain'>;

/** The reply as the caller may see it; `row` is the session after the call. */
export function replyTo(
  instance: Instance,
  call: LookupCall,
  row: SessionRow | undefined,
  outcome: Outcome,
  documents: LookupDocument[],
  suppressed: readonly Held[],
): LookupReply {
  const answer = shown(outcome, documents, suppressed);
  const returned = nameable(instance, call, row);
  const mayName = (domain: string) =>
    domain === call.domain || returned.some(inDomain(domain)) || hasFindable(instance, { ...call, domain });
  return {
    request_id: call.request_id,
    level: answer.level,
    confidence: documents.length === 0 ? 'none' : answer.confidence,
    documents,
    message: lookupMessage(languageOfQuestion(call.query), {
      ...answer,
      documents: documents.length,
      in_session: call.session !== undefined && mayName(answer.domain),
      empty_domain: call.domain !== undefined && !hasFindable(instance, call),
      gave: answer.outcome === 'nothing_new' ? suppressed : returned.filter(inDomain(answer.domain)),
    }),
    suppressed: suppressed.map(({ id, path, reason }) => ({ id, path, reason })),
    session: {
      searched_domains: searchedDomains(row).filter(mayName),
      returned: returned.map(({ id }) => id),
    },
    took_ms: instance.clock.now() - call.started,
    ...(answer.stand_ins.length > 0 && { stand_ins: answer.stand_ins }),
  };
}

/** Where all that was found is gone, or not this call's to see any more, nothing was found. */
function shown(answer: Outcome, documents: readonly unknown[], suppressed: readonly unknown[]): Outcome {
  const gone =
    (answer.outcome === 'found' && documents.length === 0) ||
    (answer.outcome === 'nothing_new' && suppressed.length === 0);
  return gone ? { ...answer, outcome: 'nothing_found', level: 'none' } : answer;
}

const inDomain =
  (domain: string) =>
  (item: { domain: string }): boolean =>
    item.domain === domain;

/**
 * What the session returned and this call's scopes may see named (design, section 7). A call that is stopped by its
 * domain has not read the catalog: what the catalog does not know yet is judged by the scopes kept with the answer.
 */
export function nameable(
  { catalog }: Instance,
  { scopes }: LookupCall,
  row: SessionRow | undefined,
): SessionRow['returned'] {
  if (row === undefined) return [];
  const answers = row.answers.map(({ reply }) => StoredAnswer.parse(JSON.parse(reply)));
  const kept = new Map(answers.flatMap(({ documents }) => documents.map(({ id, scopes }) => [id, scopes])));
  return row.returned.filter(({ id }) => {
    const item = catalog.fold.items.get(id);
    if (item?.status === 'removed') return false;
    const seen_by = item?.scopes ?? kept.get(id);
    return seen_by !== undefined && isVisible(seen_by, scopes);
  });
}
