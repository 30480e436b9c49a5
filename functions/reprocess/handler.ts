import { processRuntime } from '#lib/runtime/compose.ts';
import type { Runtime } from '#lib/runtime/runtime.ts';
import { scheduleStack } from '#lib/runtime/stacks.ts';
import { sweepOnce } from '#lib/runtime/work.ts';

/** Every minute: sets right what a crash, a lost message or an outage left behind (R4.8). */
export const create = (runtime: () => Runtime) => scheduleStack(runtime, sweepOnce);

export const handler = create(processRuntime);
