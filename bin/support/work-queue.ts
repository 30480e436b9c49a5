import type { MemoryQueue } from '#lib/adapters/memory/queue.ts';
import type { Message } from '#lib/core/rows.ts';

/** The other end of the queue, where Lambda stands on AWS. */
export interface WorkQueue {
  /** One message that is due. */
  take(): Promise<Taken | undefined>;
  /** When the next of those that are not due yet will be, epoch milliseconds. */
  nextDue(): number | undefined;
}

export interface Taken {
  message: Message;
  /** It is handled; without that it would come again. */
  done(): Promise<unknown>;
}

export const memoryWork = (queue: MemoryQueue): WorkQueue => ({
  async take() {
    const [message] = queue.take(1);
    return message && { message, done: async () => undefined };
  },
  nextDue: () => queue.nextDue(),
});
