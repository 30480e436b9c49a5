import { Server } from '@modelcontextprotocol/sdk/server/index.js';
import {
  CallToolRequestSchema,
  type CallToolResult,
  ErrorCode,
  GetPromptRequestSchema,
  ListPromptsRequestSchema,
  ListResourcesRequestSchema,
  ListResourceTemplatesRequestSchema,
  ListToolsRequestSchema,
  McpError,
  ReadResourceRequestSchema,
  type RequestId,
  type ServerResult,
} from '@modelcontextprotocol/sdk/types.js';
import * as z from 'zod';
import type { Caller } from '#lib/core/caller.ts';
import { InvalidInput } from '#lib/core/errors.ts';
import { sha256 } from '#lib/core/normalise.ts';
import { parseInput } from '#lib/core/parse-input.ts';
import { errorReply } from '#lib/runtime/errors.ts';
import { type RuntimeLog, withLogFields } from '#lib/runtime/logger.ts';
import type { McpTool } from '#lib/runtime/mcp/tool.ts';
import { getDocumentTool } from '#lib/runtime/mcp/tools/get-document.ts';
import { lookupKnowledge } from '#lib/runtime/mcp/tools/lookup-knowledge.ts';
import { saveKnowledge } from '#lib/runtime/mcp/tools/save-knowledge.ts';
import type { Meter } from '#lib/runtime/metrics.ts';
import { report } from '#lib/runtime/router.ts';
import { agentPrompt } from '#lib/usecases/agent-prompt.ts';
import type { Instance } from '#lib/usecases/instance.ts';
import { knowledgeMap } from '#lib/usecases/knowledge-map.ts';

const TOOLS: readonly McpTool[] = [lookupKnowledge, getDocumentTool, saveKnowledge];

const MAP = {
  uri: 'knowhub://map',
  name: 'knowledge-map',
  title: 'Knowledge map',
  description:
    'YAML: every domain with its domain_id, when to retrieve from it, and its documents with what they cover. Read it before lookup_knowledge.',
  mimeType: 'application/yaml',
} as const;

const PROMPTS = [
  {
    name: 'planner',
    title: 'Planner',
    description: 'Rules for planning with the knowledge base, and the knowledge map.',
  },
  {
    name: 'executor',
    title: 'Executor',
    description:
      'Rules for looking knowledge up, the knowledge map, and the domains that this session has searched.',
  },
] as const;

const INSTRUCTIONS = `KnowHub holds this organisation's knowledge: runbooks, documents, lessons. It tells nothing twice: this connection is one session, in which a document is handed over once and a domain is searched once.

1. Read the knowledge map (resource knowhub://map) to see which domains there are and when to retrieve from them.
2. Call lookup_knowledge at most once per domain, with "domain", and put all you need from it into that one query.
3. Then reason from what is in hand. Other words give nothing new; get_document gives the rest of an excerpt that was cut.
4. Save what others will need with save_knowledge; whether it is new is judged later.`;

/** MCP's own code for a resource that is not there. */
const RESOURCE_NOT_FOUND = -32002;

/** Clients are asked for nothing, so no answer of theirs is ever validated. */
const NO_VALIDATOR = {
  getValidator: () => {
    throw new Error('this server asks its clients nothing');
  },
};

export interface McpContext {
  instance: Instance;
  meter: Meter;
  log: RuntimeLog;
  caller: Caller;
  session_id: string;
  request_id: string;
}

/**
 * An MCP server for one request of one caller: all that it knows lies in the stores. The SDK's low-level server, since
 * the other one parses arguments by itself and does not name the field at fault.
 */
