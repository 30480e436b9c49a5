import { Partial } from '#lib/core/errors.ts';
import { type Fold, isLiveState } from '#lib/core/fold-state.ts';
import type { Instance } from '#lib/usecases/instance.ts';
import type { Applied } from '#lib/usecases/recent-changes.ts';
import { sideBySide } from '#lib/usecases/side-by-side.ts';

/** `knowledge_base/` after a batch of entries: the bytes of each changed path's live, unscoped document. */
export async function writeMirror(instance: Instance, f: Fold, changes: readonly Applied[]): Promise<void> {
  const paths = new Set(changes.flatMap(({ change }) => [...change.paths]));
  const shown = [...paths].map((path) => ({ path, id: shownAt(f, path) }));
  await sideBySide(shown, ({ path, id }) => show(instance, path, id));
}

/**
 * Makes the object at the path what the fold says. It cannot be guarded by position (A → B → A has equal ETags), so the
 * write is conditional on the ETag read, and the sweep audits.
 */
export const mirrorPath = (instance: Instance, f: Fold, path: string): Promise<void> =>
  show(instance, path, shownAt(f, path));

function shownAt(f: Fold, path: string): string | undefined {
  const holder = f.paths.get(path)?.holder;
  const item = holder === undefined ? undefined : f.items.get(holder);
  return isLiveState(item) && item.scopes.length === 0 ? item.id : undefined;
}

async function show({ mirror, bodies }: Instance, path: string, id: string | undefined): Promise<void> {
  const there = await mirror.head(path);
  if (id === there?.item_id) return;
  // A body that is gone belongs to an item that a later entry removes.
  const text = id === undefined ? undefined : await bodies.get(id, 'document');
  const done =
    id !== undefined && text !== undefined
      ? await mirror.put(path, id, text, there?.etag)
      : there === undefined || (await mirror.remove(path, there.etag));
  if (!done) throw new Partial(`the mirror's object at ${path} changed meanwhile`);
}
