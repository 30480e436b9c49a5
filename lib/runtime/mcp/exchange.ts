import { WebStandardStreamableHTTPServerTransport } from '@modelcontextprotocol/sdk/server/webStandardStreamableHttp.js';
import { ErrorCode } from '@modelcontextprotocol/sdk/types.js';
import { InvalidInput } from '#lib/core/errors.ts';
import { parseJson } from '#lib/core/json-input.ts';
import { bodyText, type GatewayEvent, type GatewayReply, headerOf, jsonReply } from '#lib/runtime/http.ts';
import { createMcpServer, type McpContext } from '#lib/runtime/mcp/server.ts';
import { type SessionIds, sessionIds } from '#lib/runtime/mcp/session-id.ts';
import type { Exchange } from '#lib/runtime/route.ts';
import type { Runtime } from '#lib/runtime/runtime.ts';
import { endSession } from '#lib/usecases/end-session.ts';

const SESSION_HEADER = 'mcp-session-id';
const BODY_LIMIT_BYTES = 256 * 1024;
/** Codes of the SDK's own transport. */
const BAD_REQUEST = -32000;
const SESSION_NOT_FOUND = -32001;

/** The address means nothing: the transport reads headers alone. */
const ADDRESS = 'http://knowhub/mcp';

/**
 * MCP over HTTP, one request and one reply each: no stream, and nothing in memory between two requests, so that any
 * running function answers any of them. The session's id is signed for its caller, and is the session of its lookups
 * (R6.7). Throws when it was not told with what to sign.
 */
export function createExchange({ instance, meter, log, mcp_session_key }: Runtime): Exchange {
  if (mcp_session_key === undefined) throw new Error('MCP_SESSION_KEY is not set');
  return async (caller, event, request_id) => {
    const ids = sessionIds(mcp_session_key, caller.principal);
    const context = (session_id: string) => ({ instance, meter, log, caller, session_id, request_id });
    const { method } = event.requestContext.http;
    if (method === 'GET') {
      const reply = refusal(405, BAD_REQUEST, 'no stream is offered: every POST has its reply');
      return { ...reply, headers: { ...reply.headers, allow: 'POST, DELETE' } };
    }
    if (method === 'DELETE') {
      const given = givenSession(event, ids);
      if (typeof given !== 'string') return given;
      await endSession(instance)(caller, { session_id: given });
      return { statusCode: 204, headers: {}, body: '' };
    }

    const said = messagesOf(event);
    if ('statusCode' in said) return said;
    if (said.initializes) {
      const session_id = ids.mint(instance.random);
      const reply = await speak(context(session_id), event, said.messages);
      return initialised(reply) ? withSession(reply, session_id) : reply;
    }
    const given = givenSession(event, ids);
    return typeof given === 'string' ? speak(context(given), event, said.messages) : given;
  };
}

/** The session that the request names, or what is wrong with it. */
function givenSession(event: GatewayEvent, ids: SessionIds): string | GatewayReply {
  const given = headerOf(event, SESSION_HEADER);
  if (given === undefined || given === '')
    return refusal(400, BAD_REQUEST, 'Mcp-Session-Id is missing: initialize gives one');
  return ids.isOurs(given) ? given : refusal(404, SESSION_NOT_FOUND, 'no such session: initialize anew');
}

type Said = { messages: unknown; initializes: boolean };

function messagesOf(event: GatewayEvent): Said | GatewayReply {
  let messages: unknown;
  try {
    messages = parseJson(bodyText(event, BODY_LIMIT_BYTES));
  } catch (error) {
    if (error instanceof InvalidInput) return refusal(400, ErrorCode.ParseError, error.message);
    throw error;
  }
  if (!Array.isArray(messages)) return { messages, initializes: isMethod(messages, 'initialize') };
  if (messages.length === 0) return refusal(400, ErrorCode.InvalidRequest, 'an empty batch');
  // Nothing that another request began is under way here; what this one begins would never be answered.
  const kept = messages.filter((message) => !isMethod(message, 'notifications/cancelled'));
  return { messages: kept, initializes: kept.some((message) => isMethod(message, 'initialize')) };
}

const isMethod = (message: unknown, method: string): boolean =>
  typeof message === 'object' && message !== null && Reflect.get(message, 'method') === method;

async function speak(context: McpContext, event: GatewayEvent, messages: unknown): Promise<GatewayReply> {
  const server = createMcpServer(context);
  server.onerror = (error) => context.log.debug('mcp', { why: error.message });
  const transport = new WebStandardStreamableHTTPServerTransport({ enableJsonResponse: true });
  await server.connect(transport);
  try {
    const request = new Request(ADDRESS, { method: 'POST', headers: headersOf(event) });
    const response = await transport.handleRequest(request, { parsedBody: messages });
    const type = response.headers.get('content-type');
    return {
      statusCode: response.status,
      headers: type === null ? {} : { 'content-type': type },
      body: await response.text(),
    };
  } finally {
    await server.close();
  }
}

/** What the transport looks at. Who does not say what it accepts accepts JSON; a stream, which it asks for, is never sent. */
function headersOf(event: GatewayEvent): Record<string, string> {
  const accept = headerOf(event, 'accept') ?? '';
  const takes_json = accept.trim() === '' || /\*\/\*|\bapplication\/(json\b|\*)/i.test(accept);
  const given = {
    accept: takes_json ? 'application/json, text/event-stream' : accept,
    'content-type': headerOf(event, 'content-type'),
    'mcp-protocol-version': headerOf(event, 'mcp-protocol-version'),
  };
  return Object.fromEntries(
    Object.entries(given).flatMap(([name, value]) => (value === undefined ? [] : [[name, value]])),
  );
}

/** An initialize that was refused opens no session. */
const initialised = ({ statusCode, body }: GatewayReply): boolean =>
  statusCode === 200 && Object.hasOwn(Object(JSON.parse(body)), 'result');

const withSession = (reply: GatewayReply, session_id: string): GatewayReply => ({
  ...reply,
  headers: { ...reply.headers, [SESSION_HEADER]: session_id },
});

const refusal = (status: number, code: number, message: string): GatewayReply =>
  jsonReply(status, { jsonrpc: '2.0', error: { code, message }, id: null });
