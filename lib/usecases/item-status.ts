import * as z from 'zod';
import type { Caller } from '#lib/core/caller.ts';
import { decisionSentence } from '#lib/core/decision-sentence.ts';
import { isLiveState } from '#lib/core/fold-state.ts';
import { Ground, Kind } from '#lib/core/item.ts';
import { PublicRelation, PublicStatus } from '#lib/core/public-item.ts';
import { isVisible } from '#lib/core/relevance.ts';
import type { Instance } from '#lib/usecases/instance.ts';
import { edgesFrom } from '#lib/usecases/relations.ts';
import { type VisibleItem, visibleItem } from '#lib/usecases/visible-item.ts';

/** An item's status and the decision behind it, as the caller may see it. `decided_at` in epoch seconds. */
export const ItemStatus = z.strictObject({
  id: z.string(),
  kind: Kind,
  path: z.string().optional(),
  status: PublicStatus,
  /** Why, in one sentence. */
  decision: z.string(),
  /** Of a rejected item: `known`, `superseded`, `replaced`, `condensed`, `blocked`, `human`. */
  reason: z.string().optional(),
  /** What the decision rests on, e.g. `judge`, `identical`, `last_resort`. */
  basis: z.string().optional(),
  /** The model that judged; a stand-in says so in its name. */
  model: z.string().optional(),
  decided_at: z.number().optional(),
  grounds: z.array(Ground),
  relations: z.array(PublicRelation),
  needs_review: z.string().optional(),
});
export type ItemStatus = z.infer<typeof ItemStatus>;

/** Status, decision and relations of one item (spec, section 7). Throws `NotFound` where it is not there for the caller. */
export const itemStatus =
  (instance: Instance) =>
  async (caller: Caller, id: string): Promise<ItemStatus> => {
    const item = await visibleItem(instance, caller, id);
    const f = instance.catalog.fold;
    const rows = isLiveState(item.state) ? await instance.relations.of(id) : [];
    const { row, status } = item;
    return {
      id,
      kind: row.kind,
      ...(row.path !== undefined && { path: row.path }),
      status,
      ...decisionOf(instance, caller, item),
      relations: edgesFrom(f, caller, id, rows),
    };
  };

function decisionOf(
  { catalog }: Instance,
  caller: Caller,
  { row, state, status }: VisibleItem,
): Omit<ItemStatus, 'id' | 'kind' | 'path' | 'status' | 'relations'> {
  const failures = row.judge_failures?.count;
  if (!state || status === 'pending' || status === 'processing')
    return { decision: decisionSentence({ status, grounds: [], failures }), grounds: [] };
  const { reason, needs_review, decided } = state;
  const grounds = state.grounds.filter(({ id }) => {
    const ground = catalog.fold.items.get(id);
    return ground !== undefined && ground.status !== 'removed' && isVisible(ground.scopes, caller.scopes);
  });
  const { basis, model, note, at } = decided ?? {};
  return {
    decision: decisionSentence({ status, reason, basis, grounds, note }),
    ...(reason !== undefined && { reason }),
    ...(basis !== undefined && { basis }),
    ...(model !== undefined && { model }),
    ...(at !== undefined && { decided_at: at }),
    grounds,
    ...(needs_review !== undefined && { needs_review }),
  };
}
