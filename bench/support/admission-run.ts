import { setTimeout as pause } from 'node:timers/promises';
import { createStandinModel } from '#lib/adapters/standin/model.ts';
import { foldOf } from '#lib/core/fold.ts';
import { isLiveState } from '#lib/core/fold-state.ts';
import type { Model, Ports } from '#lib/ports.ts';
import { addEntry } from '#lib/usecases/add-entry.ts';
import { type AdmitOutcome, admit } from '#lib/usecases/admit.ts';
import { createInstance } from '#lib/usecases/instance.ts';
import { PROJECTIONS, projectAll } from '#lib/usecases/project.ts';
import { STANDIN_SETTINGS } from '../../bin/support/local-instance.ts';
import { type AdmissionWork, admissionWork, type Text } from './admission-items.ts';
import { type Measured, type Seen, type Stages, watchPorts } from './admission-stages.ts';

/** One row of the table. */
export interface RunOptions {
  workers: number;
  items: number;
  /** A third of the items are twins of others in flight. */
  twins: boolean;
  /** One global lock around recall, judge and append. */
  lock: boolean;
  /** What each call to a store takes on top, in milliseconds. */
  call_ms: number;
  signal: AbortSignal;
  /** Called after each item: seeds first. */
  step(): void;
}

/** What was measured; means are for one admission. */
export interface RunFacts {
  workers: number;
  items: number;
  twins: boolean;
  lock: boolean;
  call_ms: number;
  seconds: number;
  per_second: number;
  judge_calls: number;
  lost_puts: number;
  vectors_read: number;
  calls: { deciding: number; projecting: number };
  aws_projecting: number;
  stages: Stages;
  /** The longest from a decision to the index, in milliseconds (R6.9). */
  indexed_within_ms: number;
  /** Pairs of twins of which both are live. */
  doubles: number;
  /** Calls to stores that ended in an error. */
  failed_calls: number;
  /** What else is not as it should be, in words. */
  wrong: string[];
}

export const JUDGE_MS = 300;
const SEEDERS = 8;
const AGAIN_MS = 100;
/** Its seeded neighbour has the same task, and nothing else comes near: what a better embedder would say. */
const SETTINGS = { ...STANDIN_SETTINGS, similarity_floor: 0.75 };
const caller = { principal: 'bench', scopes: [] };

/** The stand-ins, whose judge takes as long as a model. */
export function slowJudge(): Model {
  const model = createStandinModel();
  return {
    ...model,
    async complete(completion) {
      if (completion.prompt.startsWith('judge')) await pause(JUDGE_MS);
      return model.complete(completion);
    },
  };
}

/** Seeds an empty knowledge base, then has the items admitted, and looks whether it was done right. */
export async function runAdmissions(stores: Ports, options: RunOptions): Promise<RunFacts> {
  const work = admissionWork(options.items, options.twins);
  await seed(stores, work, options);
  const ids: string[] = [];
  const writer = createInstance({ ...stores, model: createStandinModel() }, SETTINGS);
  for (const text of work.items) ids.push((await addEntry(writer)(caller, text)).knowledge_id);

  const seen: Seen = { decided: new Map(), indexed: new Map(), failed_calls: 0 };
  const began = performance.now();
  const measured = await admitAll(stores, ids, seen, options);
  const seconds = (performance.now() - began) / 1000;
  return {
    ...factsFrom(measured, options),
    seconds,
    per_second: options.items / seconds,
    indexed_within_ms: Math.max(0, ...[...seen.indexed].map(([id, at]) => at - (seen.decided.get(id) ?? at))),
    ...(await verdict(stores, ids, work, seen.failed_calls)),
  };
}

/** By workers that wait for no judge: the time for it is not measured. */
async function seed(stores: Ports, { seeds }: AdmissionWork, options: RunOptions): Promise<void> {
  const texts: Text[] = [...seeds];
  const worker = async () => {
    const instance = createInstance({ ...stores, model: createStandinModel() }, SETTINGS);
    for (let text = texts.shift(); text; text = texts.shift()) {
      options.signal.throwIfAborted();
      const { knowledge_id } = await addEntry(instance)(caller, text);
      await untilDecided(() => admit(instance)(knowledge_id));
      options.step();
      // Memory adapters never wait: without a pause no signal would get its turn.
      await pause(0);
    }
  };
  await allOf(Array.from({ length: SEEDERS }, worker));
}

