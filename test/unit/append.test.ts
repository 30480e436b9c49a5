import { expect, test } from 'vitest';
import { gatePorts } from '#lib/adapters/memory/gate.ts';
import { createMemoryPorts } from '#lib/adapters/memory/memory.ts';
import { append, pauseAfter } from '#lib/usecases/append.ts';
import { createInstance } from '#lib/usecases/instance.ts';
import { fakeClock } from '#test/support/clock.ts';
import { admitted, idOf } from '#test/support/ledger.ts';

test('R4.7 who lost one put asks again at once, who lost many lets others go first', () => {
  expect([1, 2, 3, 6, 11, 500].map((lost) => pauseAfter(lost, 5, 1))).toEqual([0, 20, 40, 100, 200, 200]);
  expect(pauseAfter(4, 5, 0.5)).toBe(30);
});

test('R4.7 the slower the store, the longer the pause; a clock that stepped back makes none shorter than the least', () => {
  expect([-900, 0, 1, 20, 4000].map((put_ms) => pauseAfter(2, put_ms, 1))).toEqual([5, 5, 5, 80, 250]);
});

/** An append that others overtake so many times, and what it called. */
async function overtaken(times: number) {
  const ports = createMemoryPorts({
    clock: fakeClock(),
    random: { hex: (digits) => '0'.repeat(digits), fraction: () => 0.5 },
  });
  const calls: string[] = [];
  let before = times;
  const gated = gatePorts(ports, async ({ port, method, args }, perform) => {
    calls.push(`${port}.${method}${port === 'clock' ? ` ${args[0]}` : ''}`);
    if (method === 'put' && before-- > 0)
      await ports.ledger.put({ ...admitted(idOf(before)), position: times - before });
    return perform();
  });
  const mine = admitted(idOf(99));
  const instance = createInstance(gated);
  await instance.catalog.refresh();
  const outcome = await append(instance, {
    mine: (f) => f.items.has(mine.item_id),
    build: () => ({ put: mine }),
  });
  return { outcome, calls, position: (await ports.ledger.readAfter(times, 9)).map(({ item_id }) => item_id) };
}

test('R4.7 what is put after a lost put was read just before, without a pause', async () => {
  const { outcome, calls, position } = await overtaken(1);
  expect([outcome, position]).toEqual(['appended', [idOf(99)]]);
  expect(calls.slice(calls.indexOf('ledger.put'))).toEqual(['ledger.put', 'ledger.readAfter', 'ledger.put']);
});

test('R4.7 pauses come before the read, and grow', async () => {
  const { calls } = await overtaken(3);
  expect(calls.slice(calls.indexOf('ledger.put'))).toEqual([
    'ledger.put',
    'ledger.readAfter',
    'ledger.put',
    'clock.sleep 2.5',
    'ledger.readAfter',
    'ledger.put',
    'clock.sleep 5',
    'ledger.readAfter',
    'ledger.put',
  ]);
});