export function createMcpServer(context: McpContext): Server {
  const { instance, caller, session_id } = context;
  const server = new Server(
    { name: 'knowhub', title: 'KnowHub', version: '1' },
    {
      capabilities: { tools: {}, resources: {}, prompts: {} },
      instructions: INSTRUCTIONS,
      jsonSchemaValidator: NO_VALIDATOR,
    },
  );

  handle(server, ListToolsRequestSchema, () => ({ tools: TOOLS.map(({ listed }) => listed) }));
  handle(server, CallToolRequestSchema, async ({ params }, call_id) => {
    const called = TOOLS.find(({ listed }) => listed.name === params.name);
    if (!called)
      throw unknown(
        'tool',
        params.name,
        TOOLS.map(({ listed }) => listed.name),
      );
    // A call that is sent again after a lost answer has the same id, and so gets the same answer (R6.1).
    const { name, arguments: given } = params;
    const request_id = sha256(JSON.stringify([session_id, call_id, name, given])).slice(0, 8);
    const calling = { ...context, request_id };
    return withLogFields({ request_id }, () =>
      called.call(calling, given).catch((error: unknown) => refused(calling, error)),
    );
  });

  handle(server, ListResourcesRequestSchema, () => ({ resources: [MAP] }));
  handle(server, ListResourceTemplatesRequestSchema, () => ({ resourceTemplates: [] }));
  handle(server, ReadResourceRequestSchema, async ({ params: { uri } }) => {
    if (uri !== MAP.uri)
      throw new McpError(RESOURCE_NOT_FOUND, `there is no resource ${uri}; there is ${MAP.uri}`, { uri });
    const text = await knowledgeMap(instance)(caller).catch(inProtocol(context));
    return { contents: [{ uri, mimeType: MAP.mimeType, text }] };
  });

  handle(server, ListPromptsRequestSchema, () => ({ prompts: [...PROMPTS] }));
  handle(server, GetPromptRequestSchema, async ({ params }) => {
    const prompt = PROMPTS.find(({ name }) => name === params.name);
    if (!prompt)
      throw unknown(
        'prompt',
        params.name,
        PROMPTS.map(({ name }) => name),
      );
    const text = await agentPrompt(instance)(prompt.name, caller, session_id).catch(inProtocol(context));
    return {
      description: prompt.description,
      messages: [{ role: 'user', content: { type: 'text', text } }],
    };
  });
  return server;
}

/**
 * What the schema refuses is the caller's fault, named by its field; the SDK by itself would take it for a fault of ours,
 * and tell it as its schema library does.
 */
function handle<Request>(
  server: Server,
  schema: z.ZodType<Request> & { shape: { method: z.ZodLiteral<string> } },
  answer: (request: Request, request_id: RequestId) => ServerResult | Promise<ServerResult>,
): void {
  const anyParams = z.looseObject({ method: schema.shape.method });
  server.setRequestHandler(anyParams, (request, { requestId }) => answer(parsed(schema, request), requestId));
}

function parsed<Request>(schema: z.ZodType<Request>, request: unknown): Request {
  try {
    return parseInput(schema, request);
  } catch (error) {
    if (error instanceof InvalidInput) throw new McpError(ErrorCode.InvalidParams, error.message);
    throw error;
  }
}

const unknown = (what: string, name: string, known: readonly string[]): McpError =>
  new McpError(ErrorCode.InvalidParams, `unknown ${what} "${name}"; there are ${known.join(', ')}`);

/** The error as the model that called the tool can use it: what is wrong, and with which argument. */
function refused(context: McpContext, error: unknown): CallToolResult {
  const { code, message, field } = toldError(context, error);
  const facts = [
    `code: ${code}`,
    ...(field === undefined ? [] : [`field: ${field}`]),
    `request_id: ${context.request_id}`,
  ];
  return { isError: true, content: [{ type: 'text', text: [message, ...facts].join('\n') }] };
}

const inProtocol =
  (context: McpContext) =>
  (error: unknown): never => {
    throw new McpError(ErrorCode.InternalError, toldError(context, error).message);
  };

/** As over the API: the caller's faults are told to the caller, what is ours to us. */
function toldError({ log, meter, request_id }: McpContext, error: unknown) {
  const { status, body } = errorReply(error, request_id);
  meter('HttpErrors', 1, status < 500 ? '4xx' : '5xx');
  report(log, error, { request_id, status });
  return body.error;
}