/** Each worker is a running function: its own catalog, one admission at a time. */
async function admitAll(
  stores: Ports,
  ids: readonly string[],
  seen: Seen,
  { workers, lock, call_ms, signal, step }: RunOptions,
): Promise<Measured[]> {
  const waiting = [...ids];
  const measured: Measured[] = [];
  const turn = lock ? oneAtATime() : undefined;
  const worker = async () => {
    const { ports, measure } = watchPorts({ ...stores, model: slowJudge() }, seen, call_ms);
    const instance = createInstance(ports, SETTINGS);
    // Warm, as a function is after its first message.
    await instance.catalog.refresh();
    for (let id = waiting.shift(); id !== undefined; id = waiting.shift()) {
      signal.throwIfAborted();
      const item_id = id;
      const release = await turn?.();
      measured.push(await measure(() => untilDecided(() => admit(instance)(item_id)), release));
      release?.();
      step();
    }
  };
  await allOf(Array.from({ length: workers }, worker));
  return measured;
}

/** An emulator that is out of breath makes an item wait: its message comes again. */
async function untilDecided(admission: () => Promise<AdmitOutcome>): Promise<void> {
  while ((await admission()).kind === 'waits') await pause(AGAIN_MS);
}

/** None may go on when its stores are closed. Throws the first fault. */
async function allOf(workers: readonly Promise<void>[]): Promise<void> {
  const failed = (await Promise.allSettled(workers)).find(({ status }) => status === 'rejected');
  if (failed?.status === 'rejected') throw failed.reason;
}

/** A lock that is granted in turn; it may be let go of more than once. */
function oneAtATime(): () => Promise<() => void> {
  let last: Promise<void> = Promise.resolve();
  return async () => {
    const before = last;
    const { promise, resolve } = Promise.withResolvers<void>();
    last = promise;
    await before;
    return resolve;
  };
}

const sum = (values: readonly number[]): number => values.reduce((total, value) => total + value, 0);

function factsFrom(measured: readonly Measured[], { workers, items, twins, lock, call_ms }: RunOptions) {
  const mean = (of: (each: Measured) => number) => sum(measured.map(of)) / measured.length;
  return {
    workers,
    items,
    twins,
    lock,
    call_ms,
    judge_calls: sum(measured.map(({ judge_calls }) => judge_calls)),
    lost_puts: sum(measured.map(({ lost_puts }) => lost_puts)),
    vectors_read: mean(({ vectors_read }) => vectors_read),
    calls: {
      deciding: mean(({ calls }) => calls.deciding),
      projecting: mean(({ calls }) => calls.projecting),
    },
    aws_projecting: mean(({ aws_projecting }) => aws_projecting),
    stages: {
      recall: mean(({ stages }) => stages.recall),
      judge: mean(({ stages }) => stages.judge),
      append: mean(({ stages }) => stages.append),
      projection: mean(({ stages }) => stages.projection),
    },
  };
}

const PAGE = 1000;

/** Reads the ledger from its first entry on: what the workers believe is no proof. */
async function verdict(
  stores: Ports,
  ids: readonly string[],
  { twins }: AdmissionWork,
  failed_calls: number,
) {
  // What a call that failed left behind is the sweep's; without one nothing may be left.
  if (failed_calls > 0) await projectAll(createInstance(stores, SETTINGS));
  const entries = [];
  for (let page = await stores.ledger.readAfter(0, PAGE); page.length > 0; ) {
    entries.push(...page);
    page = await stores.ledger.readAfter(entries.length, PAGE);
  }
  const f = foldOf(entries);
  const isLive = (n: number) => isLiveState(f.items.get(ids[n]!));
  const paired = new Set(twins.flat());
  const doubles = twins.filter(([a, b]) => isLive(a) && isLive(b)).length;
  const wrong: string[] = [];
  const count = (what: string, found: number) => found > 0 && wrong.push(`${found} ${what}`);
  count('pairs of twins with none live', twins.filter(([a, b]) => !isLive(a) && !isLive(b)).length);
  count('items without a twin that are not live', ids.filter((_, n) => !paired.has(n) && !isLive(n)).length);
  for (const name of PROJECTIONS) {
    const W = (await stores.projections.get(name))?.W ?? 0;
    if (W !== f.position) wrong.push(`projection ${name} ends at ${W} of ${f.position}`);
  }
  return { doubles, wrong, failed_calls };
}
