import { once } from 'node:events';
import {
  StreamableHTTPClientTransport,
  StreamableHTTPError,
} from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { StdioServerTransport } from '@modelcontextprotocol/sdk/server/stdio.js';
import { KnowHubError } from '#lib/core/errors.ts';
import { createMcpFetch } from './cli-mcp-fetch.ts';
import { startRelay } from './cli-mcp-relay.ts';
import { EXIT } from './cli-run.ts';
import { remedyFor } from './cli-server.ts';
import { faultOf, Unreachable } from './client.ts';
import type { Signer } from './sign.ts';

export interface McpBridge {
  /** The server's address. */
  url: string;
  sign?: Signer | undefined;
  scopes: readonly string[];
  /** Aborted by Ctrl-C. */
  signal: AbortSignal;
  /** To stderr: stdout is the protocol's alone. */
  complain: (...lines: string[]) => void;
}

/** How long the end waits for what is under way, and for the session to be forgotten: clients kill after four seconds. */
const PATIENCE_MS = 3000;

/**
 * Carries MCP between a client on stdin and stdout and `/mcp` of the server, signed where it has to be, until stdin ends
 * or Ctrl-C; then it ends the session. Returns the exit code.
 */
export async function runMcpBridge({ url, sign, scopes, signal, complain }: McpBridge): Promise<number> {
  const stdin_ended = Promise.race([once(process.stdin, 'end'), once(process.stdin, 'close')]);
  const fetch = createMcpFetch({ url, sign });
  const headers: Record<string, string> = scopes.length === 0 ? {} : { 'x-knowhub-scopes': scopes.join(',') };
  const relay = await startRelay({
    near: new StdioServerTransport(),
    connect: () =>
      new StreamableHTTPClientTransport(new URL(`${url}/mcp`), { fetch, requestInit: { headers } }),
    explain: (error) => explain(error, url),
    complain,
  });
  complain(`MCP from here to ${url}/mcp`);

  const terminated = new AbortController();
  process.on('SIGTERM', () => terminated.abort());
  const stop = AbortSignal.any([signal, terminated.signal]);
  const interrupted = once(stop, 'abort').then(() => EXIT.interrupted);
  const code = await Promise.race([stdin_ended.then(() => EXIT.done), interrupted]);
  const late = new Promise((resolve) => setTimeout(resolve, PATIENCE_MS).unref());
  await Promise.race([relay.end(), late]);
  return code;
}

/** What the client is told in place of an answer. */
function explain(error: unknown, url: string): { problem: string; session_gone: boolean } {
  if (error instanceof Unreachable)
    return { problem: `${error.message}. ${remedyFor(url)}`, session_gone: false };
  if (!(error instanceof StreamableHTTPError)) {
    const known = error instanceof KnowHubError || error instanceof Error;
    return { problem: known ? error.message : String(error), session_gone: false };
  }
  const { code = 0, message } = error;
  // The SDK puts the server's answer behind words of its own.
  const { message: said } = faultOf(code, message.slice(message.indexOf('{')));
  const hint = code === 401 || code === 403 ? ' Are the credentials right, and may they call the API?' : '';
  return { problem: `${url} refuses it (HTTP ${code}): ${said}.${hint}`, session_gone: code === 404 };
}
