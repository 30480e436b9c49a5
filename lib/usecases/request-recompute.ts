import * as z from 'zod';
import type { Caller } from '#lib/core/caller.ts';
import { NotFound } from '#lib/core/errors.ts';
import { categoryName } from '#lib/core/names.ts';
import { visibleDomains } from '#lib/core/visible-domains.ts';
import type { Instance } from '#lib/usecases/instance.ts';

export const RecomputeRequested = z.strictObject({ domain_id: z.string(), status: z.literal('queued') });
export type RecomputeRequested = z.infer<typeof RecomputeRequested>;

/**
 * Has the domain's text written again, soon, from all that the ledger says by now (R5.1); a text that counts all of it
 * already stays. Throws `InvalidInput`, and `NotFound` for a domain in which the caller sees nothing.
 */
export const requestRecompute =
  ({ catalog, domains, queue, clock }: Instance) =>
  async (caller: Caller, domain: string): Promise<RecomputeRequested> => {
    const domain_id = categoryName(domain, 'id');
    const f = await catalog.refresh();
    if (!visibleDomains(f, caller.scopes).has(domain_id)) throw new NotFound(`no domain ${domain_id}`);
    await domains.markDirty(domain_id, f.position, clock.now());
    await queue.send({ type: 'recompute', domain_id });
    return { domain_id, status: 'queued' };
  };
