import { expect, test } from 'vitest';
import { IndexUnavailable } from '#lib/core/errors.ts';
import { ask, poolWorld, withPorts } from '#test/support/pool-world.ts';

const NEXT = 'knowledge-next';
const QUERY = 'twice the number of processor cores';

async function world() {
  let now = 1_800_000_000_000;
  const base = await poolWorld({ ports: { clock: { now: () => now, sleep: async () => undefined } } });
  const { projections, index } = base.ports;
  const reads = () => base.counts.of('projections.pointer') + base.counts.of('projections.get');
  return {
    ...base,
    reads,
    found: async (instance = base.instance) =>
      (await ask(instance, { query: QUERY })).documents.map(({ path }) => path),
    pass: (ms: number) => {
      now += ms;
    },
    /** A new index takes the place of the one that is searched; it is empty. */
    async switchIndex() {
      await index.create(NEXT);
      const name = await projections.pointer();
      const row = await projections.takeLease(name, { token: 't', at: now }, 0, Number.MAX_SAFE_INTEGER);
      await projections.rebase(name, 't', row!, NEXT);
    },
  };
}

test('FIGURES R6.3 design 8: the name of the index is read once in two seconds, not once a lookup', async () => {
  const { found, reads, counts, pass } = await world();
  const perCall: number[] = [];
  for (const ms of [0, 0, 1999, 1, 1000, -5000]) {
    pass(ms);
    counts.reset();
    expect(await found()).toEqual(['infra/pool.md']);
    perCall.push(reads());
  }
  expect(perCall).toEqual([2, 0, 0, 2, 0, 2]);
});

test('R6.9 a lookup whose index is gone reads the pointer again and searches the new one', async () => {
  const { found, reads, counts, switchIndex, ports } = await world();
  await found();
  await switchIndex();
  await ports.index.drop('knowledge-test');
  counts.reset();
  expect(await found()).toEqual([]);
  expect([reads(), counts.of('index.search')]).toEqual([2, 2]);
});

test('R6.9 a switched pointer is obeyed within two seconds, also while the old index is still there', async () => {
  const { found, switchIndex, pass } = await world();
  await found();
  await switchIndex();
  pass(2000);
  expect(await found()).toEqual([]);
});

test('R6.3 an index that is gone and has no successor is asked once, and said to be away', async () => {
  const base = await world();
  const { ports } = base;
  let searches = 0;
  const instance = withPorts(base, {
    index: {
      ...ports.index,
      search: async (...query) => {
        searches += 1;
        return ports.index.search(...query);
      },
    },
  });
  await base.found(instance);
  await ports.index.drop('knowledge-test');
  await expect(base.found(instance)).rejects.toBeInstanceOf(IndexUnavailable);
  expect(searches).toBe(2);
});
