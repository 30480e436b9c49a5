import { payloadOf } from '#lib/core/admission.ts';
import type { Caller } from '#lib/core/caller.ts';
import { Conflict, InvalidInput } from '#lib/core/errors.ts';
import { isRemoved } from '#lib/core/fold-state.ts';
import { ItemId, type ItemRow } from '#lib/core/item.ts';
import { parseInput } from '#lib/core/parse-input.ts';
import { EntryInput, entryRow } from '#lib/usecases/add-entry.ts';
import { append } from '#lib/usecases/append.ts';
import { saveSections, saveTaskVector } from '#lib/usecases/embed-item.ts';
import type { Instance } from '#lib/usecases/instance.ts';
import { projectAll } from '#lib/usecases/project.ts';
import { settled } from '#lib/usecases/retry.ts';

/**
 * Brings one existing entry in as `approved`, without a judgement (R3.1). Safe to run twice under the id that it had.
 * Throws `ModelUnavailable`: vectors must lie there before it goes live.
 */
export const importEntry =
  (instance: Instance) =>
  async (caller: Caller, id: string, input: unknown): Promise<{ id: string; imported: boolean }> => {
    const { items, bodies, clock, random, catalog } = instance;
    if (!ItemId.safeParse(id).success) throw new InvalidInput('id', `${id} is no id of a knowledge item`);
    const entry = parseInput(EntryInput, input);
    // Until the ledger has it the row is `received`: no worker judges it, and the sweep drops what never came further.
    const row = { ...entryRow(instance, caller, entry), id, status: 'received' as const, path_seq: 0 };
    const known = (await catalog.refresh()).items.has(id);
    if (known) return { id, imported: false };
    const begun = await demandMine(instance, row, entry.content);
    // A sweep that is about to drop what a broken import left lets it be: it knows the row by its seq.
    if (begun) await settled(clock, () => items.raiseSeq(id, (begun.path_seq ?? 0) + 1));
    await settled(clock, () => bodies.put(id, 'entry', entry.content));
    await settled(clock, () => items.insert(row));
    // What was there before this call stays: it must be the same.
    await demandMine(instance, row, entry.content);
    await saveTaskVector(instance, row, entry.content);
    await saveSections(instance, row);
    const decision_id = random.hex(16);
    await append(instance, {
      mine: (f) => f.items.has(id),
      build: () => ({
        put: {
          at: Math.floor(clock.now() / 1000),
          by: caller.principal,
          event: 'imported',
          item_id: id,
          attempt: 1,
          decision_id,
          fingerprint: row.fingerprint,
          scopes: row.scopes,
          basis: 'import',
          live: payloadOf(row),
        },
      }),
    });
    if (isRemoved(catalog.fold, id)) await instance.vectors.erase(id);
    await projectAll(instance);
    return { id, imported: true };
  };

/** Nothing else may lie under the id: the ledger would say of one item what the row and the text say of another. */
async function demandMine(
  { items, bodies, clock }: Instance,
  mine: ItemRow,
  content: string,
): Promise<ItemRow | undefined> {
  const row = await settled(clock, () => items.get(mine.id));
  const text = await settled(clock, () => bodies.get(mine.id, 'entry'));
  const same_row =
    row === undefined ||
    (row.status === 'received' &&
      row.kind === 'entry' &&
      row.path === undefined &&
      row.fingerprint === mine.fingerprint &&
      row.scopes.join('\n') === mine.scopes.join('\n'));
  if (!same_row || (text !== undefined && text !== content))
    throw new Conflict(`another item lies under ${mine.id}`);
  return row;
}
