import { type Fold, isLiveState, type LiveState } from '#lib/core/fold-state.ts';
import type { ItemRow } from '#lib/core/item.ts';
import type { IndexDocument, ProjectionRow, Removal } from '#lib/core/rows.ts';
import type { Instance } from '#lib/usecases/instance.ts';
import type { Applied } from '#lib/usecases/recent-changes.ts';
import { sideBySide } from '#lib/usecases/side-by-side.ts';

/**
 * The row of an index that is there. One that is gone, or was never made, is made under a new name, with one create
 * call, and everything is replayed into it; when that stays unclear the next pass takes another name.
 */
export async function ensureIndex(
  { index, projections, random }: Instance,
  token: string,
  row: ProjectionRow,
): Promise<ProjectionRow | undefined> {
  if (row.physical !== '' && (await index.exists(row.physical))) return row;
  const physical = `knowledge-${random.hex(12)}`;
  await index.create(physical);
  const named = await projections.rebase(row.name, token, row, physical);
  return named ? { ...row, physical, W: 0, parked: [] } : undefined;
}

/** So many documents are held at a time: a late pass writes more than a function has room for, with all their vectors. */
const PAGE = 100;

/** Writes what the entries changed, each item once with its last state. Returns the live items that the engine refuses. */
export async function writeIndex(
  instance: Instance,
  row: ProjectionRow,
  f: Fold,
  changes: readonly Applied[],
): Promise<string[]> {
  const versions = new Map<string, number>();
  for (const { change } of changes) for (const id of change.touched) versions.set(id, change.entry.position);
  const items = [...versions.keys()].map((id) => f.items.get(id)!).filter(({ live_pos }) => live_pos > 0);
  // Before the first wait: the fold may be the catalog's, which moves on meanwhile.
  const live = items.filter(isLiveState);
  const removals: Removal[] = items
    .filter((item) => !isLiveState(item))
    .map(({ id }) => ({ id, version: versions.get(id)!, live: false }));
  const refused: string[] = [];
  const missing: string[] = [];
  for (let n = 0; n === 0 || n < live.length; n += PAGE) {
    const page = await documentsOf(instance, live.slice(n, n + PAGE), versions);
    missing.push(...page.missing);
    const written = [...page.documents, ...(n === 0 ? removals : [])];
    if (written.length > 0) refused.push(...(await instance.index.bulk(row.physical, written)).refused);
  }
  if (refused.length + missing.length > 0) instance.log.warn('parked', { refused, missing });
  const parked = new Set([...row.parked.filter((id) => !versions.has(id)), ...refused, ...missing]);
  return [...parked].filter((id) => isLiveState(f.items.get(id)));
}

/** Writes what was parked and can be written now: its vectors came later. Returns what stays parked. */
export async function retryParked(instance: Instance, row: ProjectionRow, f: Fold): Promise<string[]> {
  const live = row.parked.map((id) => f.items.get(id)).filter(isLiveState);
  const versions = new Map(live.map(({ id, live_pos }) => [id, live_pos]));
  const { documents, missing } = await documentsOf(instance, live, versions);
  if (documents.length === 0) return missing;
  const { refused } = await instance.index.bulk(row.physical, documents);
  return [...missing, ...refused];
}

/** The documents of live items. Vectors were stored before the append: a projection never calls a model. */
export async function documentsOf(
  { items, vectors, model }: Instance,
  live: readonly LiveState[],
  versions: ReadonlyMap<string, number>,
): Promise<{ documents: IndexDocument[]; missing: string[] }> {
  const ids = live.map(({ id }) => id);
  if (ids.length === 0) return { documents: [], missing: [] };
  const [stored, embedded] = await Promise.all([items.getMany(ids), vectors.tasks(ids)]);
  const rows = new Map(stored.map((row) => [row.id, row]));
  const tasks = new Map(embedded.map((task) => [task.id, task]));
  const documents: IndexDocument[] = [];
  const missing: string[] = [];
  await sideBySide(live, async (item) => {
    const row = rows.get(item.id);
    const task = tasks.get(item.id);
    const sections = await vectors.sections(item.id, model.embedder.name);
    // Erased meanwhile: a later entry, which this pass or the next one reaches, takes it out.
    if (!row || row.status === 'removed') return;
    if (task?.model === model.embedder.name && sections)
      documents.push(documentOf(item, row, versions.get(item.id)!, task.vector, sections));
    else missing.push(item.id);
  });
  return { documents, missing };
}

const documentOf = (
  item: LiveState,
  row: ItemRow,
  version: number,
  task_vector: number[],
  sections: IndexDocument['sections'],
): IndexDocument => ({
  id: item.id,
  version,
  live: true,
  domain: row.domain,
  scopes: row.scopes,
  title: row.fields.title || row.task,
  keywords: row.fields.keywords,
  about: [row.fields.summary, ...row.fields.covers, row.fields.when_to_retrieve].join('\n'),
  task_vector,
  sections,
});
