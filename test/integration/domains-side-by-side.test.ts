import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { Unclear } from '#lib/core/errors.ts';
import type { DomainRow } from '#lib/core/rows.ts';
import type { Domains, Ports } from '#lib/ports.ts';
import { createInstance } from '#lib/usecases/instance.ts';
import { recomputeDomain } from '#lib/usecases/recompute-domain.ts';
import { counting, DELAY, domainWorld, LEASE } from '#test/support/domain-world.ts';

const DOCUMENTS = 6;
const WORKERS = 3;
const RUNS = 3;

/** Workers whose every outside call is one step, taken in any order; `fails` tells which calls are lost on the way. */
function workers(
  world: ReturnType<typeof domainWorld>,
  s: fc.Scheduler,
  fails: () => boolean,
  lease_ms: number,
) {
  const { ports } = world;
  const step = <Arguments extends unknown[], Result>(call: (...args: Arguments) => Promise<Result>) =>
    s.scheduleFunction(async (...args: Arguments) => {
      // Lost before it arrived, or the answer lost after it did.
      if (fails()) throw new Unclear('lost');
      const result = await call(...args);
      if (fails()) throw new Unclear('answer lost');
      return result;
    });
  const history: DomainRow[] = [];
  const domains: Domains = {
    ...ports.domains,
    get: step(ports.domains.get),
    claim: step(ports.domains.claim),
    release: step(ports.domains.release),
    save: step(async (domain_id, token, text) => {
      const saved = await ports.domains.save(domain_id, token, text);
      if (saved) history.push((await ports.domains.get(domain_id))!);
      return saved;
    }),
  };
  const stepped: Ports = {
    ...ports,
    domains,
    ledger: { ...ports.ledger, readAfter: step(ports.ledger.readAfter) },
    items: { ...ports.items, getMany: step(ports.items.getMany) },
    model: { ...ports.model, complete: step(ports.model.complete) },
    // Each look at the clock moves it: with no lease every claim has run out when the next worker comes.
    clock: {
      ...ports.clock,
      now() {
        world.pass(1);
        return ports.clock.now();
      },
    },
  };
  const run = async () => {
    const instance = createInstance(stepped, { recompute_delay_ms: 0, lease_ms });
    for (let n = 0; n < RUNS; n += 1) await recomputeDomain(instance)('payment').catch(() => undefined);
  };
  return { history, all: () => Promise.all(Array.from({ length: WORKERS }, run)) };
}

test.each([
  ['whose claims run out at once', 0],
  ['that respect their claims', LEASE],
])('R5.1 workers side by side, %s, never write an older text over a newer one', async (_, lease_ms) => {
  await fc.assert(
    fc.asyncProperty(
      fc.scheduler(),
      fc.infiniteStream(fc.nat(19).map((n) => n === 0)),
      async (s, failures) => {
        const world = domainWorld();
        const { history, all } = workers(world, s, () => failures.next().value, lease_ms);
        const admit = s.scheduleFunction(() => world.admit({ title: 'one' }));
        await world.admit({ title: 'one' });
        const writer = (async () => {
          for (let n = 1; n < DOCUMENTS; n += 1) await admit();
        })();
        await s.waitFor(Promise.all([all(), writer]));

        // One document an entry: the text of position n counts n items.
        const positions = history.map((row) => row.computed_position);
        expect(history.map((row) => row.description)).toEqual(
          positions.map((position) => `${position} items`),
        );
        expect(positions).toEqual([...new Set(positions)].sort((a, b) => a - b));

        world.pass(LEASE + DELAY);
        world.model.script.domainSummary = counting;
        await world.recompute();
        const row = await world.ports.domains.get('payment');
        expect([row?.description, row?.computed_position]).toEqual([`${DOCUMENTS} items`, DOCUMENTS]);
      },
    ),
    { numRuns: 150 },
  );
});

test('R5.1 of workers that respect their claims only one asks the model', async () => {
  await fc.assert(
    fc.asyncProperty(fc.scheduler(), async (s) => {
      const world = domainWorld();
      await world.admit({ title: 'one' });
      const { history, all } = workers(world, s, () => false, LEASE);
      await s.waitFor(all());
      expect(world.calls()).toBe(1);
      expect(history.map(({ description }) => description)).toEqual(['1 items']);
    }),
  );
});
