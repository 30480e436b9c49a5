import type { Draft } from '#lib/core/entry.ts';
import { Unclear } from '#lib/core/errors.ts';
import type { Fold } from '#lib/core/fold-state.ts';
import type { Instance } from '#lib/usecases/instance.ts';

/** What to do at the head: put this entry, look at something first (then be asked again), or nothing at all. */
export type Build = { put: Draft } | { look: () => Promise<void> } | 'stop';

export interface Writer {
  /** Is it in the ledger already, by me or in my stead? Asked before every put, the first included. */
  mine(f: Fold): boolean;
  /** Pure and synchronous: between it and the put's position nothing may move the fold that it read. */
  build(f: Fold): Build;
}

/** How long one round takes: a read, the vectors, a put; in puts, and in milliseconds at least and at most. */
const ROUND = { puts: 4, least: 5, most: 250 };
const MOST_ROUNDS = 10;

/**
 * How long to let others go first, in milliseconds. After one lost put nothing: whoever is alone with one other comes
 * next. Then up to a round more for each put lost, so that of sixty that wait a handful at a time asks for the place,
 * however slow the store is: `put_ms` is how long the last put took.
 */
export const pauseAfter = (lost: number, put_ms: number, fraction: number): number =>
  fraction *
  Math.min(lost - 1, MOST_ROUNDS) *
  Math.min(Math.max(put_ms * ROUND.puts, ROUND.least), ROUND.most);

/**
 * Puts one entry at the head of the ledger (protocol, "Append"). No lock is held while a `look` thinks: whoever puts
 * first wins the position, the others look at the new entries only.
 */
export async function append(
  { catalog, ledger, clock, random, log }: Instance,
  writer: Writer,
): Promise<'appended' | 'adopted' | 'stopped'> {
  const f = catalog.fold;
  for (let lost = 0; ; ) {
    if (writer.mine(f)) return 'adopted';
    const build = writer.build(f);
    if (build === 'stop') return 'stopped';
    if ('look' in build) {
      await build.look();
      continue;
    }
    const entry = { ...build.put, position: f.position + 1 };
    const asked = clock.now();
    const put = await ledger.put(entry).catch((error: unknown) => {
      if (!(error instanceof Unclear)) throw error;
      log.debug('unclear put', { position: entry.position });
      return false;
    });
    if (put) {
      catalog.apply([entry]);
      return 'appended';
    }
    lost += 1;
    // Before the read, not after it: what is put then was read a moment ago.
    const pause = pauseAfter(lost, clock.now() - asked, random.fraction());
    if (pause > 0) await clock.sleep(pause);
    await catalog.refresh();
  }
}
