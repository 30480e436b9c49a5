import * as z from 'zod';
import { LookupInput } from '#lib/core/lookup-request.ts';
import { PublicItem } from '#lib/core/public-item.ts';
import { type Route, route } from '#lib/runtime/route.ts';
import { ByItem, cursor, domain, flag, labels, limit, owner } from '#lib/runtime/routes/fields.ts';
import { getItem } from '#lib/usecases/get-item.ts';
import { ItemStatus, itemStatus } from '#lib/usecases/item-status.ts';
import { ItemPage, listItems } from '#lib/usecases/list-items.ts';
import { pendingItems, WaitingItems } from '#lib/usecases/pending-items.ts';
import { SearchReply, searchItems } from '#lib/usecases/search-items.ts';

/** `/api/knowledge`, what reads it. A fixed path stands before one with a variable. */
export const knowledgeRoutes: readonly Route[] = [
  route({
    method: 'GET',
    path: '/api/knowledge',
    function: 'lookup',
    summary: 'List live items, the latest first; with status=rejected those that people can restore',
    status: 200,
    caller_scopes: 'query',
    query: z.strictObject({
      limit,
      cursor,
      domain,
      types: labels.optional(),
      tags: labels.optional(),
      owner,
      related: flag.optional(),
      needs_review: flag.optional(),
      status: z.literal('rejected').optional(),
    }),
    output: ItemPage,
    use_case:
      (instance) =>
      (caller, { query }) =>
        listItems(instance)(caller, query),
  }),
  route({
    method: 'GET',
    path: '/api/knowledge/search',
    function: 'lookup',
    summary: 'Search live items by meaning and words, without a session',
    status: 200,
    caller_scopes: 'query',
    query: z.strictObject({ q: LookupInput.shape.query, domain, limit }),
    output: SearchReply,
    use_case:
      (instance) =>
      (caller, { query }) =>
        searchItems(instance)(caller, query),
  }),
  route({
    method: 'GET',
    path: '/api/knowledge/pending',
    function: 'lookup',
    summary: 'The queue: pending and processing items',
    status: 200,
    caller_scopes: 'query',
    query: z.strictObject({ limit }),
    output: WaitingItems,
    use_case:
      (instance) =>
      (caller, { query }) =>
        pendingItems(instance)(caller, query),
  }),
  route({
    method: 'GET',
    path: '/api/knowledge/status/{id}',
    function: 'lookup',
    summary: 'Status of an item, the decision with its reason, and its relations',
    status: 200,
    caller_scopes: 'query',
    params: ByItem,
    output: ItemStatus,
    use_case:
      (instance) =>
      (caller, { params }) =>
        itemStatus(instance)(caller, params.id),
  }),
  route({
    method: 'GET',
    path: '/api/knowledge/{id}',
    function: 'lookup',
    summary: 'One item with its text',
    status: 200,
    caller_scopes: 'query',
    params: ByItem,
    output: PublicItem,
    use_case:
      (instance) =>
      (caller, { params }) =>
        getItem(instance)(caller, params.id),
  }),
];
