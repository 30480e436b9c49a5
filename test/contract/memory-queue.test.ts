import { expect, test } from 'vitest';
import { createMemoryQueue } from '#lib/adapters/memory/queue.ts';
import { queueContract } from '#test/contract/queue.contract.ts';

function queueOnOwnClock(now = 1_767_225_600_000) {
  const queue = createMemoryQueue({ now: () => now });
  return {
    queue,
    receive: async () => queue.take(10),
    pass: async (ms: number) => {
      now += ms;
    },
  };
}

queueContract('queue in memory', async () => queueOnOwnClock());

test('R5.1 a message is due to the millisecond, and taken once', async () => {
  const { queue, pass } = queueOnOwnClock(1000);
  await queue.send({ type: 'recompute', domain_id: 'a' }, 20);
  await queue.send({ type: 'recompute', domain_id: 'b' }, 10);
  expect([queue.size(), queue.nextDue(), queue.take(5)]).toEqual([2, 1010, []]);
  await pass(19);
  expect(queue.take(5)).toEqual([{ type: 'recompute', domain_id: 'b' }]);
  expect([queue.size(), queue.nextDue(), queue.take(5)]).toEqual([1, 1020, []]);
  await pass(1);
  expect(queue.take(5)).toEqual([{ type: 'recompute', domain_id: 'a' }]);
  expect([queue.size(), queue.nextDue(), queue.take(5)]).toEqual([0, undefined, []]);
});

test('R4.8 no more messages are taken than asked for, and the rest stays', async () => {
  const { queue } = queueOnOwnClock();
  for (const domain_id of ['a', 'b', 'c']) await queue.send({ type: 'recompute', domain_id });
  expect(queue.take(2).length).toBe(2);
  expect(queue.take(2).length).toBe(1);
});
