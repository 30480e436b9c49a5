import { expect, test } from 'vitest';
import { createMemoryBodies } from '#lib/adapters/memory/bodies.ts';
import { systemClock } from '#lib/adapters/memory/system.ts';
import { bodiesContract } from '#test/contract/bodies.contract.ts';

bodiesContract('bodies in memory', async () => createMemoryBodies(systemClock));

test('R4.8 a body is as old as its first put, to the millisecond', async () => {
  let now = 1000;
  const bodies = createMemoryBodies({ now: () => now });
  await bodies.put('a', 'entry', 'text');
  now = 2000;
  await bodies.put('a', 'entry', 'text');
  expect(await bodies.list('', 1000, 5)).toEqual([]);
  expect(await bodies.list('', 1001, 5)).toEqual([{ id: 'a', kind: 'entry' }]);
});
