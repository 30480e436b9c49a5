import { type Fold, type ItemState, isLiveState, isRemoved } from '#lib/core/fold-state.ts';
import type { Removal } from '#lib/core/rows.ts';
import type { Instance } from '#lib/usecases/instance.ts';
import { documentsOf } from '#lib/usecases/project-index.ts';
import { mirrorPath } from '#lib/usecases/project-mirror.ts';

const PAGE = 200;

/** One page of paths whose mirror object is made what the fold says. Returns how many were wrong. */
export async function auditMirror(instance: Instance): Promise<number> {
  const { mirror, projections, catalog, audited } = instance;
  const f = await catalog.refresh();
  // Only a fold that has reached W can tell: what the projector wrote is then in it.
  if (((await projections.get('mirror'))?.W ?? 0) !== f.position) return 0;
  const listed = await mirror.list(audited.mirror, PAGE);
  const last = listed.length < PAGE ? '' : listed.at(-1)!;
  const held = [...f.paths].filter(([path, { holder }]) => holder !== undefined && path > audited.mirror);
  const due = held.map(([path]) => path).filter((path) => last === '' || path <= last);
  audited.mirror = last;
  let mended = 0;
  for (const path of new Set([...listed, ...due])) {
    const item = f.items.get(f.paths.get(path)?.holder ?? '');
    const wanted = isLiveState(item) && item.scopes.length === 0 ? item.id : undefined;
    if ((await mirror.head(path))?.item_id === wanted) continue;
    await mirrorPath(instance, f, path);
    mended += 1;
  }
  return mended;
}

/** One page of ledger items whose copy in the index is compared with the fold at W, and written again where it differs. */
export async function auditIndex(instance: Instance): Promise<number> {
  const { index, projections, catalog, audited, settings } = instance;
  const f = await catalog.refresh();
  const row = await projections.get(await projections.pointer());
  if (!row || row.physical === '' || row.W !== f.position) return 0;
  const { ids, next } = nextItems(f, audited.index, settings.sweep_limit, ({ live_pos }) => live_pos > 0);
  audited.index = next;
  const there = new Map((await index.present(row.physical, ids)).map((each) => [each.id, each]));
  // Now, not before the wait: the position that is written as their version is the fold's of now.
  const page = ids.map((id) => f.items.get(id)!);
  const parked = new Set(row.parked);
  const missing = page.filter(isLiveState).filter(({ id }) => !parked.has(id) && !there.get(id)?.live);
  const stale = page.filter((item) => !isLiveState(item) && there.get(item.id)?.live);
  const versions = new Map([...missing, ...stale].map(({ id }) => [id, f.position]));
  const { documents } = await documentsOf(instance, missing, versions);
  const removals: Removal[] = stale.map(({ id }) => ({ id, version: f.position, live: false }));
  if (documents.length + removals.length > 0) await index.bulk(row.physical, [...documents, ...removals]);
  return documents.length + removals.length;
}

/** Indices that no projection names: created by a projector that died before it could name them. */
export async function reapIndices({ index, projections }: Instance): Promise<number> {
  const all = await index.list();
  const named = (await projections.get(await projections.pointer()))?.physical;
  const unnamed = all.filter((physical) => physical !== named);
  for (const physical of unnamed) await index.drop(physical);
  return unnamed.length;
}

/** Bodies that lie there for two hours without a row: their uploader died before it wrote one. */
export async function sweepBodies(instance: Instance): Promise<number> {
  const { bodies, items, vectors, clock, settings, audited } = instance;
  const before = clock.now() - settings.orphan_body_ttl_ms;
  const page = await bodies.list(audited.bodies, before, PAGE);
  audited.bodies = page.length < PAGE ? '' : page.at(-1)!.id;
  if (page.length === 0) return 0;
  const rows = new Set((await items.getMany(page.map(({ id }) => id))).map(({ id }) => id));
  const orphans = page.filter(({ id }) => !rows.has(id));
  for (const { id, kind } of orphans) {
    await vectors.erase(id);
    await bodies.erase(id, kind);
  }
  return orphans.length;
}

/**
 * Vectors of removed items: a worker stored them after the erasure, and died before it learned of that (R3.6). Returns
 * of how many items.
 */
export async function sweepVectors(instance: Instance): Promise<number> {
  const { vectors, catalog, audited } = instance;
  const f = await catalog.refresh();
  const sections = await vectors.listSections(audited.sections, PAGE);
  audited.sections = sections.length < PAGE ? '' : sections.at(-1)!.place;
  const removed = nextItems(f, audited.tasks, PAGE, ({ status }) => status === 'removed');
  audited.tasks = removed.next;
  const tasks = await vectors.tasks(removed.ids);
  const left = new Set([...sections, ...tasks].map(({ id }) => id).filter((id) => isRemoved(f, id)));
  for (const id of left) await vectors.erase(id);
  return left.size;
}

/** A page of such items, in id order after `after`, and where the next page begins: `''` = at the first item. */
function nextItems(
  f: Fold,
  after: string,
  limit: number,
  wanted: (item: ItemState) => boolean,
): { ids: string[]; next: string } {
  const ids = [...f.items.values()]
    .filter((item) => item.id > after && wanted(item))
    .map(({ id }) => id)
    .sort()
    .slice(0, limit);
  return { ids, next: ids.length < limit ? '' : ids.at(-1)! };
}
