import type { ItemState } from '#lib/core/fold-state.ts';
import { isLiveState } from '#lib/core/fold-state.ts';
import type { Instance } from '#lib/usecases/instance.ts';
import type { UploadOutcome } from '#lib/usecases/upload-document.ts';

/** How one item was decided. `waiting`: it is not decided yet. */
export interface DecisionFact {
  id: string;
  path: string;
  title: string;
  decision: 'admitted' | 'rejected' | 'waiting';
  reason?: string;
  /** On what the decision rests: `judge`, `identical`, `no_candidates`, … */
  basis?: string;
  /** From this item to another one. */
  relations: { type: string; to: string }[];
  /** Who judged, if anybody was asked. */
  judged_by?: string;
  needs_review?: string;
  /** What the newcomer was rejected for, and how often that was helpful by now (R4.3). */
  helped: { item: string; helpful: number }[];
  /** Frontmatter fields that were missing, and who wrote them. */
  generated: string[];
  generated_by: string[];
  warnings: string[];
}

/** The decision as the ledger has it, with what the upload said. */
export function decisionFact(instance: Instance, upload: UploadOutcome, title: string): DecisionFact {
  const item = instance.catalog.fold.items.get(upload.id);
  const known = {
    id: upload.id,
    path: upload.path,
    title,
    generated: upload.generated,
    generated_by: upload.stand_ins ?? [],
    warnings: upload.warnings,
  };
  if (!item?.decided) return { ...known, decision: 'waiting', relations: [], helped: [] };
  const { basis, model } = item.decided;
  return {
    ...known,
    decision: isLiveState(item) ? 'admitted' : 'rejected',
    relations: relationsOf(instance, item),
    helped: item.grounds.map(({ id }) => ({ item: nameOf(instance, id), helpful: helpfulOf(instance, id) })),
    ...(item.reason !== undefined && { reason: item.reason }),
    ...(basis !== undefined && { basis }),
    ...(model !== undefined && { judged_by: model }),
    ...(item.needs_review !== undefined && { needs_review: item.needs_review }),
  };
}

function relationsOf(instance: Instance, item: ItemState): DecisionFact['relations'] {
  const grounds = item.grounds.map(({ id, type }) => ({ type, to: nameOf(instance, id) }));
  const edges = item.relations.map(({ to, type }) => ({ type, to: nameOf(instance, to) }));
  return [...grounds, ...edges];
}

/** How people know an item: its path, or an entry by its id. */
export const nameOf = ({ catalog }: Instance, id: string): string => catalog.fold.items.get(id)?.path ?? id;

/** How often the item was helpful: once from the start, and once for each newcomer that it made needless. */
export function helpfulOf({ catalog: { fold } }: Instance, id: string): number {
  const lineage = fold.items.get(id)?.lineage ?? id;
  return 1 + (fold.points.get(lineage) ?? 0);
}

/** What kind of decision it was, in one word for counting: a relation's type where there is one. */
export function kindOfDecision({ decision, relations, reason, basis }: DecisionFact): string {
  if (decision === 'waiting') return 'waiting';
  const types = [...new Set(relations.map(({ type }) => type))].sort().join(' + ');
  if (decision === 'rejected') return `rejected: ${types || reason || 'without a ground'}`;
  if (basis === 'last_resort') return 'admitted: without a verdict';
  return types === '' ? 'admitted' : `admitted: ${types}`;
}

/** How many decisions of each kind, plain admissions first, then by number. */
export function countKinds(facts: readonly DecisionFact[]): Record<string, number> {
  const counts = new Map<string, number>();
  for (const fact of facts) {
    const kind = kindOfDecision(fact);
    counts.set(kind, (counts.get(kind) ?? 0) + 1);
  }
  const order = ([a, m]: [string, number], [b, n]: [string, number]) =>
    Number(b === 'admitted') - Number(a === 'admitted') || n - m || (a < b ? -1 : 1);
  return Object.fromEntries([...counts].sort(order));
}
