import { processRuntime } from '#lib/runtime/compose.ts';
import { queueStack } from '#lib/runtime/stacks.ts';
import { admitMessage } from '#lib/runtime/work.ts';

/** The admission queue: recall, judge, append (R4). */
export const handler = queueStack(processRuntime, 'admission', admitMessage);
