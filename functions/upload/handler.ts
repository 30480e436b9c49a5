import { processRuntime } from '#lib/runtime/compose.ts';
import type { Runtime } from '#lib/runtime/runtime.ts';
import { byTrigger, httpStack, queueStack } from '#lib/runtime/stacks.ts';
import { UPLOAD_ROUTES } from '#lib/runtime/upload-routes.ts';
import { inboxMessage } from '#lib/runtime/work.ts';

/** Routes that change knowledge, and files dropped into the inbox (R3). */
export const create = (runtime: () => Runtime) =>
  byTrigger({
    http: httpStack(runtime, UPLOAD_ROUTES),
    queue: queueStack(runtime, 'inbox', inboxMessage),
  });

export const handler = create(processRuntime);
