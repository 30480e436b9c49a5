import type { Caller } from '#lib/core/caller.ts';
import { excerpt } from '#lib/core/excerpt.ts';
import { type PublicItem, publicEval, publicItem } from '#lib/core/public-item.ts';
import type { Instance } from '#lib/usecases/instance.ts';
import { edgesFrom } from '#lib/usecases/relations.ts';
import type { VisibleItem } from '#lib/usecases/visible-item.ts';

/**
 * The items as the API shows them (R2.1), their beginnings in place of their texts. Eval is the lineage's, so a
 * replacement keeps its predecessor's points (R3.5).
 */
export const showItems =
  (instance: Instance) =>
  (caller: Caller, items: readonly VisibleItem[]): Promise<PublicItem[]> =>
    Promise.all(items.map((item) => showItem(instance, caller, item)));

async function showItem(instance: Instance, caller: Caller, { row, state, status }: VisibleItem) {
  const { evaluations, relations, catalog, settings } = instance;
  const f = catalog.fold;
  const [evaluation, rows] = await Promise.all([
    evaluations.get(state?.lineage ?? row.id),
    relations.of(row.id),
  ]);
  // A row's excerpt that was cut carries its dots, and so is longer than the limit.
  const beginning = excerpt(row.excerpt, settings.excerpt_code_points);
  return publicItem(row, {
    status,
    content: beginning.excerpt,
    truncated: beginning.truncated,
    eval: publicEval(evaluation, caller.scopes, (id) => f.items.get(id)?.status === 'removed'),
    relationships: edgesFrom(f, caller, row.id, rows),
    needs_review: state?.needs_review,
  });
}
