import * as z from 'zod';
import { type Route, route } from '#lib/runtime/route.ts';
import { ByPath, cursor, domain, limit, offset, pathOf } from '#lib/runtime/routes/fields.ts';
import { DocumentText, getDocument } from '#lib/usecases/get-document.ts';
import { DocumentPage, listDocuments } from '#lib/usecases/list-documents.ts';

/** `/api/documents`, what reads them. */
export const documentRoutes: readonly Route[] = [
  route({
    method: 'GET',
    path: '/api/documents',
    function: 'lookup',
    summary: 'List live documents, the latest first',
    status: 200,
    caller_scopes: 'query',
    query: z.strictObject({ limit, cursor, domain }),
    output: DocumentPage,
    use_case:
      (instance) =>
      (caller, { query }) =>
        listDocuments(instance)(caller, query),
  }),
  route({
    method: 'GET',
    path: '/api/documents/{path+}',
    function: 'lookup',
    summary: 'The document in force at a path, verbatim; a very long one in pieces',
    status: 200,
    caller_scopes: 'query',
    params: ByPath,
    query: z.strictObject({ offset }),
    output: DocumentText,
    use_case:
      (instance) =>
      async (caller, { params, query }) =>
        getDocument(instance)(caller, pathOf(params.path), query.offset),
  }),
];
