import { processRuntime } from '#lib/runtime/compose.ts';
import { ROUTES } from '#lib/runtime/routes.ts';
import type { Runtime } from '#lib/runtime/runtime.ts';
import { httpStack } from '#lib/runtime/stacks.ts';

/** Routes that read (R6, R5.3, R5.4). */
export const create = (runtime: () => Runtime) => httpStack(runtime, ROUTES);

export const handler = create(processRuntime);
