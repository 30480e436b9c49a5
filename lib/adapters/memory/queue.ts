import type { Message } from '#lib/core/rows.ts';
import type { Clock, Queue } from '#lib/ports.ts';

export interface MemoryQueue extends Queue {
  /** Takes the messages that are due out of the queue, oldest first. */
  take(limit: number): Message[];
  /** Messages that are not due yet included. */
  size(): number;
  /** When the next message is due, epoch milliseconds. */
  nextDue(): number | undefined;
}

export function createMemoryQueue(clock: Pick<Clock, 'now'>): MemoryQueue {
  let messages: { message: Message; due: number }[] = [];
  return {
    async send(message, delay_ms = 0) {
      messages.push({ message, due: clock.now() + delay_ms });
    },
    take(limit) {
      const now = clock.now();
      const due = messages.filter((each) => each.due <= now).slice(0, limit);
      messages = messages.filter((each) => !due.includes(each));
      return due.map(({ message }) => message);
    },
    size: () => messages.length,
    nextDue: () =>
      messages.reduce<number | undefined>((least, { due }) => Math.min(least ?? due, due), undefined),
  };
}
