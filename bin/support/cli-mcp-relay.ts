import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js';
import {
  isInitializeRequest,
  isJSONRPCRequest,
  isJSONRPCResultResponse,
  type JSONRPCMessage,
  type JSONRPCRequest,
  type RequestId,
} from '@modelcontextprotocol/sdk/types.js';

/** The far side: an HTTP transport of the SDK, which holds the id of its session. */
export type FarTransport = Transport & { terminateSession(): Promise<void> };

export interface RelayOptions {
  /** The client's side. */
  near: Transport;
  /** A new connection to the server, without a session yet. */
  connect: () => FarTransport;
  /** What went wrong, in one sentence for a person; `session_gone`: the server knows the session no more. */
  explain: (error: unknown) => { problem: string; session_gone: boolean };
  complain: (problem: string) => void;
}

export interface Relay {
  /** Ends the session once all that is under way is answered; never throws. */
  end(): Promise<void>;
}

/** JSON-RPC's range for a server's own faults. */
const RELAY_FAILED = -32000;

/**
 * Carries every message from one side to the other. It knows of MCP no more than that the first request opens a session:
 * what comes meanwhile waits for it, and when the server has lost it, it is opened again, unseen by the client. A request
 * that cannot be carried is answered by an error that says why.
 */
export async function startRelay({ near, connect, explain, complain }: RelayOptions): Promise<Relay> {
  let far = await open();
  let opening: Promise<unknown> = Promise.resolve();
  let first: JSONRPCRequest | undefined;
  let opened_by: RequestId | undefined;
  let reopened = 0;
  const underway = new Set<Promise<void>>();

  async function open(): Promise<FarTransport> {
    const made = connect();
    made.onmessage = (message) => receive(made, message);
    await made.start();
    return made;
  }

  function receive(from: FarTransport, message: JSONRPCMessage): void {
    if (isJSONRPCResultResponse(message) && message.id === opened_by) {
      const { protocolVersion } = message.result;
      if (typeof protocolVersion === 'string') from.setProtocolVersion?.(protocolVersion);
      // It opened the session again: the client has had its answer long ago.
      if (message.id !== first?.id) return;
    }
    near.send(message).catch((error: unknown) => complain(explain(error).problem));
  }

  async function carry(message: JSONRPCMessage): Promise<void> {
    try {
      if (!isInitializeRequest(message)) {
        await opening;
        return await deliver(message);
      }
      first = message as JSONRPCRequest;
      opened_by = first.id;
      const sent = far.send(message);
      opening = sent.catch(() => undefined);
      await sent;
    } catch (error) {
      const { problem } = explain(error);
      complain(problem);
      if (isJSONRPCRequest(message)) await refuse(message.id, problem);
    }
  }

  async function deliver(message: JSONRPCMessage): Promise<void> {
    const used = far;
    try {
      await used.send(message);
    } catch (error) {
      if (!explain(error).session_gone || first === undefined) throw error;
      if (far === used) opening = reopen(first);
      await opening;
      await far.send(message);
    }
  }

  async function reopen(initialize: JSONRPCRequest): Promise<void> {
    complain('the server knows the session no more: a new one is opened');
    // The old one is not closed: that would abort what others have under way there.
    far = await open();
    reopened += 1;
    opened_by = `knowhub-session-${reopened}`;
    await far.send({ ...initialize, id: opened_by });
    await far.send({ jsonrpc: '2.0', method: 'notifications/initialized' });
  }

  const refuse = (id: RequestId, message: string) =>
    near.send({ jsonrpc: '2.0', id, error: { code: RELAY_FAILED, message } });

  near.onmessage = (message) => {
    const carried = carry(message).finally(() => underway.delete(carried));
    underway.add(carried);
  };
  near.onerror = (error) => complain(`not understood: ${error.message.split('\n')[0]}`);
  await near.start();

  return {
    async end() {
      await Promise.allSettled(underway);
      await far.terminateSession().catch((error: unknown) => complain(explain(error).problem));
      await far.close();
      await near.close();
    },
  };
}
