import { decodeSnapshot } from '#lib/core/catalog-snapshot.ts';
import type { Fold } from '#lib/core/fold-state.ts';
import { onlooker, type World } from '#test/crash/world.ts';
import { plainFold } from '#test/support/plain-fold.ts';

/** A function that starts now, from a snapshot, knows what the whole ledger says; no snapshot knows what was erased. */
export async function* snapshotsAgree(world: World, f: Fold): AsyncGenerator<string, void> {
  const { snapshots } = world.ports;
  if (told(await onlooker(world).catalog.refresh()) !== told(f)) yield 'catalog and fold differ';
  for (const { schema, position } of await snapshots.list()) {
    const kept = decodeSnapshot((await snapshots.get(schema, position))!).fold();
    for (const { id, status } of f.items.values())
      if (status === 'removed' && kept.items.get(id)?.live)
        yield `the snapshot of ${position} holds ${id}, which was erased`;
  }
}

/** Everything that the fold says, in its order, as one text. */
function told(f: Fold): string {
  const plain = plainFold(f);
  // Where payloads were that are erased by now: only who read the entries before still says it.
  for (const [id, item] of plain.items)
    if (item.status === 'removed') plain.items.set(id, { ...item, payloads: [] });
  return JSON.stringify(plain, (_, value: unknown) => {
    if (value instanceof Map || value instanceof Set) return [...value];
    if (typeof value !== 'object' || value === null || Array.isArray(value)) return value;
    return Object.fromEntries(Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1)));
  });
}
