import { setTimeout as sleep } from 'node:timers/promises';
import {
  DeleteMessageBatchCommand,
  type Message,
  ReceiveMessageCommand,
  type SQSClient,
} from '@aws-sdk/client-sqs';
import type { SQSRecord } from 'aws-lambda';
import type { Log } from '#lib/ports.ts';
import type { Functions } from '#lib/runtime/local/functions.ts';
import { queueUrl } from '#lib/runtime/local/intrinsics.ts';
import type { EventSourceWiring } from '#lib/runtime/local/template.ts';

/** SQS hands out no more at a time, and holds a call no longer. */
const BATCH = 10;
const LONG_POLL_S = 20;
/** All run in one thread: more at a time only take longer each, and have to be waited for at the end. */
const AT_ONCE = 3;
/** After a poll that failed; the emulator may be gone. */
const PAUSE_MS = 1000;

/**
 * Takes batches from a queue to its function until `stop` is aborted, as Lambda does: what the function reports as
 * failed, and a whole batch when it throws, stays in the queue and comes again after its visibility timeout.
 */
export async function pollQueue(
  sqs: SQSClient,
  functions: Functions,
  source: EventSourceWiring,
  { stop, log }: { stop: AbortSignal; log: Log },
): Promise<void> {
  const QueueUrl = queueUrl(source.queue);
  const receive = new ReceiveMessageCommand({
    QueueUrl,
    MaxNumberOfMessages: Math.min(BATCH, source.batch_size),
    WaitTimeSeconds: LONG_POLL_S,
    MessageSystemAttributeNames: ['All'],
  });
  const loop = async () => {
    while (!stop.aborted) {
      try {
        const { Messages = [] } = await sqs.send(receive, { abortSignal: stop });
        if (Messages.length === 0) continue;
        const done = await handled(functions, source, Messages);
        if (done.length > 0)
          await sqs.send(new DeleteMessageBatchCommand({ QueueUrl, Entries: done.map(entryOf) }));
      } catch (error) {
        if (stop.aborted) return;
        log.warn('a queue cannot be read', { queue: source.queue, why: String(error) });
        await sleep(PAUSE_MS, undefined, { signal: stop }).catch(() => undefined);
      }
    }
  };
  await Promise.all(Array.from({ length: Math.min(AT_ONCE, source.concurrency) }, loop));
}

async function handled(
  functions: Functions,
  source: EventSourceWiring,
  messages: readonly Message[],
): Promise<Message[]> {
  try {
    const records = messages.map((message) => recordOf(source, message));
    const reply = await functions.queue(source.function, { Records: records });
    // Who reports nothing has done everything.
    const failed = new Set((reply?.batchItemFailures ?? []).map(({ itemIdentifier }) => itemIdentifier));
    return messages.filter(({ MessageId = '' }) => !failed.has(MessageId));
  } catch {
    // The function has said why.
    return [];
  }
}

const recordOf = (source: EventSourceWiring, message: Message): SQSRecord => ({
  messageId: message.MessageId ?? '',
  receiptHandle: message.ReceiptHandle ?? '',
  body: message.Body ?? '',
  attributes: {
    ApproximateReceiveCount: '1',
    SentTimestamp: String(Date.now()),
    SenderId: 'local',
    ApproximateFirstReceiveTimestamp: String(Date.now()),
    ...message.Attributes,
  },
  messageAttributes: {},
  md5OfBody: message.MD5OfBody ?? '',
  eventSource: 'aws:sqs',
  eventSourceARN: `arn:aws:sqs:us-east-1:000000000000:${source.queue}`,
  awsRegion: 'us-east-1',
});

const entryOf = ({ ReceiptHandle }: Message, n: number) => ({ Id: String(n), ReceiptHandle });
