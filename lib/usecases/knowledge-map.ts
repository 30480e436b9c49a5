import type { Caller } from '#lib/core/caller.ts';
import { mapDomains, knowledgeMap as mapOf } from '#lib/core/knowledge-map.ts';
import { visibleDomains } from '#lib/core/visible-domains.ts';
import type { Instance } from '#lib/usecases/instance.ts';

/**
 * The knowledge map as this caller sees it: YAML, within `map_budget_tokens`, without a model call (R5.3). Documents come
 * from the ledger, so a new one is there at once; its domain's text follows (R5.1).
 */
export const knowledgeMap =
  ({ catalog, domains, settings }: Instance) =>
  async ({ scopes }: Pick<Caller, 'scopes'>): Promise<string> => {
    const [f, texts] = await Promise.all([catalog.refresh(), domains.list()]);
    return mapOf(mapDomains(f, visibleDomains(f, scopes), texts), settings.map_budget_tokens);
  };
