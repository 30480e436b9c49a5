import { setImmediate } from 'node:timers/promises';
import { systemClock } from '#lib/adapters/memory/system.ts';
import { STANDIN_EMBEDDER } from '#lib/adapters/standin/embedder.ts';
import { STANDIN_JUDGE_BUDGET } from '#lib/adapters/standin/judge.ts';
import { EMBEDDER_FLOORS, settingsOfFloors } from '#lib/core/embedder-floors.ts';
import type { Message } from '#lib/core/rows.ts';
import type { Settings } from '#lib/core/settings.ts';
import type { Clock, Ports } from '#lib/ports.ts';
import { admit } from '#lib/usecases/admit.ts';
import { createInstance, type Instance } from '#lib/usecases/instance.ts';
import { recomputeDomain } from '#lib/usecases/recompute-domain.ts';
import { type Counts, countPorts } from './counting-ports.ts';
import type { WorkQueue } from './work-queue.ts';

/** What of the settings is a property of the stand-ins. */
export const STANDIN_SETTINGS = {
  ...settingsOfFloors(EMBEDDER_FLOORS[STANDIN_EMBEDDER.name]),
  judge_view_budget: STANDIN_JUDGE_BUDGET,
} as const satisfies Partial<Settings>;

/** KnowHub in one process, with stand-in models, gone when it ends. */
export interface LocalSystem {
  /** The stores themselves, for who looks without being counted. */
  stores: Ports;
  /** Where what is queued is taken from. */
  work: WorkQueue;
  /** A running function for callers; what it does is counted. */
  instance: Instance;
  /** One more running function, with a catalog of its own. */
  start(): Instance;
  counts(): Counts;
  /** Moves the clock on: what is due later is due now, and nobody waits. */
  skip(ms: number): void;
}

/** `make` is given the clock that can be moved on. */
export function createLocalSystem(make: (clock: Clock) => { ports: Ports; work: WorkQueue }): LocalSystem {
  let skipped = 0;
  const clock: Clock = { now: () => systemClock.now() + skipped, sleep: (ms) => systemClock.sleep(ms) };
  const { ports: stores, work } = make(clock);
  const { ports, counts } = countPorts(stores);
  const start = () => createInstance(ports, STANDIN_SETTINGS);
  return {
    stores,
    work,
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
  const { clock } = system.stores;
  const instances = workers === 1 ? [system.instance] : Array.from({ length: workers }, () => system.start());
  const failed: Failed[] = [];
  const work = async (instance: Instance) => {
    for (let taken = await system.work.take(); taken; taken = await system.work.take()) {
      const { message, done } = taken;
      await handle(instance, message).then(done, (error: unknown) => failed.push({ message, error }));
      options.done?.(message);
      // Memory adapters never wait: without a pause neither a signal nor the terminal would get its turn.
      await setImmediate();
    }
  };
  for (;;) {
    await Promise.all(instances.map(work));
    const due = options.later ? system.work.nextDue() : undefined;
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
