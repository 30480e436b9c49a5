import { setTimeout as pause } from 'node:timers/promises';
import type { WatchedLocalRun } from './watched-local-run.ts';

const LOOK_MS = 500;
/** Longer than SQS keeps back what a worker had taken and failed with. */
const PATIENCE_MS = 900_000;
const DEAD_LETTERS = /deadletter/i;

/** Waits until nothing is queued or under way, twice in a row. Returns what is wrong with that: nothing, as a rule. */
export async function untilQuiet(run: WatchedLocalRun, signal: AbortSignal): Promise<string[]> {
  const began = performance.now();
  for (let quiet = 0; ; ) {
    const state = await run.ask();
    const queues = Object.entries(state.queues ?? {});
    const busy = queues.filter(([name, depth]) => !DEAD_LETTERS.test(name) && depth > 0);
    quiet = busy.length === 0 && state.held === 0 ? quiet + 1 : 0;
    if (quiet === 2)
      return queues
        .filter(([name, depth]) => DEAD_LETTERS.test(name) && depth > 0)
        .map(([name, depth]) => `0 ${depth} dead letters in ${name}`);
    if (performance.now() - began > PATIENCE_MS)
      return [`0 never quiet: ${state.held} under way, ${JSON.stringify(busy)}`];
    await pause(LOOK_MS, undefined, { signal });
  }
}
