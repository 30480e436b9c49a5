import * as z from 'zod';
import type { Caller } from '#lib/core/caller.ts';
import type { Fold } from '#lib/core/fold-state.ts';
import { visibleDomains } from '#lib/core/visible-domains.ts';
import type { Instance } from '#lib/usecases/instance.ts';

/** A domain as one caller sees it (R2.3); `document_count` counts the live documents that it may see. Times in epoch seconds. */
export const Domain = z.strictObject({
  domain_id: z.string(),
  description: z.string(),
  when_to_retrieve: z.string(),
  /** Model that wrote the two; a stand-in says so; empty before the first text. */
  model: z.string(),
  document_count: z.number().int(),
  created_at: z.number(),
  updated_at: z.number(),
});
export type Domain = z.infer<typeof Domain>;

/** The domains that hold live items which the caller may see, by name (R2.3). */
export const listDomains =
  ({ catalog, domains }: Instance) =>
  async ({ scopes }: Pick<Caller, 'scopes'>): Promise<Domain[]> => {
    const [f, rows] = await Promise.all([catalog.refresh(), domains.list()]);
    const written = new Map(rows.map((row) => [row.domain_id, row]));
    return [...visibleDomains(f, scopes)]
      .map(([domain_id, { items, documents }]) => {
        const row = written.get(domain_id) ?? unwritten(f, items);
        return {
          domain_id,
          description: row.description,
          when_to_retrieve: row.when_to_retrieve,
          model: row.model,
          document_count: documents.length,
          created_at: row.created_at,
          updated_at: row.updated_at,
        };
      })
      .sort((a, b) => (a.domain_id < b.domain_id ? -1 : 1));
  };

/** The projector has not come to the domain yet: its times are those of its decisions. */
function unwritten(f: Fold, ids: readonly string[]) {
  let created_at = Number.POSITIVE_INFINITY;
  let updated_at = 0;
  for (const id of ids) {
    const at = f.items.get(id)?.decided?.at ?? 0;
    created_at = Math.min(created_at, at);
    updated_at = Math.max(updated_at, at);
  }
  return { description: '', when_to_retrieve: '', model: '', created_at, updated_at };
}
