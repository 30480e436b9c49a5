import { KnowHubError, ModelUnavailable } from '#lib/core/errors.ts';
import { isLiveState } from '#lib/core/fold-state.ts';
import { relate, wordsOf } from '#test/crash/relate.ts';
import { MINUTE, SECOND } from '#test/support/clock.ts';
import { type KnowledgeBase, knowledgeBase } from '#test/support/instance.ts';
import { pairwiseJudge } from '#test/support/scripted-model.ts';

/** What is the matter with the models, and for how long from the first arrival on. */
export const TROUBLES = {
  'judge away for 10 minutes': { minutes: 10, what: 'judge away' },
  'judge away for 2 hours': { minutes: 120, what: 'judge away' },
  'judge and embedder away for 2 hours': { minutes: 120, what: 'all away' },
  'judge declines every third call': { minutes: 120, what: 'declines' },
  'judge blocks every third call': { minutes: 120, what: 'blocks' },
  'no trouble': { minutes: 120, what: 'nothing' },
} as const satisfies Record<string, { minutes: number; what: string }>;
export type Trouble = keyof typeof TROUBLES;

export interface OutageFacts {
  /** When the trouble ends, and when nothing waits any more. */
  at_end: Counted;
  at_last: Counted;
  judge: { answered: number; in_vain: number };
  /** Calls to embed, those that failed included. */
  embeds: number;
  /** From an item's arrival to its decision. */
  longest_wait_minutes: number;
  /** Live items that say the same as another; `unmarked` = not even one of them is marked. */
  doubles: { all: number; unmarked: number };
}

/** Of the 60 that arrive: `known` were rejected, `marked` are among the admitted. */
export interface Counted {
  admitted: number;
  known: number;
  marked: number;
  waiting: number;
}

const ARRIVALS = 60;
const TASKS = 20;
/** Long after the way out of R4.5 would have been taken. */
const PATIENCE = 60 * MINUTE;

/**
 * 60 items arrive evenly over the time of the trouble, in a knowledge base in memory whose clock is moved on: each has a
 * near neighbour, so that it needs the judge. In turns of 20: something new; what a stored item covers; what one of the
 * first 20 says, in another order.
 */
export async function runOutage(trouble: Trouble): Promise<OutageFacts> {
  const { minutes, what } = TROUBLES[trouble];
  const base = knowledgeBase();
  for (let n = 0; n < TASKS; n += 1) await base.admitted(`task ${n}`, 'a b c');
  const counts = { answered: 0, in_vain: 0 };
  const embedded = base.model.embeds.length;
  const end_trouble = beginTrouble(base, what, counts);

  const began = base.clock.now();
  const arrived = new Map<string, number>();
  const decided = new Map<string, number>();
  const step = async () => {
    const due = Math.floor(((base.clock.now() - began) / (minutes * MINUTE)) * ARRIVALS);
    for (let n = arrived.size; n <= Math.min(due, ARRIVALS - 1); n = arrived.size)
      arrived.set(await base.entry(`task ${n % TASKS}`, contentOf(n)), base.clock.now());
    if ((base.clock.now() - began) % MINUTE === 0) await base.sweep();
    await base.work();
    for (const id of arrived.keys())
      if (!decided.has(id) && base.instance.catalog.fold.items.has(id)) decided.set(id, base.clock.now());
    base.clock.pass(SECOND);
  };
  while (base.clock.now() - began < minutes * MINUTE) await step();
  const at_end = await counted(base, arrived);
  end_trouble();
  for (const end = base.clock.now() + PATIENCE; decided.size < ARRIVALS && base.clock.now() < end; )
    await step();

  const waits = [...arrived].map(([id, at]) => (decided.get(id) ?? Number.POSITIVE_INFINITY) - at);
  return {
    at_end,
    at_last: await counted(base, arrived),
    judge: counts,
    embeds: base.model.embeds.length - embedded,
    longest_wait_minutes: Math.round(Math.max(...waits) / MINUTE),
    doubles: await doublesOf(base),
  };
}

/** In turns of 20: new, covered by the stored `a b c`, and what one of the first said in another order. */
function contentOf(n: number): string {
  if (n < TASKS) return `x${n} y${n}`;
  return n < 2 * TASKS ? 'a b' : `y${n % TASKS} x${n % TASKS}`;
}

/** Counts the judge's calls, and lets them or the embedder fail. Returns what ends it. */
function beginTrouble(
  { model: { script } }: KnowledgeBase,
  what: (typeof TROUBLES)[Trouble]['what'],
  counts: OutageFacts['judge'],
): () => void {
  const { embed } = script;
  const sound = pairwiseJudge(relate);
  let calls = 0;
  let over = false;
  const failure = (): Error | string | undefined => {
    calls += 1;
    if (over || what === 'nothing') return undefined;
    if (what === 'judge away' || what === 'all away') return new ModelUnavailable('throttled');
    if (calls % 3 !== 0) return undefined;
    if (what === 'declines') return 'I am sorry, but I cannot help with that.';
    return new KnowHubError('model_refused', 'the input was blocked');
  };
  script.judge = (input) => {
    const failed = failure();
    counts[failed === undefined ? 'answered' : 'in_vain'] += 1;
    return failed ?? sound(input);
  };
  if (what === 'all away') script.embed = () => new ModelUnavailable('throttled');
  return () => {
    over = true;
    script.embed = embed!;
  };
}

async function counted(base: KnowledgeBase, arrived: ReadonlyMap<string, number>): Promise<Counted> {
  const { items } = await base.instance.catalog.refresh();
  const states = [...arrived.keys()].map((id) => items.get(id));
  const of = (holds: (state: (typeof states)[number]) => boolean) => states.filter(holds).length;
  return {
    admitted: of(isLiveState),
    known: of((state) => state?.status === 'rejected' && state.reason === 'known'),
    marked: of((state) => state?.needs_review !== undefined),
    waiting: of((state) => state === undefined || state.status === 'pending'),
  };
}

/** Pairs of live items that say the same of one task. */
async function doublesOf(base: KnowledgeBase): Promise<OutageFacts['doubles']> {
  const live = [...base.instance.catalog.fold.items.values()].filter(isLiveState);
  const said = await Promise.all(
    live.map(async ({ id, needs_review }) => {
      const { task, kind } = await base.row(id);
      const words = [...wordsOf((await base.ports.bodies.get(id, kind)) ?? '')].sort();
      return { key: JSON.stringify([task, words]), marked: needs_review !== undefined };
    }),
  );
  const alike = [...Map.groupBy(said, ({ key }) => key).values()].filter((all) => all.length > 1);
  return {
    all: alike.reduce((sum, all) => sum + all.length - 1, 0),
    unmarked: alike.filter((all) => all.filter(({ marked }) => !marked).length > 1).length,
  };
}
