import { setImmediate } from 'node:timers/promises';
import { createMemoryPorts, type MemoryPorts } from '#lib/adapters/memory/memory.ts';
import { systemClock } from '#lib/adapters/memory/system.ts';
import { STANDIN_RELEVANCE_FLOOR, STANDIN_SIMILARITY_FLOOR } from '#lib/adapters/standin/embedder.ts';
import { STANDIN_JUDGE_BUDGET } from '#lib/adapters/standin/judge.ts';
import type { Message } from '#lib/core/rows.ts';
import type { Settings } from '#lib/core/settings.ts';
import type { Clock } from '#lib/ports.ts';
import { admit } from '#lib/usecases/admit.ts';
import { createInstance, type Instance } from '#lib/usecases/instance.ts';
import { recomputeDomain } from '#lib/usecases/recompute-domain.ts';
import { type Counts, countPorts } from './counting-ports.ts';

/** What of the settings is a property of the stand-ins. */
export const STANDIN_SETTINGS = {
  similarity_floor: STANDIN_SIMILARITY_FLOOR,
  relevance_floor: STANDIN_RELEVANCE_FLOOR,
  judge_view_budget: STANDIN_JUDGE_BUDGET,
} as const satisfies Partial<Settings>;

/** KnowHub in one process: memory adapters, stand-in models, gone when it ends. */
export interface LocalSystem {
  /** The stores themselves, for who looks without being counted. */
  stores: MemoryPorts;
  /** A running function for callers; what it does is counted. */
  instance: Instance;
  /** One more running function, with a catalog of its own. */
  start(): Instance;
  counts(): Counts;
  /** Moves the clock on: what is due later is due now, and nobody waits. */
  skip(ms: number): void;
}

export function createLocalSystem(): LocalSystem {
  let skipped = 0;
  const clock: Clock = { now: () => systemClock.now() + skipped, sleep: (ms) => systemClock.sleep(ms) };
  const stores = createMemoryPorts({ clock });
  const { ports, counts } = countPorts(stores);
  const start = () => createInstance(ports, STANDIN_SETTINGS);
  return {
    stores,
    instance: start(),
    start,
    counts,
    skip: (ms) => {
      skipped += ms;
    },
  };
}

/** A message whose work threw something that is no answer; its item stays pending. */
export interface Failed {
  message: Message;
  error: unknown;
}

/**
 * Works the queue off as that many functions, each with a catalog of its own, until nothing is due; with `later` also
 * what is due later, the clock moved on to it. `done` hears of every message.
 */
export async function workOff(
  system: LocalSystem,
  workers: number,
  options: { later?: boolean; done?: (message: Message) => void } = {},
): Promise<Failed[]> {
  const { queue, clock } = system.stores;
  const instances = workers === 1 ? [system.instance] : Array.from({ length: workers }, () => system.start());
  const failed: Failed[] = [];
  const work = async (instance: Instance) => {
    for (let [message] = queue.take(1); message; [message] = queue.take(1)) {
      await handle(instance, message).catch((error: unknown) => failed.push({ message: message!, error }));
      options.done?.(message);
      // Memory adapters never wait: without a pause neither a signal nor the terminal would get its turn.
      await setImmediate();
    }
  };
  for (;;) {
    await Promise.all(instances.map(work));
    const due = options.later ? queue.nextDue() : undefined;
    if (due === undefined) return failed;
    system.skip(Math.max(0, due - clock.now()));
  }
}

async function handle(instance: Instance, message: Message): Promise<void> {
  if (message.type === 'admit') {
    await admit(instance)(message.item_id);
    return;
  }
  const outcome = await recomputeDomain(instance)(message.domain_id);
  if (outcome.kind === 'waits') await instance.queue.send(message, outcome.waits_ms);
  if (outcome.kind === 'unfinished') await instance.queue.send(message);
}
