import { AsyncResource } from 'node:async_hooks';
import { DeleteMessageCommand, ReceiveMessageCommand, type SQSClient } from '@aws-sdk/client-sqs';
import { parseMessage, type QueueUrls } from '#lib/adapters/aws/sqs/queue.ts';
import type { Clock, Queue } from '#lib/ports.ts';
import type { Taken, WorkQueue } from './work-queue.ts';

/**
 * A queue on SQS with its other end. SQS delays by its own clock, and the demo moves its own on instead of waiting:
 * what is due later is sent when it is due.
 */
export function sqsWork(
  sqs: SQSClient,
  urls: QueueUrls,
  queue: Queue,
  clock: Pick<Clock, 'now'>,
): { queue: Queue; work: WorkQueue } {
  let delayed: { send: () => Promise<void>; due: number }[] = [];
  const receive = async (QueueUrl: string): Promise<Taken | undefined> => {
    const { Messages = [] } = await sqs.send(new ReceiveMessageCommand({ QueueUrl, WaitTimeSeconds: 0 }));
    const [{ Body = '', ReceiptHandle } = {}] = Messages;
    if (Messages.length === 0) return undefined;
    const done = () => sqs.send(new DeleteMessageCommand({ QueueUrl, ReceiptHandle }));
    return { message: parseMessage(Body), done };
  };
  return {
    queue: {
      async send(message, delay_ms = 0) {
        // Bound to its sender, who pays for it.
        const send = AsyncResource.bind(() => queue.send(message));
        if (delay_ms > 0) delayed.push({ send, due: clock.now() + delay_ms });
        else await send();
      },
    },
    work: {
      async take() {
        const due = delayed.filter((each) => each.due <= clock.now());
        delayed = delayed.filter((each) => !due.includes(each));
        for (const { send } of due) await send();
        return (await receive(urls.admit)) ?? (await receive(urls.recompute));
      },
      nextDue: () => (delayed.length === 0 ? undefined : Math.min(...delayed.map(({ due }) => due))),
    },
  };
}
