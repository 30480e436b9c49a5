import { FAULTS, type Fault } from '#lib/adapters/memory/faults.ts';
import { violations } from '#test/crash/invariants.ts';
import { runScenario, type Scenario } from '#test/crash/run-scenario.ts';
import type { PlannedFault } from '#test/crash/scheduler.ts';
import { createWorld, type WorldOptions } from '#test/crash/world.ts';

export interface Red {
  scenario: string;
  seed: number;
  faults: string[];
  violations: string[];
}

export interface Tally {
  runs: number;
  fault_points: number;
  interleavings: number;
  reds: Red[];
}

export const emptyTally = (): Tally => ({ runs: 0, fault_points: 0, interleavings: 0, reds: [] });

/** How many calls later an unclear call is done after all: at once, while it is retried, after others, in the end. */
const LATER = [1, 2, 5, 20];

/** One run; returns the number of calls that a fault could hit. */
export async function runOnce(
  tally: Tally,
  scenario: Scenario,
  seed: number,
  options: WorldOptions & { plan?: (n: number) => PlannedFault | undefined } = {},
): Promise<number> {
  const { plan, ...world_options } = options;
  const world = createWorld(seed, {
    ...world_options,
    ...(scenario.settings && { settings: scenario.settings }),
  });
  const seen = new Map<string, number>();
  world.scheduler.plan((n, call) => {
    const kind = `${call.port}.${call.method} ${String(call.args[0])}`;
    const nth = (seen.get(kind) ?? 0) + 1;
    seen.set(kind, nth);
    const scripted = scenario.scripted?.find(
      (each) => `${each.call} ${each.on}` === kind && each.nth === nth,
    );
    return plan?.(n) ?? scripted;
  });
  let calls = 0;
  let found: string[];
  try {
    calls = await runScenario(world, scenario);
    world.scheduler.plan(() => undefined);
    found = await violations(world);
  } catch (error) {
    found = [`0 ${error instanceof Error ? error.message : error}`];
  }
  tally.runs += 1;
  if (found.length > 0)
    tally.reds.push({ scenario: scenario.name, seed, faults: world.scheduler.hits, violations: found });
  return calls;
}

/** The scenario once without a fault, then once for every call, fault and delay (crash.md, "all k, not a sample"). */
export async function everyFault(
  tally: Tally,
  scenario: Scenario,
  options: { keep?: (point: number) => boolean; stop?: () => boolean; twice?: boolean; fault?: string } = {},
): Promise<void> {
  const played = { ...scenario, ...(options.twice && { twice: true }) };
  const calls = await runOnce(tally, played, 1);
  let point = 0;
  for (let k = 1; k <= calls; k++)
    for (const planned of PLANS.filter(({ fault }) => fault.includes(options.fault ?? ''))) {
      point += 1;
      if (options.stop?.()) return;
      if (options.keep && !options.keep(point)) continue;
      tally.fault_points += 1;
      await runOnce(tally, played, 1, { plan: (n) => (n === k ? planned : undefined) });
    }
}

const PLANS: readonly PlannedFault[] = FAULTS.flatMap((fault: Fault): PlannedFault[] =>
  fault === 'unclear, done later' ? LATER.map((after) => ({ fault, after })) : [{ fault }],
);
