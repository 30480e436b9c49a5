import * as z from 'zod';
import { payloadOf } from '#lib/core/admission.ts';
import type { Caller } from '#lib/core/caller.ts';
import type { Draft } from '#lib/core/entry.ts';
import { Conflict, NotFound } from '#lib/core/errors.ts';
import { type Fold, type ItemState, isLiveState, isRemoved, pathOf } from '#lib/core/fold-state.ts';
import type { ItemRow } from '#lib/core/item.ts';
import { parseInput } from '#lib/core/parse-input.ts';
import { isVisible } from '#lib/core/relevance.ts';
import { RESTORABLE_SECONDS } from '#lib/core/settings.ts';
import { append } from '#lib/usecases/append.ts';
import { saveSections, taskVectorsOf } from '#lib/usecases/embed-item.ts';
import type { Instance } from '#lib/usecases/instance.ts';
import { takeSeq } from '#lib/usecases/name-at-path.ts';
import { projectAll } from '#lib/usecases/project.ts';
import { settled } from '#lib/usecases/retry.ts';

export const ReviewInput = z.discriminatedUnion('action', [
  z.strictObject({ action: z.literal('check') }),
  z.strictObject({ action: z.literal('reject'), reason: z.string().min(1).max(1000) }),
  z.strictObject({ action: z.literal('restore') }),
]);
export type ReviewInput = z.infer<typeof ReviewInput>;

const EVENTS = { check: 'checked', reject: 'rejected', restore: 'restored' } as const;

/**
 * A human's word over a decided item (spec, section 7): `check` and `reject` a live one, `restore` a rejected one.
 * Throws `Conflict` while the item waits, when it is in the wrong state, or when its path is taken.
 */
export const review =
  (instance: Instance) =>
  async (caller: Caller, id: string, input: unknown): Promise<ItemState> => {
    const { catalog, items, vectors, clock, random } = instance;
    const act = parseInput(ReviewInput, input);
    const f = await catalog.refresh();
    const row = await settled(clock, () => items.get(id));
    const item = f.items.get(id);
    if (
      !row ||
      (row.status === 'received' && !item) ||
      item?.status === 'removed' ||
      !isVisible(row.scopes, caller.scopes)
    )
      throw new NotFound(`no item ${id}`);
    const now = Math.floor(clock.now() / 1000);
    for (let tries = 1; ; tries += 1) {
      demandLegal(catalog.fold, act.action, id, now);
      const path_seq = await prepare(instance, row, act.action);
      const decision_id = random.hex(16);
      const outcome = await append(instance, {
        mine: (fold) => fold.decisions.has(decision_id),
        build: (fold) => {
          const there = fold.items.get(id);
          if (problemWith(fold, there, act.action, now) !== undefined || isOvertaken(fold, row, path_seq))
            return 'stop';
          return { put: draftOf(caller, row, there!, act, { decision_id, at: now, path_seq }) };
        },
      });
      if (outcome !== 'stopped') break;
      // Overtaken at its path by something that is not in force any more: again, with the next seq.
      if (tries === TRIES) throw new Conflict(`${row.path} keeps changing`);
    }
    if (isRemoved(catalog.fold, id)) await vectors.erase(id);
    await projectAll(instance);
    return catalog.fold.items.get(id)!;
  };

const TRIES = 5;

const isOvertaken = (f: Fold, { path }: ItemRow, path_seq: number | undefined): boolean =>
  path !== undefined && path_seq !== undefined && pathOf(f, path).maxseq > path_seq;

function demandLegal(f: Fold, action: ReviewInput['action'], id: string, now: number): void {
  const problem = problemWith(f, f.items.get(id), action, now);
  if (problem !== undefined) throw new Conflict(problem);
}

function problemWith(
  f: Fold,
  item: ItemState | undefined,
  action: ReviewInput['action'],
  now: number,
): string | undefined {
  if (!item || item.status === 'pending') return 'the item still waits for its decision';
  if (action !== 'restore') return isLiveState(item) ? undefined : `the item is ${item.status}, not live`;
  if (item.status !== 'rejected') return `the item is ${item.status}, not rejected`;
  const holder = item.path === undefined ? undefined : f.paths.get(item.path)?.holder;
  if (holder !== undefined) return `its path is held by ${holder}`;
  if (item.ended_at !== undefined && now - item.ended_at > RESTORABLE_SECONDS)
    return 'the item was kept for 30 days, which are over';
  return undefined;
}

/** What must lie ready before a restored item goes live: its section vectors, and a seq of its own at its path. */
async function prepare(
  instance: Instance,
  row: ItemRow,
  action: ReviewInput['action'],
): Promise<number | undefined> {
  if (action !== 'restore') return undefined;
  await taskVectorsOf(instance, [row]);
  await saveSections(instance, row);
  return row.path === undefined ? undefined : takeSeq(instance, row.path);
}

const draftOf = (
  caller: Caller,
  row: ItemRow,
  item: ItemState,
  act: ReviewInput,
  stamp: { decision_id: string; at: number; path_seq: number | undefined },
): Draft => ({
  at: stamp.at,
  by: caller.principal,
  event: EVENTS[act.action],
  item_id: row.id,
  attempt: item.attempt + 1,
  decision_id: stamp.decision_id,
  ...(row.path !== undefined && { path: row.path }),
  ...(stamp.path_seq !== undefined && { path_seq: stamp.path_seq }),
  fingerprint: row.fingerprint,
  scopes: row.scopes,
  basis: 'human',
  ...(act.action === 'reject' && { reason: 'human' as const, note: act.reason, grounds: [] }),
  // A check says nothing new of the item: what the catalog has may be newer than the row that was read.
  ...(act.action === 'check' && item.live && { live: item.live }),
  ...(act.action === 'restore' && { live: payloadOf(row), relations: [] }),
});
