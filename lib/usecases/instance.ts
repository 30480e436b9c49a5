import type * as z from 'zod';
import type { Entry } from '#lib/core/entry.ts';
import { Partial } from '#lib/core/errors.ts';
import { followChange } from '#lib/core/fold-keywords.ts';
import { emptyFold, type Fold } from '#lib/core/fold-state.ts';
import { emptyKeywordIndex, type KeywordIndex } from '#lib/core/keyword-index.ts';
import { Settings } from '#lib/core/settings.ts';
import type { Ledger, Ports } from '#lib/ports.ts';
import { type Applied, applyEntry, createRecentChanges } from '#lib/usecases/recent-changes.ts';
import { createStoredCatalogs, type StoredCatalogs } from '#lib/usecases/stored-catalogs.ts';

/** One running function: the outside, its settings, and the fold that it keeps in memory between calls. */
export interface Instance extends Ports {
  settings: Settings;
  catalog: Catalog;
  /** Where a fold may start that is not to be read from the first entry on. */
  stored_catalogs: StoredCatalogs;
  /** Folds at the W of a projection that is further behind than `catalog.changesAfter` reaches, between two passes. */
  projected: Map<string, Fold>;
  /** The search index that lookups read last, and when (epoch milliseconds); `''` before the first. */
  known_index: { physical: string; read_at: number };
  /** Where the last page of each audit ended. */
  audited: Record<'mirror' | 'index' | 'bodies' | 'fields' | 'sections' | 'tasks', string>;
}

/** The fold in memory. It only moves forward, over contiguous entries; concurrent calls of one instance share it. */
export interface Catalog {
  readonly fold: Fold;
  /** The keywords of the fold's live items. */
  readonly keywords: KeywordIndex;
  /** The `decision_id` of the entry at the fold's position; `''` before the first. */
  readonly head: string;
  /** Applies entries that continue the fold; others (known already, or after a gap) are left. */
  apply(entries: readonly Entry[]): void;
  /** Reads the tail up to the head of the ledger; where that is far, and at first, from a snapshot on. */
  refresh(): Promise<Fold>;
  /** What every entry after `position` changed, up to the fold's; `undefined` = not known that far back. */
  changesAfter(position: number): Applied[] | undefined;
}

const PAGE = 500;
/** A page may come with a gap; an entry that stays unreadable, or unknown, stops the instance. */
const READS_AT_A_GAP = 3;

export function createCatalog(
  ledger: Ledger,
  stored?: StoredCatalogs,
  reload_behind = Number.POSITIVE_INFINITY,
): Catalog {
  const fold = emptyFold();
  const keywords = emptyKeywordIndex();
  let head = '';
  const goOnFromLatest = async (): Promise<void> => {
    const found = await stored?.after(fold.position);
    // The tail may have carried the fold on meanwhile: it only moves forward.
    if (!found || found.position <= fold.position) return;
    // In place, and at once: calls under way hold the fold, and never see half of another.
    Object.assign(fold, found.fold());
    Object.assign(keywords, found.keywords());
    head = found.head;
  };
  let started: Promise<void> | undefined;
  let reloading: Promise<void> | undefined;
  /** Calls that need it together wait for one. */
  const reload = (): Promise<void> => {
    reloading ??= goOnFromLatest().finally(() => {
      reloading = undefined;
    });
    return reloading;
  };
  const recent = createRecentChanges();
  const apply = (entries: readonly Entry[]) => {
    for (const e of entries) {
      if (e.position <= fold.position) continue;
      const applied = applyEntry(fold, e);
      if (!applied) return;
      followChange(keywords, fold, applied.change);
      recent.add(applied);
      head = e.decision_id;
    }
  };
  return {
    fold,
    keywords,
    get head() {
      return head;
    },
    apply,
    changesAfter: (position) => recent.after(position, fold),
    async refresh() {
      await (started ??= reload());
      let read = 0;
      let reloaded = false;
      for (let stuck = 0; stuck < READS_AT_A_GAP; ) {
        const before = fold.position;
        const page = await ledger.readAfter(before, PAGE);
        apply(page);
        const last = page.at(-1)?.position ?? 0;
        if (page.length < PAGE && last <= fold.position) return fold;
        stuck = fold.position > before ? 0 : stuck + 1;
        read += page.length;
        if (read < reload_behind || reloaded) continue;
        reloaded = true;
        await reload();
      }
      throw new Partial(`the ledger's entry ${fold.position + 1} cannot be read`);
    },
  };
}

export function createInstance(ports: Ports, settings: z.input<typeof Settings> = {}): Instance {
  const parsed = Settings.parse(settings);
  const stored_catalogs = createStoredCatalogs(ports);
  return {
    ...ports,
    settings: parsed,
    catalog: createCatalog(ports.ledger, stored_catalogs, parsed.reload_behind),
    stored_catalogs,
    projected: new Map(),
    known_index: { physical: '', read_at: Number.NEGATIVE_INFINITY },
    audited: { mirror: '', index: '', bodies: '', fields: '', sections: '', tasks: '' },
  };
}
