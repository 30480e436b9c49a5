import { setTimeout as pause } from 'node:timers/promises';
import { type Gate, gatePorts } from '#lib/adapters/memory/gate.ts';
import type { Completion, Ports } from '#lib/ports.ts';
import { countedIn, type Requests } from '../../bin/support/aws-requests.ts';

/** Milliseconds of one admission. `recall`: claim included; `append`: from the judge's answer to the decision in the ledger. */
export interface Stages {
  recall: number;
  judge: number;
  append: number;
  projection: number;
}

/** What one admission took. */
export interface Measured {
  stages: Stages;
  judge_calls: number;
  /** Puts that found their position taken. */
  lost_puts: number;
  /** Task vectors read to compare them. */
  vectors_read: number;
  /** Calls to stores and index, up to the decision and after it. */
  calls: { deciding: number; projecting: number };
  /** Requests to AWS after the decision. */
  aws_projecting: number;
}

/** When what was decided, and when the index had it (milliseconds of `performance.now`). */
export interface Seen {
  decided: Map<string, number>;
  indexed: Map<string, number>;
  /** Calls to stores that ended in an error: a time-out, as a rule. */
  failed_calls: number;
}

/** The ports of one worker, which admits one item at a time. */
export interface WatchedPorts {
  ports: Ports;
  /** Runs one admission and measures it; `decided` is called as soon as the decision is in the ledger. */
  measure(admission: () => Promise<unknown>, decided?: () => void): Promise<Measured>;
}

const STORES_NOT: ReadonlySet<string> = new Set(['clock', 'model', 'queue']);

/** `call_ms`: how long each call to a store takes on top, as a network would. */
export function watchPorts(ports: Ports, seen: Seen, call_ms: number): WatchedPorts {
  let marks = newMarks();
  let decided: (() => void) | undefined;

  const gate: Gate = async (call, perform) => {
    const { port, method, args } = call;
    const mine = marks;
    if (port === 'clock') return perform();
    if (port === 'model') {
      const judging = method === 'complete' && (args[0] as Completion<unknown>).prompt.startsWith('judge');
      const began = performance.now();
      const answer = await perform();
      if (!judging) return answer;
      const took = performance.now() - began;
      mine.judge_calls += 1;
      mine.judge_ms += took;
      mine.first_judged ??= { at: performance.now(), took };
      return answer;
    }
    if (!STORES_NOT.has(port)) mine.calls[mine.decided_at === undefined ? 'deciding' : 'projecting'] += 1;
    if (port === 'vectors' && method === 'tasks' && mine.decided_at === undefined)
      mine.vectors_read += (args[0] as readonly string[]).length;
    if (port === 'ledger' && method === 'put') mine.first_put_at ??= performance.now();
    if (call_ms > 0 && !STORES_NOT.has(port)) await pause(call_ms);
    const requests: Requests = mine.decided_at === undefined ? new Map() : mine.requests;
    const answer = await countedIn(requests, perform).catch((error: unknown) => {
      seen.failed_calls += 1;
      throw error;
    });
    if (port === 'ledger' && method === 'put') {
      if (!answer) mine.lost_puts += 1;
      else {
        mine.decided_at = performance.now();
        seen.decided.set((args[0] as { item_id: string }).item_id, mine.decided_at);
        decided?.();
      }
    }
    if (port === 'index' && method === 'bulk')
      for (const { id } of args[1] as readonly { id: string }[]) seen.indexed.set(id, performance.now());
    return answer;
  };

  return {
    ports: gatePorts(ports, gate),
    async measure(admission, then) {
      marks = newMarks();
      decided = then;
      const began = performance.now();
      await admission();
      return measuredFrom(marks, began, performance.now());
    },
  };
}

const newMarks = () => ({
  judge_calls: 0,
  judge_ms: 0,
  lost_puts: 0,
  vectors_read: 0,
  calls: { deciding: 0, projecting: 0 },
  requests: new Map() as Requests,
  first_judged: undefined as { at: number; took: number } | undefined,
  first_put_at: undefined as number | undefined,
  decided_at: undefined as number | undefined,
});

function measuredFrom(marks: ReturnType<typeof newMarks>, began: number, ended: number): Measured {
  const { judge_calls, judge_ms, lost_puts, vectors_read, calls, requests } = marks;
  const decided_at = marks.decided_at ?? ended;
  const { at, took } = marks.first_judged ?? { at: marks.first_put_at ?? decided_at, took: 0 };
  const recall = at - began - took;
  return {
    stages: {
      recall,
      judge: judge_ms,
      append: decided_at - began - recall - judge_ms,
      projection: ended - decided_at,
    },
    judge_calls,
    lost_puts,
    vectors_read,
    calls,
    aws_projecting: [...requests.values()].reduce((sum, count) => sum + count, 0),
  };
}
