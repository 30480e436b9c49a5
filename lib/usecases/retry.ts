import { Unclear } from '#lib/core/errors.ts';
import type { Clock } from '#lib/ports.ts';

const TRIES = 3;
const PAUSE_MS = 50;

/** Repeats a call that is safe to repeat while its answer stays unclear. */
export async function settled<T>(clock: Clock, call: () => Promise<T>): Promise<T> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await call();
    } catch (error) {
      if (!(error instanceof Unclear) || attempt === TRIES) throw error;
      await clock.sleep(PAUSE_MS * attempt);
    }
  }
}
