import { setTimeout as pause } from 'node:timers/promises';
import type { FetchLike } from '@modelcontextprotocol/sdk/shared/transport.js';
import { causeOf, PASSING_STATUS, pauseBefore, TIMEOUT_MS, Unreachable } from './client.ts';
import type { Signer } from './sign.ts';

/** A connection that broke may have delivered its request: all that MCP asks of KnowHub is safe to ask again. */
const BROKEN: ReadonlySet<string> = new Set(['ECONNRESET', 'EPIPE', 'UND_ERR_SOCKET']);
const TRIES = 3;

export interface McpFetchOptions {
  /** The server's, for what is said when nobody answers. */
  url: string;
  sign?: Signer | undefined;
  pause_ms?: number;
  timeout_ms?: number;
}

/** What the SDK's HTTP transport fetches with: signed, and repeated while what failed may pass. Throws `Unreachable`. */
export function createMcpFetch({
  url,
  sign,
  pause_ms = 250,
  timeout_ms = TIMEOUT_MS,
}: McpFetchOptions): FetchLike {
  let ever = false;
  return async (target, init = {}) => {
    const { method = 'GET', body } = init;
    const stated = Object.fromEntries(new Headers(init.headers));
    const text = typeof body === 'string' ? body : undefined;
    // A session that could not be ended in time expires.
    const tries = method === 'POST' ? TRIES : 1;
    for (let tried = 1; ; tried += 1) {
      const request = { method, url: new URL(target), headers: stated, body: text };
      const headers = sign ? await sign(request) : stated;
      const late = AbortSignal.timeout(timeout_ms);
      const signal = init.signal ? AbortSignal.any([init.signal, late]) : late;
      try {
        const response = await fetch(target, { ...init, headers, signal });
        ever = true;
        if (tried === tries || !PASSING_STATUS.has(response.status)) return response;
        await response.body?.cancel();
      } catch (error) {
        init.signal?.throwIfAborted();
        const why = late.aborted ? 'no answer in time' : causeOf(error);
        if (tried === tries || !BROKEN.has(why)) throw new Unreachable(url, why, ever);
      }
      await pause(pauseBefore(tried, 0, pause_ms));
    }
  };
}
