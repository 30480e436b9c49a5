import { processRuntime } from '#lib/runtime/compose.ts';
import type { Runtime } from '#lib/runtime/runtime.ts';
import { queueStack } from '#lib/runtime/stacks.ts';
import { admitMessage } from '#lib/runtime/work.ts';

/** The admission queue: recall, judge, append (R4). */
export const create = (runtime: () => Runtime) => queueStack(runtime, 'admission', admitMessage);

export const handler = create(processRuntime);
