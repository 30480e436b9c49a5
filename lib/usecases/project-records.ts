import type { Change, Fold, ItemState } from '#lib/core/fold-state.ts';
import { type Decision, Kind } from '#lib/core/item.ts';
import type { Instance } from '#lib/usecases/instance.ts';

/**
 * Rows, relations, points and dirty domains after one entry. Every write is guarded by the entry's position, so that
 * it can be repeated, or come late.
 */
export async function writeRecords(instance: Instance, f: Fold, change: Change): Promise<void> {
  const { relations, evaluations, domains, clock } = instance;
  const { entry, credits } = change;
  if (change.void) return eraseLatePayload(instance, f, change);
  for (const relation of relationsOf(f, change))
    await relations.put({ from: entry.item_id, ...relation, pos: entry.position });
  for (const { lineage, ground_id, type } of credits)
    await evaluations.credit(lineage, entry.position, {
      source: 'dedup',
      related_id: entry.item_id,
      relation_type: type,
      ground_id,
      timestamp: entry.at,
      scopes: entry.scopes,
    });
  for (const domain of change.domains) await domains.markDirty(domain, entry.position, clock.now());
  for (const id of change.touched) {
    const item = f.items.get(id)!;
    if (item.status === 'removed') await erase(instance, item, entry.position);
    await instance.items.applyDecision(
      id,
      entry.position,
      decisionOf(item, clock.now()),
      item.status === 'removed',
    );
  }
}

/** Only a newcomer that this entry made live brings relations: a superseded one has none. */
const relationsOf = (f: Fold, { entry }: Change) =>
  f.items.get(entry.item_id)?.live_pos === entry.position ? (entry.relations ?? []) : [];

function decisionOf(item: ItemState, now: number): Decision {
  const pending = item.status === 'pending';
  const { decided } = item;
  return {
    status: item.status,
    attempt: pending ? item.attempt + 1 : item.attempt,
    grounds: item.grounds,
    relations: item.relations,
    lineage: item.lineage,
    ...(item.path_seq !== undefined && { path_seq: item.path_seq }),
    ...(item.reason !== undefined && { reason: item.reason }),
    ...(item.needs_review !== undefined && { needs_review: item.needs_review }),
    ...(decided?.basis !== undefined && { basis: decided.basis }),
    ...(decided?.model !== undefined && { model: decided.model }),
    ...(decided !== undefined && { decided_at: decided.at }),
    ...(pending && { next_at: now }),
  };
}

/** A void entry about an item that is gone already: what it says goes, too. */
async function eraseLatePayload({ ledger }: Instance, f: Fold, { entry }: Change): Promise<void> {
  if (entry.live && f.items.get(entry.item_id)?.status === 'removed') await ledger.erase(entry.position);
}

/** Deleted = erased (R3.6): body, vectors, relations, the payload in old entries, and its history rows at others. */
async function erase(instance: Instance, item: ItemState, position: number): Promise<void> {
  const { bodies, vectors, ledger, relations, evaluations, items } = instance;
  const row = await items.get(item.id);
  // A row that is gone, or a tombstone already, no longer says which kind its item was.
  const kinds = row && row.status !== 'removed' ? [row.kind] : Kind.options;
  for (const kind of kinds) await bodies.erase(item.id, kind);
  await vectors.erase(item.id);
  for (const payload of item.payloads) await ledger.erase(payload);
  for (const relation of await relations.of(item.id))
    await relations.put({ ...relation, pos: position, erased: true });
  if (item.credited.size > 0) await evaluations.eraseHistory(item.id, [...item.credited]);
}
