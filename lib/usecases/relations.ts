import type { Caller } from '#lib/core/caller.ts';
import { type Fold, isLiveState } from '#lib/core/fold-state.ts';
import { isVisible } from '#lib/core/relevance.ts';
import type { RelationRow } from '#lib/core/rows.ts';
import type { Instance } from '#lib/usecases/instance.ts';

/** A directed edge as one end sees it (spec, section 1). */
export interface Edge {
  type: string;
  target: string;
}

/** An item's relations, read from its end; only to items that are live and that the caller may see (R2.4). */
export const relationsOf =
  (instance: Instance) =>
  async (caller: Caller, id: string): Promise<Edge[]> => {
    const f = await instance.catalog.refresh();
    return edgesFrom(f, caller, id, await instance.relations.of(id));
  };

/**
 * The rows as edges from this item, to what the caller may see; with what the ledger has and the rows do not have yet,
 * so that a decision and its relations are seen together (R6.9).
 */
export const edgesFrom = (f: Fold, caller: Caller, id: string, rows: readonly RelationRow[]): Edge[] =>
  withLedger(f, id, rows)
    .filter(shownTo(f, caller))
    .flatMap((row) => edgesOf(row))
    .filter(({ from, type }) => from === id && type !== 'none')
    .map(({ type, target }) => ({ type, target }));

/** All ids that take part in a relation of this type, whatever the direction, and the pairs (R2.5). */
export const relationsByType =
  (instance: Instance) =>
  async (
    caller: Caller,
    type: string,
    item?: string,
  ): Promise<{ ids: string[]; pairs: [string, string][] }> => {
    // The name of a side that is not written, and no type.
    if (type === 'none') return { ids: [], pairs: [] };
    const f = await instance.catalog.refresh();
    const rows = (await instance.relations.byType(type)).filter(shownTo(f, caller));
    const pairs = rows
      .flatMap((row) => edgesOf(row))
      .filter((edge) => edge.type === type)
      .map(({ from, target }): [string, string] => [from, target])
      .filter((pair) => item === undefined || pair.includes(item));
    return { ids: [...new Set(pairs.flat())].sort(), pairs };
  };

function withLedger(f: Fold, id: string, rows: readonly RelationRow[]): RelationRow[] {
  const known = new Set(rows.map(keyOf));
  const ends = [id, ...(f.related.get(id) ?? [])].map((each) => f.items.get(each)).filter(isLiveState);
  const told = ends.flatMap(({ id: from, relations, live_pos: pos }) =>
    relations.filter(({ to }) => from === id || to === id).map((relation) => ({ from, ...relation, pos })),
  );
  return [...rows, ...told.filter((row) => !known.has(keyOf(row)))];
}

const keyOf = ({ from, type, to }: RelationRow): string => `${from} ${type} ${to}`;

const edgesOf = ({ from, to, type, reverse }: RelationRow) => [
  { from, type, target: to },
  { from: to, type: reverse, target: from },
];

/** Read through the catalog: an end that is gone a moment ago is in no answer, whatever the rows still say. */
const shownTo = (f: Fold, caller: Caller) => (row: RelationRow) =>
  [row.from, row.to].every((id) => {
    const item = f.items.get(id);
    return isLiveState(item) && isVisible(item.scopes, caller.scopes);
  });
