import { processRuntime } from '#lib/runtime/compose.ts';
import type { Runtime } from '#lib/runtime/runtime.ts';
import { queueStack } from '#lib/runtime/stacks.ts';
import { recomputeMessage } from '#lib/runtime/work.ts';

/** The recompute queue: one domain's text (R5). */
export const create = (runtime: () => Runtime) => queueStack(runtime, 'recompute', recomputeMessage);

export const handler = create(processRuntime);
