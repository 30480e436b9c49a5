import type { Server } from 'node:http';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import * as z from 'zod';
import type { Auth } from '#lib/runtime/caller.ts';
import { type GatewayEvent, headerOf } from '#lib/runtime/http.ts';
import { createGateway, listen } from '#lib/runtime/local/gateway.ts';
import { createExchange } from '#lib/runtime/mcp/exchange.ts';
import { createRouter } from '#lib/runtime/router.ts';
import { ROUTES } from '#lib/runtime/routes.ts';
import type { Runtime } from '#lib/runtime/runtime.ts';
import type { Instance } from '#lib/usecases/instance.ts';

/** Who signs a request to the test's gateway; API Gateway would say so in the event. */
export const CALLER_HEADER = 'x-test-caller';

export interface McpGateway {
  url: URL;
  /** What was logged as a fault of ours. */
  faults: unknown[];
  /** Names of metrics with their dimension, in order. */
  metered: string[];
  /** What came to `/mcp`, in order. */
  requests: GatewayEvent[];
  close(): Promise<void>;
}

const silent = () => undefined;

/** `/mcp` and all other routes over HTTP; each request goes to the next of the instances, as Lambda might have it. */
export async function mcpGateway(
  instances: readonly [Instance, ...Instance[]],
  options: { key?: string; auth?: Auth; port?: number } = {},
): Promise<McpGateway> {
  const { key = 'a key of the test', auth = { mode: 'iam' }, port = 0 } = options;
  const requests: GatewayEvent[] = [];
  const faults: unknown[] = [];
  const metered: string[] = [];
  const routers = instances.map((instance) => {
    const runtime: Runtime = {
      instance,
      auth,
      path_encoding: 'encoded',
      log: { debug: silent, info: silent, warn: silent, error: (_, __, error) => faults.push(error) },
      meter: (name, _, by) => metered.push(`${name} ${by}`),
      max_receives: 5,
      inbox_rules: [],
      mcp_session_key: key,
      prepare: async () => undefined,
    };
    const exchange = createExchange(runtime);
    const routes = ROUTES.map((route) => (route.function === 'mcp' ? { ...route, exchange } : route));
    return createRouter(instance, { ...runtime, routes });
  });
  let turn = 0;
  const server: Server = createGateway((event) => {
    turn += 1;
    requests.push(event);
    return routers[turn % routers.length]!(signed(event));
  });
  const listening = await listen(server, port);
  return {
    url: new URL(`http://127.0.0.1:${listening}/mcp`),
    faults,
    metered,
    requests,
    close: () =>
      new Promise((closed) => {
        server.close(() => closed());
        server.closeAllConnections();
      }),
  };
}

function signed(event: GatewayEvent): GatewayEvent {
  const userArn = headerOf(event, CALLER_HEADER);
  const authorizer = userArn === undefined ? {} : { authorizer: { iam: { userArn } } };
  return { ...event, requestContext: { ...event.requestContext, ...authorizer } };
}

export interface Connected {
  client: Client;
  transport: StreamableHTTPClientTransport;
  session_id: string;
  headers: Record<string, string>;
}

/** The SDK's own client, initialised. */
export async function connect(
  { url }: Pick<McpGateway, 'url'>,
  caller = 'arn:one',
  scopes: readonly string[] = [],
): Promise<Connected> {
  const headers = { [CALLER_HEADER]: caller, 'x-knowhub-scopes': scopes.join(',') };
  const transport = new StreamableHTTPClientTransport(url, { requestInit: { headers } });
  const client = new Client({ name: 'test', version: '1' });
  await client.connect(transport);
  return { client, transport, session_id: transport.sessionId ?? '', headers };
}

const Called = z.looseObject({
  content: z.array(z.object({ type: z.literal('text'), text: z.string() })),
  structuredContent: z.record(z.string(), z.unknown()).optional(),
  isError: z.boolean().optional(),
});

/** Calls a tool; the client checks the result against the tool's own schema. */
export async function callTool(client: Client, name: string, args: Record<string, unknown>) {
  // It compiles the schemas that it validates by when it lists the tools.
  await client.listTools();
  const { content, structuredContent, isError } = Called.parse(
    await client.callTool({ name, arguments: args }),
  );
  return { texts: content.map(({ text }) => text), structured: structuredContent, isError: isError === true };
}

/** A request as it goes over the wire, without the SDK. */
export async function post(
  url: URL,
  body: unknown,
  headers: Record<string, string> = {},
  method = 'POST',
): Promise<{ status: number; headers: Headers; body: unknown }> {
  const response = await fetch(url, {
    method,
    headers: { [CALLER_HEADER]: 'arn:one', 'content-type': 'application/json', ...headers },
    ...(body !== undefined && { body: typeof body === 'string' ? body : JSON.stringify(body) }),
  });
  const text = await response.text();
  return { status: response.status, headers: response.headers, body: text === '' ? '' : JSON.parse(text) };
}
