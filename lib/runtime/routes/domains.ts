import * as z from 'zod';
import { ItemId } from '#lib/core/item.ts';
import { type Route, route } from '#lib/runtime/route.ts';
import { ByType } from '#lib/runtime/routes/fields.ts';
import { knowledgeMap } from '#lib/usecases/knowledge-map.ts';
import { Domain, listDomains } from '#lib/usecases/list-domains.ts';
import { AllRelations, listRelations, RelationsOfType } from '#lib/usecases/list-relations.ts';
import { relationsByType } from '#lib/usecases/relations.ts';

/** Domains, the map that they make, and the relation cache. */
export const domainRoutes: readonly Route[] = [
  route({
    method: 'GET',
    path: '/api/domains',
    function: 'lookup',
    summary: 'Domains with live items',
    status: 200,
    caller_scopes: 'query',
    output: z.strictObject({ domains: z.array(Domain) }),
    use_case: (instance) => async (caller) => ({ domains: await listDomains(instance)(caller) }),
  }),
  route({
    method: 'GET',
    path: '/api/knowledge-map',
    function: 'lookup',
    summary: 'The knowledge map as YAML',
    status: 200,
    caller_scopes: 'query',
    media: 'application/yaml',
    output: z.string(),
    use_case: (instance) => (caller) => knowledgeMap(instance)(caller),
  }),
  route({
    method: 'GET',
    path: '/api/relations',
    function: 'lookup',
    summary: 'All relations by type: ids and pairs',
    status: 200,
    caller_scopes: 'query',
    output: AllRelations,
    use_case: (instance) => (caller) => listRelations(instance)(caller),
  }),
  route({
    method: 'GET',
    path: '/api/relations/{type}',
    function: 'lookup',
    summary: 'Relations of one type: ids and pairs; with item only the pairs that it is in',
    status: 200,
    caller_scopes: 'query',
    params: ByType,
    query: z.strictObject({ item: ItemId.optional() }),
    output: RelationsOfType,
    use_case:
      (instance) =>
      async (caller, { params: { type }, query: { item } }) => ({
        type,
        ...(await relationsByType(instance)(caller, type, item)),
      }),
  }),
];
