import { decisionDraft, isDecided, newcomerOf, nextStep, type View } from '#lib/core/admission.ts';
import { KnowHubError, Unclear } from '#lib/core/errors.ts';
import { type ItemState, isRemoved } from '#lib/core/fold-state.ts';
import type { ItemRow, JudgeFailures } from '#lib/core/item.ts';
import type { TaskVector } from '#lib/core/rows.ts';
import { type Settings, WAIT_AHEAD_MS } from '#lib/core/settings.ts';
import type { Bodies, Vectors } from '#lib/ports.ts';
import { append, type Build } from '#lib/usecases/append.ts';
import { saveSections } from '#lib/usecases/embed-item.ts';
import type { Instance } from '#lib/usecases/instance.ts';
import { projectAppended } from '#lib/usecases/project.ts';
import { JudgeAway, judgeNewlyLive, recallAndJudge } from '#lib/usecases/recall.ts';

export type AdmitOutcome =
  | { kind: 'decided'; item: ItemState }
  /** Somebody else has it, or there is nothing to decide. */
  | { kind: 'skipped'; why: string }
  /** It went back to `pending`; the sweep queues it at `next_at` (epoch milliseconds). */
  | { kind: 'waits'; why: string; next_at: number };

/** Judges one waiting item against what is stored and writes the decision into the ledger (R4.1-R4.7). */
export const admit =
  (instance: Instance) =>
  async (item_id: string): Promise<AdmitOutcome> => {
    const token = instance.random.hex(16);
    const row = await claim(instance, item_id, token);
    if (!row) return { kind: 'skipped', why: 'not waiting, or claimed by another worker' };
    let decided: ItemState | undefined;
    try {
      decided = await decideOrGiveUp(instance, row);
    } catch (error) {
      return putBack(instance, row, token, error);
    }
    if (decided) {
      const { status, reason, path, grounds } = decided;
      instance.log.info('decided', { item_id, status, reason, path, grounds });
    }
    await projectAppended(instance);
    return decided ? { kind: 'decided', item: decided } : { kind: 'skipped', why: 'nothing to decide' };
  };

async function claim(instance: Instance, id: string, token: string): Promise<ItemRow | undefined> {
  const { items, clock, settings } = instance;
  const at = clock.now();
  const answer = await items
    .claim(id, { token, at }, at + settings.claim_reset_ms)
    .catch(async (error: unknown) => {
      if (!(error instanceof Unclear)) throw error;
      return { claimed: false, row: await items.get(id) };
    });
  // A refusal may be the answer to the repeat of a call that had succeeded: the token tells.
  return answer.claimed || answer.row?.claim?.token === token ? answer.row : undefined;
}

async function decideOrGiveUp(instance: Instance, row: ItemRow): Promise<ItemState | undefined> {
  try {
    return await decide(instance, row, undefined);
  } catch (error) {
    if (!(error instanceof JudgeAway)) throw error;
    const reason = reasonToGiveUp(instance, row, error);
    if (reason === undefined) throw error;
    instance.log.warn('admitted without a verdict', { item_id: row.id, reason });
    return decide(instance, row, reason);
  }
}

/** The way out of R4.5: an unreadable answer at once, an outage after the patience and two more tries. */
function reasonToGiveUp({ clock, settings }: Instance, row: ItemRow, error: JudgeAway): string | undefined {
  if (error.unreadable) return `the judge's answer stayed unreadable: ${error.message}`;
  const { count, first_at } = failuresAfter(row, error, clock.now());
  if (count < MIN_TRIES || clock.now() - first_at < settings.judge_patience_ms) return undefined;
  return `the judge could not be reached ${count} times in ${Math.round(settings.judge_patience_ms / 60_000)} minutes: ${error.message}`;
}

const MIN_TRIES = 3;

const failuresAfter = (row: ItemRow, error: JudgeAway, now: number): JudgeFailures => ({
  count: (row.judge_failures?.count ?? 0) + 1,
  first_at: row.judge_failures?.first_at ?? now,
  last: error.message,
});

