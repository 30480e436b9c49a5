import { describe, expect, test } from 'vitest';
import type { Message } from '#lib/core/rows.ts';
import type { Queue } from '#lib/ports.ts';
import { eventually, together } from '#test/support/contract.ts';
import { UNICODE, uniqueHex, uniqueId } from '#test/support/rows.ts';

/** A queue, what comes out at its other end, and its time. */
export interface QueueUnderTest {
  queue: Queue;
  /** Takes what can be received now out of the queue (of all queues that stand behind the port). */
  receive: () => Promise<Message[]>;
  /** Lets time pass: on a clock of the test's own, or by waiting. */
  pass: (ms: number) => Promise<void>;
}

const admit = (): Message => ({ type: 'admit', item_id: uniqueId() });

/** Every promise of the port: at least once, in any order. `make` opens the queue; it may hold messages already. */
export function queueContract(name: string, make: () => Promise<QueueUnderTest>): void {
  /** Everything received so far that is among `mine`, once each, in the order of `mine`. */
  const open = async () => {
    const { queue, receive, pass } = await make();
    const received = new Set<string>();
    const arrived = async (mine: readonly Message[]) => {
      for (const message of await receive()) received.add(JSON.stringify(sorted(message)));
      return mine.filter((message) => received.has(JSON.stringify(sorted(message))));
    };
    return { queue, pass, arrived };
  };

  describe(name, () => {
    test('R3.1 a message of each type arrives as it was sent', async () => {
      const { queue, arrived } = await open();
      const sent: Message[] = [
        admit(),
        { type: 'recompute', domain_id: `contract-${uniqueHex()} ${UNICODE}` },
        { type: 'recompute', domain_id: `${uniqueHex()} ${'域'.repeat(64)}` },
      ];
      for (const message of sent) await queue.send(message);
      await eventually(() => arrived(sent), sent);
    });

    test('R4.8 of many messages sent at once all arrive', async () => {
      const { queue, arrived } = await open();
      const sent = Array.from(
        { length: 50 },
        (_, n): Message => (n % 2 === 0 ? admit() : { type: 'recompute', domain_id: uniqueHex(16) }),
      );
      await together(50, (n) => queue.send(sent[n]!));
      await eventually(() => arrived(sent), sent);
    });

    test('R4.8 a message may be sent again', async () => {
      const { queue, arrived } = await open();
      const message = admit();
      await queue.send(message);
      await queue.send(message);
      await eventually(() => arrived([message]), [message]);
    });

    test('R5.1 a delayed message arrives after its delay, and holds nobody up', async () => {
      const { queue, pass, arrived } = await open();
      const [late, prompt]: Message[] = [{ type: 'recompute', domain_id: uniqueHex(16) }, admit()];
      await queue.send(late!, 3000);
      await queue.send(prompt!, 0);
      await eventually(() => arrived([late!, prompt!]), [prompt]);
      await pass(3000);
      await eventually(() => arrived([late!, prompt!]), [late, prompt]);
    });

    test('R5.1 a delay need not be whole seconds, and may be longer than an engine knows', async () => {
      const { queue, pass, arrived } = await open();
      const [soon, far] = [admit(), admit()];
      await expect(queue.send(far, 3_600_000)).resolves.toBeUndefined();
      await queue.send(soon, 0.5);
      await pass(1000);
      await eventually(() => arrived([soon, far]), [soon]);
    });
  });
}

/** Whatever the order of a message's keys on the wire. */
const sorted = (message: Message) => Object.entries(message).sort(([a], [b]) => (a < b ? -1 : 1));
