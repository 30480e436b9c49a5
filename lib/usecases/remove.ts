import type { Caller } from '#lib/core/caller.ts';
import type { Draft } from '#lib/core/entry.ts';
import { NotFound } from '#lib/core/errors.ts';
import { attemptOf, type Fold, isRemoved } from '#lib/core/fold-state.ts';
import type { ItemRow } from '#lib/core/item.ts';
import { isVisible } from '#lib/core/relevance.ts';
import { RESTORABLE_SECONDS } from '#lib/core/settings.ts';
import { append } from '#lib/usecases/append.ts';
import type { Instance } from '#lib/usecases/instance.ts';
import { takeSeq } from '#lib/usecases/name-at-path.ts';
import { projectAll } from '#lib/usecases/project.ts';
import { settled } from '#lib/usecases/retry.ts';

/** Deletes whatever lies, or waits, at the path (R3.6). Throws `NotFound` if there is nothing that the caller may see. */
export const removeDocument =
  (instance: Instance) =>
  async (caller: Caller, path: string): Promise<{ id: string }> => {
    const { catalog, paths, items, clock } = instance;
    const f = await catalog.refresh();
    const latest_id = (await settled(clock, () => paths.get(path)))?.latest_id;
    const id = f.paths.get(path)?.holder ?? latest_id;
    const row = id === undefined ? undefined : await settled(clock, () => items.get(id));
    if (!row || !isAccepted(f, row) || !isVisible(row.scopes, caller.scopes))
      throw new NotFound(`no document at ${path}`);
    const path_seq = await takeSeq(instance, path, 'kept');
    await putRemoved(instance, caller, row, { path, path_seq });
    await settled(clock, () => paths.forget(path, row.id));
    return { id: row.id };
  };

/** Deletes one item (R3.6). The version in force at a path, or the latest there, takes the path's other versions along. */
export const removeItem =
  (instance: Instance) =>
  async (caller: Caller, id: string): Promise<{ id: string }> => {
    const { catalog, paths, items, clock } = instance;
    const f = await catalog.refresh();
    const row = await settled(clock, () => items.get(id));
    if (!row || !isAccepted(f, row) || !isVisible(row.scopes, caller.scopes))
      throw new NotFound(`no item ${id}`);
    const { path } = row;
    if (path !== undefined) {
      const named = (await settled(clock, () => paths.get(path)))?.latest_id === id;
      if (named || f.paths.get(path)?.holder === id) return removeDocument(instance)(caller, path);
      await settled(clock, () => paths.forget(path, id));
    }
    const outcome = await putRemoved(instance, caller, row, path === undefined ? {} : { path });
    // It came into force at its path meanwhile.
    return outcome === 'stopped' && path !== undefined ? removeDocument(instance)(caller, path) : { id };
  };

const isAccepted = (f: Fold, row: ItemRow): boolean =>
  (row.status !== 'received' || f.items.has(row.id)) && row.status !== 'removed' && !isRemoved(f, row.id);

async function putRemoved(
  instance: Instance,
  caller: Caller,
  row: ItemRow,
  place: { path?: string; path_seq?: number },
  /** Something that came in meanwhile makes it wrong. */
  outdated: (f: Fold) => boolean = () => false,
): Promise<'appended' | 'adopted' | 'stopped'> {
  const { clock, random } = instance;
  const decision_id = random.hex(16);
  const outcome = await append(instance, {
    mine: (f) => f.decisions.has(decision_id),
    build: (f) => {
      const holds = place.path !== undefined && f.paths.get(place.path)?.holder === row.id;
      if ((holds && place.path_seq === undefined) || outdated(f)) return 'stop';
      const draft: Draft = {
        at: Math.floor(clock.now() / 1000),
        by: caller.principal,
        event: 'removed',
        item_id: row.id,
        attempt: attemptOf(f, row.id) + 1,
        decision_id,
        ...place,
        fingerprint: row.fingerprint,
        scopes: row.scopes,
        basis: 'human',
      };
      return { put: draft };
    },
  });
  await projectAll(instance);
  return outcome;
}

/** Erases what was superseded, replaced or condensed more than 30 days ago; returns how many. */
export async function eraseExpired(instance: Instance): Promise<number> {
  const { catalog, items, clock, settings } = instance;
  const f = await catalog.refresh();
  const before = Math.floor(clock.now() / 1000) - RESTORABLE_SECONDS;
  const expired = [...f.items.values()].filter(
    ({ status, ended_at }) => status === 'rejected' && ended_at !== undefined && ended_at < before,
  );
  let erased = 0;
  for (const { id } of expired.slice(0, settings.sweep_limit)) {
    const row = await items.get(id);
    if (!row || row.status === 'removed') continue;
    const outcome = await putRemoved(
      instance,
      { principal: 'sweep', scopes: [] },
      row,
      {},
      (fold) => fold.items.get(id)?.ended_at === undefined,
    );
    if (outcome === 'appended') erased += 1;
  }
  return erased;
}
