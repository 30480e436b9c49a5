import { expect, test } from 'vitest';
import { sessionKey } from '#lib/core/session.ts';
import type { Settings } from '#lib/core/settings.ts';
import { createLookupWorld } from '#test/support/lookup-fixture.ts';
import { ask, caller } from '#test/support/pool-world.ts';

const POOLS = 'The connection pool of the database is exhausted: raise its maximum, then look for leaks.';

/** Two documents of one domain that answer, and one of another that is a little like them. */
async function poolAndPayment(settings: Partial<Settings> = {}) {
  const world = await createLookupWorld({
    settings: {
      relevance_floor: 0.18,
      relevance_floor_across: 0.18,
      vector_weight: 0.15,
      top_k: 1,
      ...settings,
    },
  });
  await world.store({ path: 'infra/pool.md', title: 'Connection pool exhausted', body: POOLS });
  await world.store({ path: 'infra/leaks.md', title: 'Connection leaks', body: `${POOLS} Leaks hold on.` });
  await world.store({
    path: 'payment/refund.md',
    title: 'Refund is late',
    body: 'A refund that is exhausted by its bank is asked for again.',
  });
  return world;
}

const counted = async ({ ports }: Awaited<ReturnType<typeof poolAndPayment>>) => {
  const row = await ports.sessions.get(sessionKey(caller.principal, 's'));
  return { searches: row?.searches, fruitless: row?.fruitless };
};

test('R6.3 R6.6 below the floor and without the words nothing relevant is stored: said, and counted as fruitless', async () => {
  const world = await poolAndPayment();
  const violin = { query: 'how do I tune a violin', session_id: 's' };
  expect(await ask(world.instance, violin)).toMatchObject({
    ...{ level: 'none', confidence: 'none', documents: [], suppressed: [] },
    message: 'Nothing relevant is stored.',
  });
  expect(await ask(world.instance, { ...violin, query: '小提琴怎么调音', domain: 'infra' })).toMatchObject({
    ...{ level: 'none', confidence: 'none', documents: [], message: '没有找到相关知识。' },
  });
  expect(await counted(world)).toEqual({ searches: {}, fruitless: { '*': 1, infra: 1 } });

  for (const query of ['a bow for it', 'strings of gut']) await ask(world.instance, { ...violin, query });
  expect(await ask(world.instance, violin)).toMatchObject({
    documents: [],
    message: expect.stringContaining('Too many searches without a domain found nothing'),
  });
});

test('R6.3 a floor that everything passes serves what is far off, and calls it low', async () => {
  const { instance } = await poolAndPayment({ relevance_floor: -1 });
  expect(await ask(instance, { query: 'how do I tune a violin' })).toMatchObject({
    ...{ level: 'L1', confidence: 'low', documents: [{}] },
  });
});

test('R6.6 without a domain the search belongs to that of its best match, one returned before included', async () => {
  const world = await poolAndPayment({ searches_per_domain: 2 });
  const input = { query: 'the connection pool is exhausted', session_id: 's' };
  const paths = async () => (await ask(world.instance, input)).documents.map(({ path }) => path);
  expect(await paths()).toEqual(['infra/pool.md']);
  // The best match was returned: the next best of its domain takes its place, and not the payment document.
  expect(await paths()).toEqual(['infra/leaks.md']);
  expect(await counted(world)).toEqual({ searches: { infra: 2 }, fruitless: {} });

  const stopped = await ask(world.instance, input);
  expect(stopped).toMatchObject({
    documents: [],
    message: expect.stringContaining('The domain "infra" was searched already'),
  });
  expect(await counted(world)).toEqual({ searches: { infra: 2 }, fruitless: {} });
});
