import { IndexUnavailable } from '#lib/core/errors.ts';
import type { Instance } from '#lib/usecases/instance.ts';

/**
 * How long a running function goes on searching the index whose name it read last. A switched pointer is obeyed after
 * that at the latest, well within the 5 s of R6.9; what was removed is obeyed at once, by the ledger.
 */
const KNOWN_FOR_MS = 2000;

/**
 * Does `search` on the index that the pointer names. Its two small reads are made once in two seconds and not once a
 * call (design, section 8), and again when the index turns out to be gone. Throws `IndexUnavailable` where none is made.
 */
export async function onCurrentIndex<Found>(
  instance: Instance,
  search: (physical: string) => Promise<Found>,
): Promise<Found> {
  const known = knownName(instance);
  if (known === undefined) return search(await readName(instance));
  try {
    return await search(known);
  } catch (error) {
    if (!(error instanceof IndexUnavailable)) throw error;
    const physical = await readName(instance);
    if (physical === known) throw error;
    return search(physical);
  }
}

function knownName({ known_index, clock }: Instance): string | undefined {
  const age = clock.now() - known_index.read_at;
  return age >= 0 && age < KNOWN_FOR_MS ? known_index.physical : undefined;
}

/** The pointer first, then its row (protocol, "Project"). */
async function readName({ projections, clock, known_index }: Instance): Promise<string> {
  const read_at = clock.now();
  const row = await projections.get(await projections.pointer());
  if (!row?.physical) throw new IndexUnavailable('no search index has been made yet');
  Object.assign(known_index, { physical: row.physical, read_at });
  return row.physical;
}
