import { createExchange } from '#lib/runtime/mcp/exchange.ts';
import { createRouter } from '#lib/runtime/router.ts';
import { mcpRoutes } from '#lib/runtime/routes/mcp.ts';
import type { Runtime } from '#lib/runtime/runtime.ts';
import type { Instance } from '#lib/usecases/instance.ts';
import { gatewayEvent } from '#test/support/api.ts';

const silent = () => undefined;

/** Reads the map over MCP under a token with these claims, the request stating these scopes. */
export function exchangeOf(instance: Instance) {
  const runtime: Runtime = {
    instance,
    auth: { mode: 'jwt', scopes_claim: 'scope' },
    path_encoding: 'decoded',
    log: { debug: silent, info: silent, warn: silent, error: silent },
    meter: silent,
    max_receives: 5,
    inbox_rules: [],
    mcp_session_key: 'a key of the test',
    prepare: async () => undefined,
  };
  const exchange = createExchange(runtime);
  const router = createRouter(instance, {
    ...runtime,
    routes: mcpRoutes.map((route) => ({ ...route, exchange })),
  });
  return async (claims: Record<string, unknown>, scopes: readonly string[]): Promise<string> => {
    const headers = { 'x-knowhub-scopes': scopes.join(',') };
    const post = (method: string, params: object, more: Record<string, string> = {}) =>
      router(
        gatewayEvent('POST', '/mcp', {
          claims,
          headers: { ...headers, ...more },
          body: { jsonrpc: '2.0', id: 1, method, params },
        }),
      );
    const clientInfo = { name: 'raw', version: '1' };
    const opened = await post('initialize', { protocolVersion: '2025-11-25', capabilities: {}, clientInfo });
    const session = { 'mcp-session-id': opened.headers['mcp-session-id'] ?? '' };
    return (await post('resources/read', { uri: 'knowhub://map' }, session)).body;
  };
}
