import { canBePartial, type Fault, noAnswer, partialAnswer } from '#lib/adapters/memory/faults.ts';
import { type Call, type Gate, gatePorts } from '#lib/adapters/memory/gate.ts';
import type { Ports } from '#lib/ports.ts';

interface Pending {
  call: Call;
  perform: () => Promise<unknown>;
  resolve: (value: unknown) => void;
  reject: (error: unknown) => void;
}

/** One running function: its calls wait here until the scheduler lets one of them through. */
export interface Process {
  name: string;
  ports: Ports;
  pending: Pending[];
  dead: boolean;
  frozen: boolean;
}

export interface PlannedFault {
  fault: Fault;
  /** For `unclear, done later`: how many calls later. */
  after?: number;
}

export interface Scheduler {
  spawn(name: string): Process;
  /** Lets calls through, one after the other, until no process that is awake has one waiting. */
  drain(): Promise<void>;
  thaw(): void;
  /** Calls let through so far that a fault can hit. */
  readonly calls: number;
  /** Faults that hit, in words. */
  readonly hits: string[];
  /** The first error that no use case expects. */
  readonly crashes: unknown[];
  /** Starts a task in a process; its outcome goes to `then`. */
  start<T>(process: Process, task: (ports: Ports) => Promise<T>, then?: (value: T) => void): void;
  plan(fault: (n: number, call: Call) => PlannedFault | undefined): void;
}

export interface SchedulerOptions {
  /** Which of n waiting calls goes next. */
  pick: (n: number) => number;
  /** Errors that a use case may end with. */
  expected: (error: unknown) => boolean;
  /** Sees every call that is let through; an error that it returns is all that the caller gets. */
  observe: (process: Process, call: Call) => Error | undefined;
}

export function createScheduler(ports: Ports, { pick, expected, observe }: SchedulerOptions): Scheduler {
  const processes: Process[] = [];
  const late: { at: number; perform: () => Promise<unknown> }[] = [];
  const hits: string[] = [];
  const crashes: unknown[] = [];
  let calls = 0;
  let planned: (n: number, call: Call) => PlannedFault | undefined = () => undefined;

  const spawn = (name: string): Process => {
    const process: Process = { name, ports, pending: [], dead: false, frozen: false };
    const gate: Gate = (call, perform) =>
      new Promise((resolve, reject) => {
        // A dead process hears nothing any more: its promises stay open for good.
        if (process.dead) return;
        process.pending.push({ call, perform, resolve, reject });
        if (!processes.includes(process)) processes.push(process);
      });
    process.ports = gatePorts(ports, gate);
    return process;
  };

  const kill = (process: Process) => {
    process.dead = true;
    process.pending = [];
  };

  async function letThrough(process: Process, pending: Pending): Promise<void> {
    const { call, perform, resolve, reject } = pending;
    if (call.port === 'clock') return resolve(undefined);
    calls += 1;
    for (const each of late.filter(({ at }) => at <= calls)) await unheard(each.perform);
    late.splice(0, late.length, ...late.filter(({ at }) => at > calls));
    const plan = planned(calls, call);
    if (plan?.fault === 'frozen') {
      hits.push(spell(plan.fault, process, call));
      process.frozen = true;
      process.pending.unshift(pending);
      return;
    }
    const outage = observe(process, call);
    if (outage) return reject(outage);
    if (!plan) return answer(perform, resolve, reject);
    hits.push(spell(plan.fault, process, call));
    switch (plan.fault) {
      case 'killed before':
        return kill(process);
      case 'killed after':
        await unheard(perform);
        return kill(process);
      case 'done twice':
        await unheard(perform);
        return answer(perform, resolve, reject);
      case 'done, answer lost':
        await unheard(perform);
        return reject(noAnswer(call));
      case 'unclear, done later':
        late.push({ at: calls + (plan.after ?? 1), perform });
        return reject(noAnswer(call));
      case 'unclear, never done':
        return reject(noAnswer(call));
      case 'partial':
        if (!canBePartial(call)) return answer(perform, resolve, reject);
        return answer(async () => partialAnswer(call, await perform()), resolve, reject);
    }
  }

  const spell = (fault: Fault, { name }: Process, { port, method }: Call) =>
    `${fault} at call ${calls}: ${name} ${port}.${method}`;

  /** Done, whatever came of it. */
  const unheard = (perform: () => Promise<unknown>) => perform().catch(() => undefined);

  const answer = (
    perform: () => Promise<unknown>,
    resolve: (v: unknown) => void,
    reject: (e: unknown) => void,
  ) => perform().then(resolve, reject);

  return {
    spawn,
    hits,
    crashes,
    get calls() {
      return calls;
    },
    plan(fault) {
      planned = fault;
    },
    start(process, task, then) {
      task(process.ports).then(then, (error: unknown) => {
        if (!expected(error)) crashes.push(error);
      });
    },
    thaw() {
      for (const process of processes) process.frozen = false;
    },
    async drain() {
      let rested = false;
      for (;;) {
        const waiting = processes
          .filter(({ frozen }) => !frozen)
          .flatMap((process) => process.pending.map((pending) => ({ process, pending })));
        if (waiting.length === 0) {
          if (rested) break;
          await allSettled();
          rested = true;
          continue;
        }
        rested = false;
        const { process, pending } = waiting[pick(waiting.length)]!;
        process.pending.splice(process.pending.indexOf(pending), 1);
        await letThrough(process, pending);
        await settle();
      }
      for (const [n, process] of [...processes.entries()].reverse())
        if (process.dead || process.pending.length === 0) processes.splice(n, 1);
    },
  };
}

const TICKS = 16;

/** Lets promises go on: enough for a use case to come to its next call, without a turn of the event loop each time. */
async function settle(): Promise<void> {
  for (let tick = 0; tick < TICKS; tick++) await undefined;
}

/** Every promise that can go on has gone on. */
const allSettled = () => new Promise<void>((resolve) => setImmediate(resolve));
