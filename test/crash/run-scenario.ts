import type { Fault } from '#lib/adapters/memory/faults.ts';
import type { Message } from '#lib/core/rows.ts';
import { begin, beginSweep, deliver, type Operation } from '#test/crash/operations.ts';
import type { World } from '#test/crash/world.ts';

/** Operations that are started side by side; the queue is worked off after each phase. */
export interface Phase {
  operations: Operation[];
  /** Milliseconds that pass afterwards. */
  then_wait?: number;
  /** The model answers nothing during this phase. */
  model_down?: boolean;
  /** The index cannot be reached during this phase. */
  index_down?: boolean;
  /** Whoever is frozen wakes up before this phase. */
  thaw?: boolean;
}

export interface Scenario {
  name: string;
  phases: Phase[];
  settings?: { recall_k?: number; max_candidates?: number };
  /** Every message comes twice. */
  twice?: boolean;
  /** Faults that belong to the story: the nth call of this kind, on this first argument. */
  scripted?: { call: string; on: string; nth: number; fault: Fault }[];
  /** How many workers take messages at a time. */
  workers?: number;
  /** The workers of one phase run side by side with the operations of the next, not between them. */
  overlap?: boolean;
}

const MINUTE = 60_000;
const ROUNDS = 100;
const STILL_ROUNDS = 3;

/**
 * Runs all phases and returns the number of calls that they took; then lets the system come to rest; zombies wake up long after, and it comes to
 * rest again.
 */
export async function runScenario(world: World, scenario: Scenario): Promise<number> {
  const workers = scenario.workers ?? 8;
  const hand = (messages: Message[]) => {
    for (const message of messages) {
      deliver(world, message);
      if (scenario.twice) deliver(world, message);
    }
  };
  for (const { operations, then_wait, model_down, index_down, thaw } of scenario.phases) {
    if (thaw) world.scheduler.thaw();
    world.model_down.value = model_down ?? false;
    world.index_down.value = index_down ?? false;
    for (const operation of operations) begin(world, operation);
    if (scenario.overlap) hand(world.ports.queue.take(workers));
    await world.scheduler.drain();
    if (!scenario.overlap) await workOff(world, hand, workers);
    if (then_wait !== undefined) world.clock.advance(then_wait);
  }
  world.model_down.value = false;
  world.index_down.value = false;
  await workOff(world, hand, workers);
  const calls = world.scheduler.calls;
  await comeToRest(world, false);
  world.scheduler.thaw();
  await world.scheduler.drain();
  await comeToRest(world, true);
  return calls;
}

async function workOff(world: World, hand: (messages: Message[]) => void, workers: number): Promise<void> {
  const { queue } = world.ports;
  for (let messages = queue.take(workers); messages.length > 0; messages = queue.take(workers)) {
    hand(messages);
    await world.scheduler.drain();
  }
}

/**
 * Redelivery, workers and the sweep go on in fresh processes until nothing moves (crash.md, "Method"). Minutes pass, as
 * long as another worker needs to take over; with `hours`, as long as the sweep waits for what was left behind.
 */
export async function comeToRest(world: World, hours: boolean): Promise<void> {
  let still = 0;
  const handOut = (messages: Message[]) => {
    for (const message of messages) deliver(world, message);
  };
  for (let round = 0; round < ROUNDS; round++) {
    await workOff(world, handOut, 8);
    // A sweep that dies on the way, or that a fault hits, proves nothing.
    let moved = 1;
    const hits = world.scheduler.hits.length;
    beginSweep(world, (report) => {
      moved = Object.values(report).reduce((sum, n) => sum + n, 0);
    });
    await world.scheduler.drain();
    const quiet = moved === 0 && world.scheduler.hits.length === hits;
    still = quiet && world.ports.queue.size() === 0 ? still + 1 : 0;
    if (still === STILL_ROUNDS) return;
    world.clock.advance(hours && still > 0 ? 130 * MINUTE : 3 * MINUTE);
  }
  throw new Error('it does not come to rest');
}
