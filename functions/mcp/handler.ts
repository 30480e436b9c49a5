import { processRuntime } from '#lib/runtime/compose.ts';
import { createExchange } from '#lib/runtime/mcp/exchange.ts';
import { mcpRoutes } from '#lib/runtime/routes/mcp.ts';
import type { Runtime } from '#lib/runtime/runtime.ts';
import { httpStack } from '#lib/runtime/stacks.ts';

/** `/mcp`: the same for agents, over MCP (R5.4, R6). */
export const create = (runtime: () => Runtime) =>
  httpStack(runtime, (made) => mcpRoutes.map((route) => ({ ...route, exchange: createExchange(made) })));

export const handler = create(processRuntime);
