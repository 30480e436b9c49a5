import { encodeSnapshot, SNAPSHOT_SCHEMA } from '#lib/core/catalog-snapshot-write.ts';
import { keywordsToColumns } from '#lib/core/keyword-snapshot.ts';
import type { Instance } from '#lib/usecases/instance.ts';

/** The one before the latest is there for whoever has just read its name. */
const KEPT = 2;

/**
 * Writes a snapshot of the catalog when the last one is `snapshot_every` entries behind, or older than an erasure: what
 * was erased must not live on in it (R3.6). Drops the ones before, and at once those that hold what was erased. Returns
 * how many were written.
 */
export async function storeCatalog(instance: Instance): Promise<number> {
  const { catalog, snapshots, settings } = instance;
  // Before the ledger: what is listed lies at or before the head that is read then.
  const listed = await snapshots.list();
  const f = await catalog.refresh();
  const { position, erased_at } = f;
  // One after the head is of a ledger that was restored to an earlier time since.
  const mine = listed.filter((each) => each.schema === SNAPSHOT_SCHEMA && each.position <= position);
  const latest = Math.max(0, ...mine.map((each) => each.position));
  const due = position - latest >= settings.snapshot_every || (latest > 0 && latest < erased_at);
  try {
    if (due) {
      // The fold may move on while it is being put.
      const bytes = encodeSnapshot(f, catalog.head, keywordsToColumns(catalog.keywords));
      await snapshots.put(SNAPSHOT_SCHEMA, position, bytes);
      mine.push({ schema: SNAPSHOT_SCHEMA, position });
    }
  } finally {
    const stays = new Set(
      mine
        .map((each) => each.position)
        .sort((a, b) => b - a)
        .slice(0, KEPT),
    );
    for (const each of listed) {
      const kept = each.schema !== SNAPSHOT_SCHEMA || stays.has(each.position);
      // Those of other versions, too: instances of a deployment under way may still read them, but nothing erased.
      if (!kept || each.position < erased_at) await snapshots.remove(each.schema, each.position);
    }
  }
  return due ? 1 : 0;
}
