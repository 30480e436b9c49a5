import { SendMessageCommand, type SQSClient } from '@aws-sdk/client-sqs';
import * as z from 'zod';
import { called } from '#lib/adapters/aws/service-errors.ts';
import { ItemId } from '#lib/core/item.ts';
import type { Message } from '#lib/core/rows.ts';
import type { Queue } from '#lib/ports.ts';

/** URLs by message type: `admit` goes to the admission queue, `recompute` to the recompute queue. */
export interface QueueUrls {
  admit: string;
  recompute: string;
}

/** The longest delay that SQS knows. What is due later comes too early, and its row says so. */
const MAX_DELAY_S = 900;

/** The Queue port on two SQS queues; a client for a local engine needs `useQueueUrlAsEndpoint: false`. */
export function createSqsQueue(client: SQSClient, urls: QueueUrls): Queue {
  return {
    async send(message, delay_ms = 0) {
      await called(`send ${message.type}`, () =>
        client.send(
          new SendMessageCommand({
            QueueUrl: urls[message.type],
            MessageBody: messageBody(message),
            DelaySeconds: Math.min(MAX_DELAY_S, Math.max(0, Math.ceil(delay_ms / 1000))),
          }),
        ),
      );
    },
  };
}

// In ASCII: SQS refuses two noncharacters, fauxqs everything beyond the first plane, and JSON can escape them all.
const messageBody = (message: Message): string =>
  JSON.stringify(message).replace(
    /[^ -~]/g,
    (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );

const QueueMessage: z.ZodType<Message> = z.discriminatedUnion('type', [
  z.strictObject({ type: z.literal('admit'), item_id: ItemId }),
  z.strictObject({ type: z.literal('recompute'), domain_id: z.string().min(1) }),
]);

/** The message in a queue record's body. Throws on anything that this adapter did not write. */
export const parseMessage = (body: string): Message => QueueMessage.parse(JSON.parse(body));
