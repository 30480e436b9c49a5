import * as z from 'zod';
import { type Route, route } from '#lib/runtime/route.ts';
import { ByItem, flag, Removed } from '#lib/runtime/routes/fields.ts';
import { addEntry, EntryInput } from '#lib/usecases/add-entry.ts';
import { ImportReport, importLines } from '#lib/usecases/import-lines.ts';
import { ItemStatus, itemStatus } from '#lib/usecases/item-status.ts';
import { Processed, processItems } from '#lib/usecases/process-items.ts';
import { removeItem } from '#lib/usecases/remove.ts';
import { ReviewInput, review } from '#lib/usecases/review.ts';

const Queued = z.strictObject({
  status: z.literal('pending'),
  knowledge_id: z.string(),
  message: z.string(),
});

const IMPORT_BYTES = 4 * 1024 * 1024;

/** `/api/knowledge`, what changes it: items of both kinds. */
export const knowledgeChanges: readonly Route[] = [
  route({
    method: 'POST',
    path: '/api/knowledge',
    function: 'upload',
    summary: 'Queue an entry; it is compared with what is stored, and then admitted or rejected',
    status: 202,
    body: EntryInput,
    output: Queued,
    use_case:
      (instance) =>
      (caller, { body }) =>
        addEntry(instance)(caller, body),
  }),
  route({
    method: 'POST',
    path: '/api/knowledge/process',
    function: 'upload',
    summary: 'Queue up to 50 waiting items now; with force=true also those stuck in processing',
    status: 202,
    query: z.strictObject({ force: flag.optional() }),
    body: z.strictObject({ force: z.boolean().optional() }),
    output: Processed,
    use_case:
      (instance) =>
      (caller, { query, body }) =>
        processItems(instance)(caller, { force: body.force ?? query.force ?? false }),
  }),
  route({
    method: 'POST',
    path: '/api/knowledge/import',
    function: 'upload',
    summary: 'Bring existing entries in as approved, one a line, as JSON',
    status: 200,
    body: z.string(),
    body_format: 'lines',
    body_limit_bytes: IMPORT_BYTES,
    output: ImportReport,
    use_case:
      (instance) =>
      (caller, { body }) =>
        importLines(instance)(caller, body),
  }),
  route({
    method: 'DELETE',
    path: '/api/knowledge/{id}',
    function: 'upload',
    summary: 'Delete an item, pending ones included; it is erased',
    status: 200,
    caller_scopes: 'query',
    params: ByItem,
    output: Removed,
    use_case:
      (instance) =>
      async (caller, { params }) => ({
        ...(await removeItem(instance)(caller, params.id)),
        status: 'removed' as const,
      }),
  }),
  route({
    method: 'POST',
    path: '/api/knowledge/{id}/review',
    function: 'upload',
    summary: "A human's word: check, reject with a reason, restore",
    status: 200,
    params: ByItem,
    body: ReviewInput,
    output: ItemStatus,
    use_case:
      (instance) =>
      async (caller, { params, body }) => {
        await review(instance)(caller, params.id, body);
        return itemStatus(instance)(caller, params.id);
      },
  }),
];
