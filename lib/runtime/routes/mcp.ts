import * as z from 'zod';
import { NotFound } from '#lib/core/errors.ts';
import type { Route } from '#lib/runtime/route.ts';

const Message = z.looseObject({ jsonrpc: z.literal('2.0') });
const Messages = z.union([Message, z.array(Message)]);

/** What `mcp` alone answers, whoever else knows the table: `functions/mcp` brings the exchange. */
const answer: Route['answer'] = () => async () => {
  throw new NotFound('no such route');
};

/** The same for agents, over MCP: streamable HTTP with JSON replies. */
export const mcpRoutes: readonly Route[] = [
  {
    method: 'POST',
    path: '/mcp',
    function: 'mcp',
    summary: 'JSON-RPC of the Model Context Protocol; all but initialize under its Mcp-Session-Id',
    status: 200,
    body: Messages,
    output: Messages,
    answer,
  },
  {
    method: 'GET',
    path: '/mcp',
    function: 'mcp',
    summary: 'No stream is offered: 405, as the protocol has it; clients ask once and go on',
    status: 405,
    answer,
  },
  {
    method: 'DELETE',
    path: '/mcp',
    function: 'mcp',
    summary: 'End the MCP session that Mcp-Session-Id names, and forget it',
    status: 204,
    answer,
  },
];
