import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { MemoryInbox } from '#lib/adapters/memory/inbox.ts';
import { createMemoryPorts } from '#lib/adapters/memory/memory.ts';
import type { Caller } from '#lib/core/caller.ts';
import { fromEventBridge } from '#lib/core/names.ts';
import type { Message } from '#lib/core/rows.ts';
import type { Ports } from '#lib/ports.ts';
import { admit } from '#lib/usecases/admit.ts';
import { createInstance, type Instance } from '#lib/usecases/instance.ts';
import { recomputeDomain } from '#lib/usecases/recompute-domain.ts';
import { takeFromInbox } from '#lib/usecases/take-from-inbox.ts';
import { apiOf, gatewayEvent } from '#test/support/api.ts';
import { STANDIN_SETTINGS } from '../../bin/support/local-instance.ts';

export interface SeenRequest {
  method: string;
  /** Path and query, as they came over the wire. */
  url: string;
  headers: Record<string, string>;
  body: string;
}

/** What stands in for the answer: a status with its headers, or the connection is closed, before the work or after it. */
export type Fault = { status: number; headers?: Record<string, string>; body?: string } | 'cut' | 'cut_after';

export interface HttpMemoryServer {
  url: string;
  requests: SeenRequest[];
  /** Asked at every request; may be changed, and may wait. */
  fault: (request: SeenRequest) => Fault | undefined | Promise<undefined>;
  /** While true nothing is judged; what waits goes on when it is false again. */
  hold(held: boolean): void;
  stop(): Promise<void>;
}

const FORM = '/inbox-form';

/** The whole API over HTTP: the runtime's router over memory ports, stand-in models, and a worker in the background. */
export async function startHttpMemoryServer(): Promise<HttpMemoryServer> {
  const requests: SeenRequest[] = [];
  const worker = workerOf();
  const stores = createMemoryPorts();
  const inbox = stores.inbox as MemoryInbox;
  const ports: Ports = {
    ...stores,
    queue: { send: async (message) => worker.add(message) },
    inbox: {
      ...inbox,
      ticket: async (key, caller) => ({
        url: `${server.url}${FORM}`,
        fields: { key, caller: JSON.stringify(caller) },
      }),
    },
  };
  const instance = createInstance(ports, { ...STANDIN_SETTINGS, recompute_delay_ms: 0 });
  worker.start(createInstance(ports, { ...STANDIN_SETTINGS, recompute_delay_ms: 0 }));
  const api = apiOf(instance, { auth: { mode: 'none' } });

  async function answer(seen: SeenRequest, body: Buffer) {
    if (seen.url === FORM) return takeForm(instance, inbox, seen, body);
    const [path = '', query = ''] = seen.url.split('?');
    return api.send(gatewayEvent(seen.method, path, { query, headers: seen.headers, body: seen.body }));
  }

  const listener = createServer(async (request, response) => {
    const body = await bodyOf(request);
    const headers = Object.fromEntries(
      Object.entries(request.headers).map(([name, value]) => [name, String(value)]),
    );
    const seen = {
      method: request.method ?? '',
      url: request.url ?? '',
      headers,
      body: body.toString('utf8'),
    };
    requests.push(seen);
    const fault = await server.fault(seen);
    if (typeof fault === 'object') response.writeHead(fault.status, fault.headers).end(fault.body);
    else if (fault === 'cut') request.socket.destroy();
    else {
      const reply = await answer(seen, body);
      if (fault === 'cut_after') request.socket.destroy();
      else response.writeHead(reply.status, reply.headers).end(reply.text);
    }
  });
  await new Promise<void>((resolve) => listener.listen(0, '127.0.0.1', resolve));
  const server: HttpMemoryServer = {
    url: `http://127.0.0.1:${(listener.address() as AddressInfo).port}`,
    requests,
    fault: () => undefined,
    hold: worker.hold,
    stop: () =>
      new Promise((resolve) => {
        listener.close(() => resolve());
        listener.closeAllConnections();
      }),
  };
  return server;
}

async function bodyOf(request: IncomingMessage): Promise<Buffer> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks);
}

/** What S3 does with a presigned form, and its notification after it. */
async function takeForm(instance: Instance, inbox: MemoryInbox, { headers }: SeenRequest, body: Buffer) {
  const form = await new Response(new Uint8Array(body), { headers }).formData();
  const key = String(form.get('key'));
  const file = form.get('file');
  const bytes = file instanceof Blob ? new Uint8Array(await file.arrayBuffer()) : new Uint8Array();
  inbox.drop(key, bytes, JSON.parse(String(form.get('caller'))) as Caller);
  await takeFromInbox(instance)(fromEventBridge(key), 'form');
  return { status: 204, headers: {}, text: '' };
}

/** Works messages off one by one, in a running function of its own. */
function workerOf() {
  let waiting: Message[] = [];
  let held = false;
  let instance: Instance | undefined;
  let last = Promise.resolve();
  const next = () => {
    last = last.then(async () => {
      const message = held ? undefined : waiting.shift();
      if (!message || !instance) return;
      if (message.type === 'admit') await admit(instance)(message.item_id);
      else await recomputeDomain(instance)(message.domain_id);
      next();
    });
  };
  return {
    start(made: Instance) {
      instance = made;
    },
    add(message: Message) {
      waiting = [...waiting, message];
      next();
    },
    hold(hold: boolean) {
      held = hold;
      next();
    },
  };
}
