import type { Instance } from '#lib/usecases/instance.ts';
import { accept } from '#lib/usecases/name-at-path.ts';
import { PROJECTIONS } from '#lib/usecases/project.ts';

const ALL = 10_000;
const AT_ONCE = 20;
/** In seconds: every row was made before it. */
const NEVER_S = 100_000_000_000;

/** What was left under way by the process before: nobody works on it any more. */
export interface Woken {
  leases: number;
  claims: number;
  accepted: number;
  queued: number;
}

/**
 * Ends the claims and leases of the process before, which died with them, and queues what waits, so that work goes on at
 * once. Only for a process that has the data to itself; elsewhere they run out by their clocks.
 */
export async function wake(instance: Instance): Promise<Woken> {
  const { items, projections, domains, clock } = instance;
  const woken: Woken = { leases: 0, claims: 0, accepted: 0, queued: 0 };
  for (const name of new Set([...PROJECTIONS, await projections.pointer()])) {
    const lease = (await projections.get(name))?.lease;
    if (!lease) continue;
    await projections.releaseLease(name, lease.token);
    woken.leases += 1;
  }
  for (const { domain_id, claim } of await domains.list())
    if (claim) await domains.release(domain_id, claim.token);

  await inParts(await items.received(NEVER_S, ALL), async (id) => {
    if (await acceptNamed(instance, id)) woken.accepted += 1;
  });
  const ever = Number.MAX_SAFE_INTEGER;
  const waiting = await items.due(ever, { pending: ever, processing: ever }, ALL);
  await inParts(waiting, async (id) => {
    const row = await items.get(id);
    if (row?.status === 'processing' && row.claim) {
      if (await items.release(id, row.claim.token, clock.now())) woken.claims += 1;
      // Who waits for a judge that is out of reach goes on waiting.
    } else if (row?.status !== 'pending' || row.judge_failures !== undefined) return;
    await instance.queue.send({ type: 'admit', item_id: id });
    woken.queued += 1;
  });
  return woken;
}

/** What an uploader had named at its path, but not accepted yet; it would have been next (protocol, "Uploads at a path"). */
async function acceptNamed(instance: Instance, id: string): Promise<boolean> {
  const row = await instance.items.get(id);
  if (row?.path === undefined || row.path_seq === undefined) return false;
  const named = await instance.paths.get(row.path);
  if (named?.latest_id !== id || named.seq !== row.path_seq) return false;
  return (await accept(instance, id, named.seq)) === 'accepted';
}

async function inParts(ids: readonly string[], work: (id: string) => Promise<void>): Promise<void> {
  for (let from = 0; from < ids.length; from += AT_ONCE)
    await Promise.all(ids.slice(from, from + AT_ONCE).map(work));
}
