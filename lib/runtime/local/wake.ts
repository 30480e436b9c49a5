import type { Instance } from '#lib/usecases/instance.ts';
import { PROJECTIONS } from '#lib/usecases/project.ts';

const ALL = 10_000;
const AT_ONCE = 20;

/** What was left under way by the process before: nobody works on it any more. */
export interface Woken {
  leases: number;
  claims: number;
  queued: number;
}

/**
 * Ends the claims and leases of the process before, which died with them, and queues what waits, so that work goes on at
 * once. Only for a process that has the data to itself; elsewhere they run out by their clocks.
 */
export async function wake(instance: Instance): Promise<Woken> {
  const { items, projections, domains, clock } = instance;
  const woken: Woken = { leases: 0, claims: 0, queued: 0 };
  for (const name of new Set([...PROJECTIONS, await projections.pointer()])) {
    const lease = (await projections.get(name))?.lease;
    if (!lease) continue;
    await projections.releaseLease(name, lease.token);
    woken.leases += 1;
  }
  for (const { domain_id, claim } of await domains.list())
    if (claim) await domains.release(domain_id, claim.token);

  const ever = Number.MAX_SAFE_INTEGER;
  const waiting = await items.due(ever, { pending: ever, processing: ever }, ALL);
  for (let from = 0; from < waiting.length; from += AT_ONCE)
    await Promise.all(
      waiting.slice(from, from + AT_ONCE).map(async (id) => {
        const row = await items.get(id);
        if (row?.status === 'processing' && row.claim) {
          if (await items.release(id, row.claim.token, clock.now())) woken.claims += 1;
          // Who waits for a judge that is out of reach goes on waiting.
        } else if (row?.status !== 'pending' || row.judge_failures !== undefined) return;
        await instance.queue.send({ type: 'admit', item_id: id });
        woken.queued += 1;
      }),
    );
  return woken;
}
