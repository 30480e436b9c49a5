import { setTimeout as sleep } from 'node:timers/promises';
import type { Log } from '#lib/ports.ts';

/** Does the work again and again, `every_ms` apart, until `stop` is aborted; what it throws is logged once while it lasts. */
export async function repeat(
  what: string,
  every_ms: number,
  work: () => Promise<unknown>,
  { stop, log }: { stop: AbortSignal; log: Pick<Log, 'warn'> },
): Promise<void> {
  let said: string | undefined;
  while (!stop.aborted) {
    try {
      await work();
      said = undefined;
    } catch (error) {
      const why = String(error);
      if (why !== said && !stop.aborted) log.warn(`${what} failed, it is tried again`, { why });
      said = why;
    }
    await sleep(every_ms, undefined, { signal: stop }).catch(() => undefined);
  }
}
