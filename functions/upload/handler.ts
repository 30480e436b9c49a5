import { processRuntime } from '#lib/runtime/compose.ts';
import { ROUTES } from '#lib/runtime/routes.ts';
import { byTrigger, httpStack, queueStack } from '#lib/runtime/stacks.ts';
import { inboxMessage } from '#lib/runtime/work.ts';

/** Routes that change knowledge, and files dropped into the inbox (R3). */
export const handler = byTrigger({
  http: httpStack(processRuntime, ROUTES),
  queue: queueStack(processRuntime, 'inbox', inboxMessage),
});
