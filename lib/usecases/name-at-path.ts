import { Unclear } from '#lib/core/errors.ts';
import type { ItemRow } from '#lib/core/item.ts';
import type { Instance } from '#lib/usecases/instance.ts';

const PAUSE_MS = 50;

/**
 * Stores the row, names it as the latest at its path and accepts it (protocol, "Uploads at a path"). Returns only when
 * the row is known to be no longer `received`; every unclear answer starts again at the path row. Throws `Unclear`
 * after `give_up_at` (epoch milliseconds), the uploader's own patience.
 */
export async function nameAtPath(
  instance: Instance,
  row: ItemRow & { path: string },
  give_up_at: number,
): Promise<void> {
  const { clock } = instance;
  let inserted = false;
  for (;;) {
    if (clock.now() > give_up_at) throw tooLate();
    try {
      const current = await instance.paths.get(row.path);
      const seen = current?.seq ?? 0;
      if (current?.latest_id === row.id) {
        const answer = await accept(instance, row.id, seen);
        if (answer === 'accepted' || answer === 'not_received') return;
        if (answer === 'absent') {
          // It was swept, and is named all the same: written again.
          await instance.items.insert({ ...row, path_seq: seen });
          continue;
        }
      }
      const seq = seen + 1;
      const stored = inserted ? await instance.items.raiseSeq(row.id, seq) : 'absent';
      if (stored === 'not_received') return;
      if (stored === 'absent') {
        inserted = true;
        if (!(await instance.items.insert({ ...row, path_seq: seq }))) continue;
      }
      const { path, body_hash, scopes, owner } = row;
      if (!(await instance.paths.advance(seen, { path, seq, latest_id: row.id, body_hash, scopes, owner })))
        continue;
      const answer = await accept(instance, row.id, seq);
      if (answer === 'accepted' || answer === 'not_received') return;
    } catch (error) {
      if (!(error instanceof Unclear)) throw error;
    }
    await clock.sleep(PAUSE_MS);
  }
}

/** Who has slept since it stored the text may find it swept: an item without a text cannot be judged. */
export const tooLate = () => new Unclear('the upload took too long and was given up; try it again');

/** `received` → `pending`, to be looked at by the sweep should the message get lost. */
export const accept = ({ items, clock, settings }: Instance, id: string, seq: number) =>
  items.accept(id, seq, clock.now() + settings.requeue_ms);

/**
 * Takes the next seq at a path, so that "same bytes" matches nothing there any more: what DELETE by path, restore and
 * import do before they append. Seqs may be skipped, never shared. A DELETE keeps the latest named until it is in the
 * ledger: repeated after a break, it must still find what waits.
 */
export async function takeSeq(
  { paths, clock, settings }: Instance,
  path: string,
  latest: 'cleared' | 'kept' = 'cleared',
): Promise<number> {
  const give_up_at = clock.now() + settings.upload_patience_ms;
  for (;;) {
    try {
      const current = await paths.get(path);
      const seen = current?.seq ?? 0;
      const cleared = { path, scopes: [], owner: '', latest_id: undefined };
      const kept = latest === 'kept' && current ? current : cleared;
      if (await paths.advance(seen, { ...kept, seq: seen + 1, body_hash: undefined })) return seen + 1;
    } catch (error) {
      if (!(error instanceof Unclear)) throw error;
    }
    if (clock.now() > give_up_at) throw new Unclear(`${path} could not be changed in time`);
    await clock.sleep(PAUSE_MS);
  }
}
