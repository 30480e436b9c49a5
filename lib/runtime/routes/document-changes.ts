import * as z from 'zod';
import { Status } from '#lib/core/item.ts';
import { type Route, route } from '#lib/runtime/route.ts';
import { ByPath, pathOf, Removed } from '#lib/runtime/routes/fields.ts';
import { removeDocument } from '#lib/usecases/remove.ts';
import { TicketInput, ticketForUpload } from '#lib/usecases/ticket-for-upload.ts';
import { UploadInput, uploadDocument } from '#lib/usecases/upload-document.ts';

const Uploaded = z.strictObject({
  id: z.string(),
  path: z.string(),
  status: Status,
  /** Identical bytes lie at the path already: nothing happened. */
  unchanged: z.boolean(),
  warnings: z.array(z.string()),
  generated: z.array(z.string()),
  missing: z.array(z.string()),
  stand_ins: z.array(z.string()).optional(),
});

const Ticket = z.strictObject({
  path: z.string(),
  url: z.string(),
  /** Of the form, in this order; then the file as `file`. */
  fields: z.record(z.string(), z.string()),
  max_bytes: z.number().int(),
  /** Seconds from now. */
  expires_in: z.number().int(),
});

/** A function is sent at most 6 MB; a text of 1 MB can become as long as this in JSON. */
const UPLOAD_BYTES = 6 * 1024 * 1024;

/** `/api/documents`, what changes them: Markdown files, by `{category}/{filename}`. */
export const documentChanges: readonly Route[] = [
  route({
    method: 'POST',
    path: '/api/documents',
    function: 'upload',
    summary: 'Upload a document; identical bytes at its path change nothing (200)',
    status: 202,
    also: { status: 200, when: ({ unchanged }) => unchanged },
    body: UploadInput,
    body_limit_bytes: UPLOAD_BYTES,
    output: Uploaded,
    use_case:
      (instance) =>
      (caller, { body }) =>
        uploadDocument(instance)(caller, body),
  }),
  route({
    method: 'POST',
    path: '/api/documents/uploads',
    function: 'upload',
    summary: 'A presigned form for a document that is too large for the API, up to 10 MB',
    status: 201,
    body: TicketInput,
    output: Ticket,
    use_case:
      (instance) =>
      (caller, { body }) =>
        ticketForUpload(instance)(caller, body),
  }),
  route({
    method: 'DELETE',
    path: '/api/documents/{path+}',
    function: 'upload',
    summary: 'Delete whatever lies, or waits, at a path; it is erased',
    status: 200,
    caller_scopes: 'query',
    params: ByPath,
    output: Removed,
    use_case:
      (instance) =>
      async (caller, { params }) => ({
        ...(await removeDocument(instance)(caller, pathOf(params.path))),
        status: 'removed' as const,
      }),
  }),
];
