import { setTimeout as pause } from 'node:timers/promises';
import { KnowHubError } from '#lib/core/errors.ts';
import type { PushedFile } from './cli-facts.ts';
import { findHanded } from './cli-large.ts';
import { isDecided, StatusReply } from './cli-replies.ts';
import { ApiFault, type Client, segment, Unreachable } from './client.ts';

/** A file whose decision is waited for; `handed` = it lies in the inbox, and its item is yet to be found. */
export interface Waiting {
  result: PushedFile;
  handed?: { before: string | undefined; length: number };
}

export interface WaitOptions {
  /** Status calls at once. */
  concurrency: number;
  timeout_ms: number;
  signal: AbortSignal;
  /** One more is decided. */
  step: () => void;
}

const PAUSE_MS = { least: 100, most: 2000 };
/** A file that the inbox refused, or that was judged between two looks, never shows. */
const SEEN_WITHIN_MS = 60_000;

/**
 * Asks until all are decided: some at a time, the undecided ones again after all others, with longer pauses while
 * nothing is decided. Whoever is not decided by the end says why.
 */
export async function awaitDecisions(
  client: Client,
  files: readonly Waiting[],
  { concurrency, timeout_ms, signal, step }: WaitOptions,
): Promise<Map<Waiting, PushedFile>> {
  const known = new Map<Waiting, PushedFile>();
  const names = namer(client, files);
  const left = [...files];
  const started = performance.now();
  let pause_ms = PAUSE_MS.least;
  let why = 'not decided in time';
  try {
    while (left.length > 0 && !signal.aborted) {
      const elapsed = performance.now() - started;
      if (elapsed > timeout_ms) break;
      const asked = left.splice(0, concurrency);
      const answers = await Promise.all(asked.map((each) => ask(client, each, elapsed, names)));
      const undecided = asked.filter((each, n) => {
        const answer = answers[n];
        if (answer) {
          known.set(each, answer);
          step();
        }
        return !answer;
      });
      left.push(...undecided);
      pause_ms = undecided.length < asked.length ? PAUSE_MS.least : Math.min(PAUSE_MS.most, pause_ms * 1.5);
      if (undecided.length > 0) await pause(pause_ms, undefined, { signal });
    }
  } catch (error) {
    if (error instanceof Unreachable) why = error.message;
    else if (!signal.aborted) throw error;
  }
  if (signal.aborted) why = 'not decided yet';
  for (const each of files) if (!known.has(each)) known.set(each, unknown(each, why));
  return known;
}

/** What is decided of it, if anything is. */
async function ask(
  client: Client,
  waiting: Waiting,
  elapsed_ms: number,
  names: Namer,
): Promise<PushedFile | undefined> {
  try {
    if (waiting.handed && waiting.result.id === undefined) {
      const id = await findHanded(client, waiting.result.path, waiting.handed);
      if (id !== undefined) waiting.result = { ...waiting.result, id };
      else if (elapsed_ms > SEEN_WITHIN_MS) return unknown(waiting, UNSEEN);
      else return undefined;
    }
    const { reply } = await client.json(statusCall(waiting.result.id!), StatusReply);
    return isDecided(reply.status) ? await decidedFile(waiting.result, reply, names) : undefined;
  } catch (error) {
    if (error instanceof ApiFault && error.status === 404) return unknown(waiting, INVISIBLE);
    // Asked again: a server that is out of order may come back.
    if (error instanceof ApiFault && error.status >= 500) return undefined;
    if (!(error instanceof KnowHubError) || error instanceof Unreachable) throw error;
    return unknown(waiting, error.message);
  }
}

const UNSEEN = 'handed to the inbox and not seen since: known already, or in quarantine';
const INVISIBLE = 'its decision cannot be seen: state its scopes (--scopes), or it was deleted meanwhile';

const unknown = ({ result }: Waiting, why: string): PushedFile => ({ ...result, decision: 'waiting', why });

async function decidedFile(result: PushedFile, reply: StatusReply, names: Namer): Promise<PushedFile> {
  const { status, reason, basis, model, needs_review } = reply;
  return {
    ...result,
    decision: status === 'rejected' ? 'rejected' : 'admitted',
    status,
    ...(reason !== undefined && { reason }),
    ...(basis !== undefined && { basis }),
    ...(model !== undefined && { judged_by: model }),
    ...(needs_review !== undefined && { needs_review }),
    relations: await namedRelations(reply, names),
  };
}

/** How people know an item: its path, or an entry by its id. */
export type Namer = (id: string) => Promise<string>;

/** Names the items of a status: the grounds of a rejection, then the relations. */
export const namedRelations = (
  { grounds, relations }: Pick<StatusReply, 'grounds' | 'relations'>,
  names: Namer,
): Promise<{ type: string; to: string }[]> =>
  Promise.all(
    [...grounds, ...relations.map(({ type, target: id }) => ({ type, id }))].map(async ({ type, id }) => ({
      type,
      to: await names(id),
    })),
  );

/** Paths of items: those pushed are known, others are asked for, once. */
export function namer(client: Client, files: readonly Waiting[] = []): Namer {
  const asked = new Map<string, Promise<string>>();
  for (const { result } of files)
    if (result.id !== undefined) asked.set(result.id, Promise.resolve(result.path));
  return (id) => {
    const known = asked.get(id) ?? pathOf(client, id);
    asked.set(id, known);
    return known;
  };
}

const pathOf = (client: Client, id: string): Promise<string> =>
  client.json(statusCall(id), StatusReply).then(
    ({ reply }) => reply.path ?? id,
    (error: unknown) => {
      if (error instanceof KnowHubError) return id;
      throw error;
    },
  );

export const statusCall = (id: string) =>
  ({ method: 'GET', path: `/api/knowledge/status/${segment(id)}` }) as const;
