import { fromEventBridge } from '#lib/core/names.ts';
import type { Instance } from '#lib/usecases/instance.ts';
import { type InboxOutcome, type InboxRule, takeFromInbox } from '#lib/usecases/take-from-inbox.ts';

/** The event of a file dropped this long ago is lost, or its queue has given up. */
const LEFT_MS = 5 * 60_000;
/** A document takes a second or two when the model writes its fields. */
const FILES_A_PASS = 10;
const LISTED = 1000;

/**
 * Takes in files left in the inbox (R4.8), at most ten a pass. It begins anywhere, so that ten that always fail keep
 * none of the others up.
 */
export const sweepInbox =
  (instance: Instance, rules: readonly InboxRule[] = []) =>
  async (request_id: string): Promise<InboxOutcome[]> => {
    const { clock, inbox, log, random } = instance;
    const take = takeFromInbox(instance, rules);
    const listed = (await inbox.list('', clock.now() - LEFT_MS, LISTED)).map(fromEventBridge);
    const files = listed.filter(({ kind }) => kind !== 'ignored');
    const first = Math.floor(random.fraction() * files.length);
    const outcomes: InboxOutcome[] = [];
    for (const name of [...files.slice(first), ...files.slice(0, first)].slice(0, FILES_A_PASS)) {
      try {
        outcomes.push(await take(name, request_id));
      } catch (error) {
        log.warn('a file stays in the inbox', { key: name.key, why: String(error) });
      }
    }
    return outcomes;
  };
