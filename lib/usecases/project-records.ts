import type { Fold, ItemState } from '#lib/core/fold-state.ts';
import { type Decision, Kind } from '#lib/core/item.ts';
import type { HelpfulPoint, RelationRow } from '#lib/core/rows.ts';
import type { Instance } from '#lib/usecases/instance.ts';
import type { Applied } from '#lib/usecases/recent-changes.ts';
import { sideBySide } from '#lib/usecases/side-by-side.ts';

/** What a batch of entries changes in rows, relations, points and domains; read off the fold at its end. */
interface Records {
  relations: RelationRow[];
  /** Points by lineage, in the order of the ledger: a lineage counts one only if it comes after the last. */
  points: Map<string, { position: number; point: HelpfulPoint }[]>;
  /** Domains by the last entry that changed them. */
  domains: Map<string, number>;
  /** Items with their state at the end of the batch and the last entry that changed it. */
  rows: { position: number; decision: Decision; item: Pick<ItemState, 'id' | 'status'>; erased?: Erased }[];
  /** Entries about items that are gone already: what they say goes, too. */
  late_payloads: number[];
}

type Erased = Pick<ItemState, 'id'> & { payloads: number[]; credited: string[] };

/**
 * Rows, relations, points and dirty domains after a batch of entries: each row once, with its last state. Every write
 * is guarded by the entry's position, so that it can be repeated, or come late; only the points of one lineage have an
 * order. What an erasure takes away is written before it. Returns the domains that changed.
 */
export async function writeRecords(
  instance: Instance,
  f: Fold,
  changes: readonly Applied[],
): Promise<Iterable<string>> {
  const { relations, evaluations, domains, items, ledger, clock } = instance;
  const now = clock.now();
  const records = recordsOf(f, changes, now);
  await sideBySide<() => Promise<unknown>>(
    [
      ...records.relations.map((relation) => () => relations.put(relation)),
      ...[...records.points].map(([lineage, points]) => async () => {
        for (const { position, point } of points) await evaluations.credit(lineage, position, point);
      }),
      ...[...records.domains].map(
        ([domain, position]) =>
          () =>
            domains.markDirty(domain, position, now),
      ),
    ],
    async (write) => void (await write()),
  );
  await sideBySide(records.rows, async ({ position, decision, item, erased }) => {
    if (erased) await erase(instance, erased, position);
    await items.applyDecision(item.id, position, decision, erased !== undefined);
  });
  for (const position of records.late_payloads) await ledger.erase(position);
  return records.domains.keys();
}

/** Synchronous: the fold may be the catalog's, which moves on while the rows are written. */
function recordsOf(f: Fold, changes: readonly Applied[], now: number): Records {
  const records: Records = {
    relations: [],
    points: new Map(),
    domains: new Map(),
    rows: [],
    late_payloads: [],
  };
  const last = new Map<string, number>();
  for (const { change, made_live } of changes) {
    const { entry, credits } = change;
    const { position, item_id } = entry;
    if (change.void) {
      if (entry.live && f.items.get(item_id)?.status === 'removed') records.late_payloads.push(position);
      continue;
    }
    // Only a newcomer that this entry made live brings relations: a superseded one has none.
    if (made_live)
      for (const relation of entry.relations ?? [])
        records.relations.push({ from: item_id, ...relation, pos: position });
    for (const { lineage, ground_id, type } of credits) {
      const point: HelpfulPoint = {
        source: 'dedup',
        related_id: item_id,
        relation_type: type,
        ground_id,
        timestamp: entry.at,
        scopes: entry.scopes,
      };
      records.points.set(lineage, [...(records.points.get(lineage) ?? []), { position, point }]);
    }
    for (const domain of change.domains) records.domains.set(domain, position);
    for (const id of change.touched) last.set(id, position);
  }
  for (const [id, position] of last) {
    const item = f.items.get(id)!;
    const { payloads, credited, status } = item;
    records.rows.push({
      position,
      decision: decisionOf(item, now),
      item: { id, status },
      ...(status === 'removed' && { erased: { id, payloads: [...payloads], credited: [...credited] } }),
    });
  }
  return records;
}

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

/** Deleted = erased (R3.6): body, vectors, relations, the payload in old entries, and its history rows at others. */
async function erase(
  instance: Instance,
  { id, payloads, credited }: Erased,
  position: number,
): Promise<void> {
  const { bodies, vectors, ledger, relations, evaluations, items } = instance;
  const row = await items.get(id);
  // A row that is gone, or a tombstone already, no longer says which kind its item was.
  const kinds = row && row.status !== 'removed' ? [row.kind] : Kind.options;
  for (const kind of kinds) await bodies.erase(id, kind);
  await vectors.erase(id);
  for (const payload of payloads) await ledger.erase(payload);
  for (const relation of await relations.of(id))
    await relations.put({ ...relation, pos: position, erased: true });
  if (credited.length > 0) await evaluations.eraseHistory(id, credited);
}
