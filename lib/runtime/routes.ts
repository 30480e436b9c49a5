import * as z from 'zod';
import { openapiOf } from '#lib/runtime/openapi.ts';
import { type Route, route } from '#lib/runtime/route.ts';
import { documentRoutes } from '#lib/runtime/routes/documents.ts';
import { domainRoutes } from '#lib/runtime/routes/domains.ts';
import { knowledgeRoutes } from '#lib/runtime/routes/knowledge.ts';
import { lookupRoutes } from '#lib/runtime/routes/lookup.ts';
import { mcpRoutes } from '#lib/runtime/routes/mcp.ts';
import { UPLOAD_ROUTES } from '#lib/runtime/upload-routes.ts';

const contract = route({
  method: 'GET',
  path: '/api/openapi.json',
  function: 'lookup',
  summary: 'This contract',
  status: 200,
  output: z.looseObject({ openapi: z.string() }),
  use_case: () => async () => openapiOf(ROUTES),
});

/** The one table of routes (design, section 1): of the router, the stack, the local server and `openapi.json`. */
export const ROUTES: readonly Route[] = [
  ...lookupRoutes,
  ...knowledgeRoutes,
  ...documentRoutes,
  ...domainRoutes,
  ...UPLOAD_ROUTES,
  ...mcpRoutes,
  contract,
];
