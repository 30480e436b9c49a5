import { processRuntime } from '#lib/runtime/compose.ts';
import { scheduleStack } from '#lib/runtime/stacks.ts';
import { sweepOnce } from '#lib/runtime/work.ts';

/** Every minute: sets right what a crash, a lost message or an outage left behind (R4.8). */
export const handler = scheduleStack(processRuntime, sweepOnce);
