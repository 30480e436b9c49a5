import { processRuntime } from '#lib/runtime/compose.ts';
import { queueStack } from '#lib/runtime/stacks.ts';
import { recomputeMessage } from '#lib/runtime/work.ts';

/** The recompute queue: one domain's text (R5). */
export const handler = queueStack(processRuntime, 'recompute', recomputeMessage);