async function decide(
  running: Instance,
  row: ItemRow,
  give_up: string | undefined,
): Promise<ItemState | undefined> {
  const instance = {
    ...running,
    bodies: readOnce(running.bodies),
    vectors: readTasksOnce(running.vectors),
  };
  const { projections, catalog, clock, random } = instance;
  // The projection is read before the ledger, so that the fold has at least what W claims.
  const projection = await projections.get(await projections.pointer());
  const f = await catalog.refresh();
  const me = newcomerOf(row);
  const decision_id = random.hex(16);
  let view: View | undefined;
  let sections_saved = false;

  const build = (): Build => {
    const step = nextStep(f, me, view);
    if (step.do === 'recall' || step.do === 'judge') {
      const look = async () => {
        view =
          give_up !== undefined
            ? { judged: f.position, relations: new Map(), last_resort: give_up }
            : step.do === 'recall'
              ? await recallAndJudge(instance, row, projection)
              : await judgeNewlyLive(instance, row, view!, step);
      };
      return { look };
    }
    if (step.do === 'admit' && !sections_saved) {
      const look = async () => {
        // What went live while the judge thought is read meanwhile: a put at a head that has moved on is lost.
        const judged = view?.model !== undefined;
        await Promise.all([saveSections(instance, row), judged && catalog.refresh()]);
        sections_saved = true;
      };
      return { look };
    }
    return { put: decisionDraft(row, step, view, { at: Math.floor(clock.now() / 1000), decision_id }) };
  };
  await append(instance, { mine: (fold) => isDecided(fold, row), build });
  // Deleted while the judge thought: what was stored since then goes, too (R3.6).
  if (isRemoved(f, row.id)) await instance.vectors.erase(row.id);
  return f.items.get(row.id);
}

/** Lets go of the claim, only if it is still ours, and says when the sweep tries again. */
async function putBack(
  instance: Instance,
  row: ItemRow,
  token: string,
  error: unknown,
): Promise<AdmitOutcome> {
  const { items, clock, settings, log } = instance;
  const now = clock.now();
  const failures = error instanceof JudgeAway ? failuresAfter(row, error, now) : undefined;
  const next_at = failures ? nextTry(failures, now, settings) : now + settings.judge_back_off_ms;
  const why = error instanceof Error ? error.message : String(error);
  log.warn('admission waits', { item_id: row.id, why, next_at });
  // Should this fail too, the sweep ends the claim.
  await items.release(row.id, token, next_at, failures).catch(() => false);
  if (error instanceof KnowHubError && error.retryable) return { kind: 'waits', why, next_at };
  throw error;
}

/** Doubles from try to try; the last one comes when the patience ends. */
function nextTry({ count, first_at }: JudgeFailures, now: number, settings: Settings): number {
  const at = now + settings.judge_back_off_ms * 2 ** (count - 1);
  const last = first_at + settings.judge_patience_ms;
  // Not so far ahead that it would look like the work of a clock that has stepped back since.
  return Math.min(now < last ? Math.min(at, last) : at, now + WAIT_AHEAD_MS - 1);
}

/** A text never changes once it is put: one admission reads it once. */
function readOnce(bodies: Bodies): Bodies {
  const known = new Map<string, string>();
  const remember = (id: string, text: string | undefined) => {
    if (text !== undefined) known.set(id, text);
    return text;
  };
  return {
    ...bodies,
    get: async (id, kind) => known.get(id) ?? remember(id, await bodies.get(id, kind)),
    async getMany(wanted) {
      const read = await bodies.getMany(wanted.filter(({ id }) => !known.has(id)));
      for (const [id, text] of read) remember(id, text);
      return new Map(wanted.flatMap(({ id }) => (known.has(id) ? [[id, known.get(id)!] as const] : [])));
    },
  };
}

/** So does a task vector of one model: the newcomer's own is compared at every head that it meets. */
function readTasksOnce(vectors: Vectors): Vectors {
  const known = new Map<string, TaskVector>();
  const remember = (task: TaskVector) => known.set(task.id, task);
  return {
    ...vectors,
    async saveTask(task) {
      await vectors.saveTask(task);
      remember(task);
    },
    async tasks(ids) {
      const unknown = ids.filter((id) => !known.has(id));
      if (unknown.length > 0) for (const task of await vectors.tasks(unknown)) remember(task);
      return ids.flatMap((id) => known.get(id) ?? []);
    },
  };
}
