import { Partial } from '#lib/core/errors.ts';
import { type Change, type Fold, isLiveState } from '#lib/core/fold-state.ts';
import type { Instance } from '#lib/usecases/instance.ts';

/** `knowledge_base/` after one entry: the bytes of each changed path's live, unscoped document. */
export async function writeMirror(instance: Instance, f: Fold, change: Change): Promise<void> {
  for (const path of change.paths) await mirrorPath(instance, f, path);
}

/**
 * Makes the object at the path what the fold says. It cannot be guarded by position (A → B → A has equal ETags), so the
 * write is conditional on the ETag read, and the sweep audits.
 */
export async function mirrorPath({ mirror, bodies }: Instance, f: Fold, path: string): Promise<void> {
  const holder = f.paths.get(path)?.holder;
  const item = holder === undefined ? undefined : f.items.get(holder);
  const wanted = isLiveState(item) && item.scopes.length === 0 ? item : undefined;
  const there = await mirror.head(path);
  if (wanted?.id === there?.item_id) return;
  // A body that is gone belongs to an item that a later entry removes.
  const text = wanted && (await bodies.get(wanted.id, 'document'));
  const done =
    wanted && text !== undefined
      ? await mirror.put(path, wanted.id, text, there?.etag)
      : there === undefined || (await mirror.remove(path, there.etag));
  if (!done) throw new Partial(`the mirror's object at ${path} changed meanwhile`);
}
