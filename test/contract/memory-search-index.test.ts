import { expect, test } from 'vitest';
import { createMemorySearchIndex } from '#lib/adapters/memory/search-index.ts';
import { searchIndexContract } from '#test/contract/search-index.contract.ts';

searchIndexContract('R4.1 R6.3 R6.8 search index in memory', async () => createMemorySearchIndex());

test('R6.9 a removal is forgotten a day later: until then no late write brings the item back', async () => {
  let now = 0;
  const index = createMemorySearchIndex({ clock: { now: () => now } });
  await index.create('i');
  await index.bulk('i', [{ id: 'a', version: 5, live: false }]);
  now = 24 * 3600 * 1000;
  await index.bulk('i', []);
  expect(await index.present('i', ['a'])).toEqual([{ id: 'a', version: 5, live: false }]);
  now += 1;
  await index.bulk('i', []);
  expect(await index.present('i', ['a'])).toEqual([]);
});
