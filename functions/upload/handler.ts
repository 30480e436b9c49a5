import { processRuntime } from '#lib/runtime/compose.ts';
import { byTrigger, httpStack, queueStack } from '#lib/runtime/stacks.ts';
import { UPLOAD_ROUTES } from '#lib/runtime/upload-routes.ts';
import { inboxMessage } from '#lib/runtime/work.ts';

/** Routes that change knowledge, and files dropped into the inbox (R3). */
export const handler = byTrigger({
  http: httpStack(processRuntime, UPLOAD_ROUTES),
  queue: queueStack(processRuntime, 'inbox', inboxMessage),
});
