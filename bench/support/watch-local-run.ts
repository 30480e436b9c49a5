import { AsyncLocalStorage } from 'node:async_hooks';
import { subscribe } from 'node:diagnostics_channel';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { S3Client } from '@aws-sdk/client-s3';
import {
  DeleteMessageBatchCommand,
  GetQueueAttributesCommand,
  ListQueuesCommand,
  ReceiveMessageCommand,
  type ReceiveMessageCommandOutput,
  SQSClient,
} from '@aws-sdk/client-sqs';
import { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import { BY_ITSELF, type LocalState, type ToWatcher } from './local-state.ts';

// Loaded before bin/local.ts (`node --import`), so that what is measured is that very program, unchanged: it counts what
// is sent to AWS and which uploads are answered, and tells the process that started it.

const requests: LocalState['requests'] = {};
const calls: LocalState['calls'] = {};
let acknowledged = 0;
let held = 0;
let sqs: SQSClient | undefined;

/** What a request itself asks for (conditions that the emulator lacks), or this file, would be no request on AWS. */
const within = new AsyncLocalStorage<true>();
/** The route that is answered; nothing for what happens by itself. */
const asked = new AsyncLocalStorage<string>();

count('DynamoDB', DynamoDBDocumentClient.prototype);
count('S3', S3Client.prototype);
count('SQS', SQSClient.prototype);

function count(service: string, prototype: object): void {
  const send: unknown = Reflect.get(prototype, 'send');
  if (typeof send !== 'function') throw new Error(`the ${service} client sends otherwise than was expected`);
  Object.defineProperty(prototype, 'send', {
    configurable: true,
    value(this: unknown, ...args: unknown[]): unknown {
      if (this instanceof SQSClient) sqs = this;
      if (within.getStore()) return Reflect.apply(send, this, args);
      const own = (requests[asked.getStore() ?? BY_ITSELF] ??= {});
      add(own, `${service} ${nameOf(args[0])}`);
      const answer: unknown = within.run(true, () => Reflect.apply(send, this, args));
      void Promise.resolve(answer).then(
        (reply) => hold(args[0], reply),
        () => undefined,
      );
      return answer;
    },
  });
}

/** Messages that were taken and not done with: those of a process that was killed come again much later, and are not ours. */
function hold(command: unknown, reply: unknown): void {
  if (command instanceof ReceiveMessageCommand)
    held += (reply as ReceiveMessageCommandOutput).Messages?.length ?? 0;
  if (command instanceof DeleteMessageBatchCommand) held -= command.input.Entries?.length ?? 0;
}

/** Listings of the inbox are told apart: here they stand in for S3's notifications, twice a second. */
function nameOf(command: unknown): string {
  if (typeof command !== 'object' || command === null) return 'unknown';
  const name = command.constructor.name.replace(/Command$/, '');
  const input: unknown = Reflect.get(command, 'input');
  const prefix: unknown =
    typeof input === 'object' && input !== null ? Reflect.get(input, 'Prefix') : undefined;
  return typeof prefix === 'string' && prefix.startsWith('inbox/') ? `${name} inbox/` : name;
}

subscribe('http.server.request.start', (message) => {
  const { request } = message as { request: IncomingMessage };
  // The emulators are servers of this process, too.
  const route = /^\/api\/\w[\w-]*(\/(status|pending|search))?/.exec(request.url ?? '')?.[0];
  if (route === undefined) return;
  const name = `${request.method} ${route}`;
  add(calls, name);
  asked.enterWith(name);
});
subscribe('http.server.response.finish', (message) => {
  const { request, response } = message as { request: IncomingMessage; response: ServerResponse };
  const taken = response.statusCode === 200 || response.statusCode === 202;
  if (request.method !== 'POST' || request.url !== '/api/documents' || !taken) return;
  acknowledged += 1;
  tell(state());
});

const state = (queues?: Record<string, number>): LocalState => ({
  acknowledged,
  held,
  requests,
  calls,
  memory: { rss: process.memoryUsage.rss(), heap: process.memoryUsage().heapUsed },
  ...(queues && { queues }),
});

/** Messages that wait in each queue, delayed ones included. */
async function queuesNow(): Promise<Record<string, number>> {
  if (!sqs) return {};
  const client = sqs;
  const { QueueUrls = [] } = await client.send(new ListQueuesCommand({}));
  const depths = QueueUrls.map(async (QueueUrl): Promise<[string, number]> => {
    const { Attributes = {} } = await client.send(
      new GetQueueAttributesCommand({ QueueUrl, AttributeNames: ['All'] }),
    );
    const numbers = DEPTHS.map((name) => Number(Attributes[name] ?? 0));
    return [QueueUrl.split('/').at(-1) ?? '', numbers.reduce((sum, n) => sum + n, 0)];
  });
  return Object.fromEntries(await Promise.all(depths));
}

const DEPTHS = ['ApproximateNumberOfMessages', 'ApproximateNumberOfMessagesDelayed'] as const;

process.on('message', ({ ask }: ToWatcher) => {
  void within
    .run(true, queuesNow)
    .then((queues) => tell({ ...state(queues), answers: ask }))
    .catch((error: unknown) => console.error('the queues cannot be looked at', error));
});
// Who started it is gone, however that came: nobody else would end it.
process.on('disconnect', () => process.kill(process.pid, 'SIGTERM'));
// Being asked is no reason to stay.
process.channel?.unref();

function add(to: Record<string, number>, name: string): void {
  to[name] = (to[name] ?? 0) + 1;
}

function tell(message: LocalState): void {
  if (process.connected) process.send?.(message);
}
