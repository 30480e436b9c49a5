import { decodeSnapshot } from '#lib/core/catalog-snapshot.ts';
import { SNAPSHOT_SCHEMA } from '#lib/core/catalog-snapshot-write.ts';
import { Unclear } from '#lib/core/errors.ts';
import type { Fold } from '#lib/core/fold-state.ts';
import type { KeywordIndex } from '#lib/core/keyword-index.ts';
import { keywordsFromColumns } from '#lib/core/keyword-snapshot.ts';
import type { Ports } from '#lib/ports.ts';

/** A snapshot of the catalog in memory: folds that start from it share its columns. */
export interface StoredCatalog {
  position: number;
  /** The `decision_id` of the entry at its position. */
  head: string;
  fold(): Fold;
  keywords(): KeywordIndex;
}

/**
 * Snapshots as one instance reads them. Whatever keeps one from being read, or makes it doubtful, is a warning and no
 * error: without it the ledger is folded from the first entry on.
 */
export interface StoredCatalogs {
  /** The latest one after `position`. Asks the store anew. */
  after(position: number): Promise<StoredCatalog | undefined>;
  /** One that is not after `position`, the one in memory rather than a later one; `undefined` = none is known. */
  upTo(position: number): Promise<StoredCatalog | undefined>;
}

export function createStoredCatalogs({
  snapshots,
  ledger,
  log,
}: Pick<Ports, 'snapshots' | 'ledger' | 'log'>): StoredCatalogs {
  let held: StoredCatalog | undefined;
  /** Positions in the store when it was asked last, the latest first. */
  let known: number[] | undefined;

  const list = async (): Promise<number[]> => {
    const listed = await snapshots.list();
    const mine = listed.filter(({ schema }) => schema === SNAPSHOT_SCHEMA);
    if (mine.length === 0 && listed.length > 0)
      log.warn('no snapshot of this version', { schema: SNAPSHOT_SCHEMA, listed });
    known = mine.map(({ position }) => position).sort((a, b) => b - a);
    return known;
  };

  const load = async (position: number): Promise<StoredCatalog | undefined> => {
    if (position === held?.position) return held;
    const [bytes, [entry]] = await Promise.all([
      snapshots.get(SNAPSHOT_SCHEMA, position),
      ledger.readAfter(position - 1, 1),
    ]);
    // A newer one has taken its place meanwhile.
    if (!bytes) return undefined;
    const { head, fold, more, ...snapshot } = decodeSnapshot(bytes);
    if (snapshot.position !== position) throw new Error(`it is one of ${snapshot.position}`);
    // The ledger was restored to an earlier time, and went another way since; or the page came with a gap.
    if (entry?.position !== position || entry.decision_id !== head) throw new Error('the ledger is another');
    return { position, head, fold, keywords: keywordsFromColumns(more) };
  };

  /** The first that can be read. */
  const firstOf = async (positions: () => Promise<number[]>): Promise<StoredCatalog | undefined> => {
    let position: number | undefined;
    try {
      for (position of await positions()) {
        const loaded = await load(position).catch((error: unknown) => {
          // Who does not answer for one does not answer for the next: the time that is left is the ledger's.
          if (error instanceof Unclear) throw error;
          refuse(position, error);
        });
        if (!loaded) continue;
        if (!held || position > held.position) held = loaded;
        return loaded;
      }
    } catch (error) {
      refuse(position, error);
    }
    return undefined;
  };
  const refuse = (position: number | undefined, error: unknown): void =>
    log.warn('snapshot not usable', { position, why: String(error) });

  return {
    after: (position) => firstOf(async () => (await list()).filter((each) => each > position)),
    async upTo(position) {
      if (held && held.position <= position) return held;
      return firstOf(async () => (known ?? (await list())).filter((each) => each <= position));
    },
  };
}
