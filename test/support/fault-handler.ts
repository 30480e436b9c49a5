import { Readable } from 'node:stream';
import { NodeHttpHandler } from '@smithy/node-http-handler';

type Handle = NodeHttpHandler['handle'];
type Sent = Parameters<Handle>;
type Answer = Awaited<ReturnType<Handle>>;

/**
 * What can happen to a request on the wire (cases/crash.md): sent twice, with the second answer; sent, with a time-out
 * for an answer; or answered by nobody but the test.
 */
export type WireFault = 'done twice' | 'done, answer lost' | { status: number; body: string };

export interface FaultHandler {
  /** For an SDK client's configuration. */
  requestHandler: NodeHttpHandler;
  /** What happens to the next requests, one each. The SDK's own retries are requests too. */
  inject(...faults: WireFault[]): void;
  /** Faults that met no request yet. */
  left(): number;
}

/** The SDK's HTTP handler with a switch for faults. */
export function faultHandler(): FaultHandler {
  const faults: WireFault[] = [];
  const requestHandler = new NodeHttpHandler();
  const send = requestHandler.handle.bind(requestHandler);
  requestHandler.handle = async (...sent: Sent) => {
    const fault = faults.shift();
    if (fault === undefined) return send(...sent);
    if (typeof fault === 'object') return answered(fault);
    await drained(await send(...sent));
    if (fault === 'done twice') return send(...sent);
    throw Object.assign(new Error('the answer was lost'), { name: 'TimeoutError' });
  };
  return { requestHandler, inject: (...next) => void faults.push(...next), left: () => faults.length };
}

async function drained({ response }: Answer): Promise<void> {
  for await (const _ of response.body as Readable);
}

const answered = ({ status, body }: { status: number; body: string }): Answer => ({
  response: {
    statusCode: status,
    headers: { 'content-type': 'application/x-amz-json-1.0' },
    body: Readable.from([Buffer.from(body)]),
  },
});
