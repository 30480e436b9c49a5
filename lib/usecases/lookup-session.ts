import { Conflict, Unclear } from '#lib/core/errors.ts';
import { confidenceOf, isUnique, type Match } from '#lib/core/lookup-match.ts';
import { type LookupReply, StoredAnswer } from '#lib/core/lookup-reply.ts';
import { sha256 } from '#lib/core/normalise.ts';
import type { SessionClaim, SessionRow } from '#lib/core/rows.ts';
import { afterClaim, answerTo, NO_DOMAIN } from '#lib/core/session.ts';
import { type Choice, choose } from '#lib/core/session-choice.ts';
import type { Instance } from '#lib/usecases/instance.ts';
import { type Answer, knownItem, type LookupCall, readSession } from '#lib/usecases/lookup-call.ts';
import { type HandOver, type Held, readDocuments, replyTo } from '#lib/usecases/lookup-reply.ts';

/** A refused claim means that another call of the session was served: it cannot go on for long. */
const ROUNDS = 20;
const PAUSE_MS = 30;

/**
 * Hands over what the session allows of the matches. The choice and everything that it read are claimed in one
 * conditional update; where that is refused, or its answer stays out, the session is read again (protocol, "Sessions").
 * Throws `Unclear` when the session stays out of reach.
 */
export async function handOver(
  instance: Instance,
  call: LookupCall,
  seen: SessionRow | undefined,
  matches: readonly Match[],
  searched: Answer,
): Promise<LookupReply> {
  let row = seen;
  for (let round = 1; round <= ROUNDS; round++) {
    const choice = choose(matches, call.domain, row, instance.settings);
    const documents = choice.outcome === 'found' ? choice.documents : [];
    const answer = { ...searched, confidence: confidenceOf(documents, isUnique(matches)) };
    const reading = readDocuments(instance, documents.map(handed));
    if (call.session === undefined || choice.outcome === 'stopped')
      return replyTo(
        instance,
        call,
        row,
        { ...answer, ...choice },
        await reading,
        choice.suppressed.map(held),
      );

    const claim = claimOf(instance, call, choice, answer);
    const [claimed, texts] = await Promise.all([tryClaim(instance, call.session, claim), reading]);
    if (claimed) {
      const after = afterClaim(row, call.session, claim);
      return replyTo(instance, call, after, { ...answer, ...choice }, texts, choice.suppressed.map(held));
    }
    if (round > 1) await instance.clock.sleep(instance.random.fraction() * PAUSE_MS * round);
    row = await readSession(instance, call);
    const replayed = await replay(instance, call, row);
    if (replayed) return replayed;
  }
  throw new Unclear('the session could not be written');
}

const handed = ({ section, score, ...item }: Match): HandOver => ({ item, score, section });

const held = ({ match, reason }: { match: Match; reason: Held['reason'] }): Held => ({
  id: match.id,
  path: match.path,
  title: match.title,
  reason,
});

/** `false` also when the answer stays out: the session says which. */
async function tryClaim({ sessions }: Instance, key: string, claim: SessionClaim): Promise<boolean> {
  try {
    return await sessions.claim(key, claim);
  } catch (error) {
    if (error instanceof Unclear) return false;
    throw error;
  }
}

function claimOf(
  { clock, settings }: Instance,
  call: LookupCall,
  choice: Exclude<Choice<Match>, { outcome: 'stopped' }>,
  answer: Answer,
): SessionClaim {
  const now = Math.floor(clock.now() / 1000);
  const { domain } = choice;
  const documents = choice.outcome === 'found' ? choice.documents : [];
  const stored: StoredAnswer = {
    ...answer,
    asked: askedBy(call),
    outcome: choice.outcome,
    domain,
    documents: documents.map(({ id, score, section, scopes }) => ({
      id,
      score,
      section: section?.n ?? null,
      scopes: [...scopes],
    })),
    suppressed: choice.suppressed.map(({ match, reason }) => ({ id: match.id, reason })),
  };
  return {
    request_id: call.request_id,
    returned: documents.map(({ id, path, title, domain }) => ({
      id,
      path,
      title,
      domain,
      request_id: call.request_id,
    })),
    ...(choice.outcome === 'found' ? { success: domain } : { fruitless: domain }),
    domains: [...new Set([domain, ...documents.map((document) => document.domain)])].filter(
      (each) => each !== NO_DOMAIN,
    ),
    cap: settings.searches_per_domain,
    fruitless_limit: settings.fruitless_limit,
    reply: JSON.stringify(stored),
    now,
    expires_at: now + settings.session_ttl_s,
  };
}

const askedBy = ({ query, domain }: LookupCall): string => sha256(JSON.stringify([query, domain ?? null]));

/**
 * The answer that the session has given to this request id, with its texts read again (R6.1); `undefined` if none.
 * What the catalog does not show the caller any more is left out. Throws `Conflict` if the id was used for
 * another question.
 */
export async function replay(
  instance: Instance,
  call: LookupCall,
  row: SessionRow | undefined,
): Promise<LookupReply | undefined> {
  const reply = answerTo(row, call.request_id);
  if (reply === undefined) return undefined;
  const answer = StoredAnswer.parse(JSON.parse(reply));
  if (answer.asked !== askedBy(call))
    throw new Conflict(`request_id ${call.request_id} was used for another question`);
  const chosen = await Promise.all(
    answer.documents.map(async ({ id, score, section }): Promise<HandOver[]> => {
      const item = knownItem(instance, call, id);
      return item ? [{ item, score, section: await storedSection(instance, id, section) }] : [];
    }),
  );
  const suppressed = answer.suppressed.flatMap(({ id, reason }): Held[] => {
    const item = knownItem(instance, call, id);
    return item ? [{ id, path: item.path, title: item.title, reason }] : [];
  });
  return replyTo(instance, call, row, answer, await readDocuments(instance, chosen.flat()), suppressed);
}

async function storedSection({ vectors, model }: Instance, id: string, section: number | null) {
  if (section === null) return undefined;
  return (await vectors.sections(id, model.embedder.name))?.[section];
}
