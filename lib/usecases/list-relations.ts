import * as z from 'zod';
import type { Caller } from '#lib/core/caller.ts';
import type { Instance } from '#lib/usecases/instance.ts';
import { relationsByType } from '#lib/usecases/relations.ts';

/** Everything that takes part in a relation of one type, whatever the direction; a pair is read from its first id. */
export const RelationsOfType = z.strictObject({
  type: z.string(),
  ids: z.array(z.string()),
  pairs: z.array(z.tuple([z.string(), z.string()])),
});
export type RelationsOfType = z.infer<typeof RelationsOfType>;

export const AllRelations = z.strictObject({
  /** Items that have any relation. */
  ids: z.array(z.string()),
  types: z.array(RelationsOfType),
});
export type AllRelations = z.infer<typeof AllRelations>;

/** The relation cache as the caller may see it (R2.5); types without a visible pair are left out. */
export const listRelations =
  (instance: Instance) =>
  async (caller: Caller): Promise<AllRelations> => {
    const names = (await instance.relations.types()).filter((type) => type !== 'none').sort();
    const all = await Promise.all(
      names.map(async (type) => ({ type, ...(await relationsByType(instance)(caller, type)) })),
    );
    const types = all.filter(({ ids }) => ids.length > 0);
    return { ids: [...new Set(types.flatMap(({ ids }) => ids))].sort(), types };
  };

/** Ids of the items that have any relation the caller may see (R2.5). */
export const relatedIds =
  (instance: Instance) =>
  async (caller: Caller): Promise<Set<string>> =>
    new Set((await listRelations(instance)(caller)).ids);
