import { Partial } from '#lib/core/errors.ts';
import { emptyFold, type Fold } from '#lib/core/fold-state.ts';
import type { ProjectionName, ProjectionRow } from '#lib/core/rows.ts';
import type { Instance } from '#lib/usecases/instance.ts';
import { writeIndex } from '#lib/usecases/project-index.ts';
import { writeMirror } from '#lib/usecases/project-mirror.ts';
import { writeRecords } from '#lib/usecases/project-records.ts';
import { type Applied, applyEntry } from '#lib/usecases/recent-changes.ts';

/** Entries after W, in ledger order, and the fold after the last of them, at position `W`. */
export interface Batch {
  f: Fold;
  W: number;
  changes: Applied[];
}

const BATCH = 100;
const PAGE = 500;

/**
 * What comes after W. A projection that is a little behind needs neither a read nor a fold of its own: the catalog
 * knows what the last entries changed. One that is far behind is folded up to W, and then a batch at a time.
 */
export async function nextBatch(
  instance: Instance,
  name: ProjectionName,
  { W }: ProjectionRow,
): Promise<Batch> {
  const { catalog, ledger, projected } = instance;
  const recent = catalog.changesAfter(W);
  if (recent) {
    projected.delete(name);
    return { f: catalog.fold, W: catalog.fold.position, changes: recent };
  }
  // Taken out while we work on it: a pass that breaks off leaves a fold that is ahead of its W.
  const kept = projected.get(name);
  projected.delete(name);
  const f = await foldAt(instance, kept, W);
  const changes: Applied[] = [];
  for (const entry of await ledger.readAfter(W, BATCH)) {
    const applied = applyEntry(f, entry);
    if (!applied) break;
    changes.push(applied);
  }
  projected.set(name, f);
  return { f, W: f.position, changes };
}

/** The fold of the entries up to W: the one kept from the last batch if it is not ahead, else from a snapshot or the first on. */
async function foldAt(
  { ledger, stored_catalogs }: Instance,
  kept: Fold | undefined,
  W: number,
): Promise<Fold> {
  const f = kept && kept.position <= W ? kept : ((await stored_catalogs.upTo(W))?.fold() ?? emptyFold());
  while (f.position < W) {
    const before = f.position;
    for (const entry of await ledger.readAfter(before, Math.min(PAGE, W - before)))
      if (!applyEntry(f, entry)) break;
    if (f.position === before) throw new Partial(`the ledger's entry ${before + 1} cannot be read`);
  }
  return f;
}

/** Throws when something is unclear or partial, and W stays. Returns what the engine refuses. */
export async function writeBatch(
  instance: Instance,
  name: ProjectionName,
  row: ProjectionRow,
  f: Fold,
  changes: readonly Applied[],
  domains: Set<string>,
): Promise<string[]> {
  switch (name) {
    case 'records':
      for (const domain of await writeRecords(instance, f, changes)) domains.add(domain);
      return row.parked;
    case 'mirror':
      await writeMirror(instance, f, changes);
      return row.parked;
    case 'index':
      return writeIndex(instance, row, f, changes);
  }
}
