import type { Entry } from '#lib/core/entry.ts';
import { step } from '#lib/core/fold.ts';
import { emptyFold, type Fold } from '#lib/core/fold-state.ts';
import { Settings } from '#lib/core/settings.ts';
import type { Ledger, Ports } from '#lib/ports.ts';

/** One running function: the outside, its settings, and the fold that it keeps in memory between calls. */
export interface Instance extends Ports {
  settings: Settings;
  catalog: Catalog;
}

/** The fold in memory. It only moves forward, over contiguous entries; concurrent calls of one instance share it. */
export interface Catalog {
  readonly fold: Fold;
  /** Applies entries that continue the fold; others (known already, or after a gap) are left. */
  apply(entries: readonly Entry[]): void;
  /** Reads the tail up to the head of the ledger. */
  refresh(): Promise<Fold>;
}

const PAGE = 500;

export function createCatalog(ledger: Ledger): Catalog {
  const fold = emptyFold();
  const apply = (entries: readonly Entry[]) => {
    for (const e of entries) if (e.position > fold.position && !step(fold, e)) return;
  };
  return {
    fold,
    apply,
    async refresh() {
      for (;;) {
        const page = await ledger.readAfter(fold.position, PAGE);
        apply(page);
        if (page.length < PAGE) return fold;
      }
    },
  };
}

export function createInstance(ports: Ports, settings: Partial<Settings> = {}): Instance {
  return { ...ports, settings: Settings.parse(settings), catalog: createCatalog(ports.ledger) };
}
