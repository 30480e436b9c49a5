import { gatePorts } from '#lib/adapters/memory/gate.ts';
import type { LookupReply } from '#lib/core/lookup-reply.ts';
import type { Ports } from '#lib/ports.ts';
import { createInstance, type Instance } from '#lib/usecases/instance.ts';
import { lookup } from '#lib/usecases/lookup.ts';
import { countedIn, type Requests } from '../../bin/support/aws-requests.ts';
import { STANDIN_SETTINGS } from '../../bin/support/local-instance.ts';
import { openQuestions, uniqueQuestions } from './lookup-corpus.ts';
import type { LookupStores } from './lookup-stores.ts';

export const KINDS = ['stopped by its domain', 'stopped by its keyword', 'L0, unique', 'L1'] as const;
export type Kind = (typeof KINDS)[number];

/** What one call asked of others: requests by service, and how often it waited for an answer before it asked on. */
export interface Asked {
  requests: Record<string, number>;
  round_trips: number;
  embeddings: number;
  /** How many calls asked just this. */
  calls: number;
}

/** Calls of one kind; times in ms. `asked`: the most usual first. */
export interface Measured {
  kind: Kind;
  calls: number;
  p50: number;
  p99: number;
  /** Mean CPU of the process, the emulated services included: what else runs on the machine does not count. */
  cpu_ms: number;
  /** Median of what the index, and the embedder, took of it. */
  index_p50: number;
  embedder_p50: number;
  asked: Asked[];
}

export interface LookupFacts {
  documents: number;
  filled_ms: number;
  /** One read of one row: what the emulated DynamoDB takes for anything. */
  read_p50: number;
  read_p99: number;
  /** What a function that has just started takes to read all that was decided, and by how many requests. */
  cold_ms: number;
  cold_requests: Record<string, number>;
  measured: Measured[];
}

const WARM_UP = 10;
const caller = { principal: 'bench', scopes: [] };

/** Measures calls of each kind, one after the other, on stores that are filled. Throws if one is not answered as its kind says. */
export async function runLookups(
  { ports: stores, documents, filled_ms }: LookupStores,
  calls: number,
  tell: (phase: string) => void,
): Promise<LookupFacts> {
  const watched = watch(stores);
  const reads = await timed(calls, () => stores.sessions.get('nobody'));

  tell('a function starts');
  const instance = createInstance(watched.ports, STANDIN_SETTINGS);
  const cold = await watched.call(() => instance.catalog.refresh());

  const unique = uniqueQuestions(documents, calls + WARM_UP);
  const open = openQuestions(documents, calls + WARM_UP);
  const domain = documents.find(({ row }) => row.scopes.length === 0)!.row.domain;
  await ask(instance, { query: unique[0]!, session_id: 'by keyword' }, 'L0, unique');
  await useUp(instance, domain);

  const inputs: Record<Kind, (n: number) => object> = {
    'stopped by its domain': (n) => ({ query: open[n % open.length], session_id: 'by domain', domain }),
    'stopped by its keyword': () => ({ query: unique[0], session_id: 'by keyword' }),
    'L0, unique': (n) => ({ query: unique[n % unique.length], session_id: `unique ${n}` }),
    L1: (n) => ({ query: open[n % open.length], session_id: `open ${n}` }),
  };
  const measured: Measured[] = [];
  for (const kind of KINDS) {
    tell(`${calls} calls: ${kind}`);
    const done = [];
    let used = process.cpuUsage();
    for (let n = 0; n < calls + WARM_UP; n += 1) {
      if (n === WARM_UP) used = process.cpuUsage();
      const each = await watched.call(() => ask(instance, inputs[kind](n), kind));
      if (n >= WARM_UP) done.push(each);
    }
    const { user, system: kernel } = process.cpuUsage(used);
    measured.push({
      kind,
      calls,
      ...percentiles(done.map(({ ms }) => ms)),
      cpu_ms: (user + kernel) / 1000 / calls,
      index_p50: median(done.map(({ index_ms }) => index_ms)),
      embedder_p50: median(done.map(({ embedder_ms }) => embedder_ms)),
      asked: distinct(done.map(({ asked }) => asked)),
    });
  }
  const { p50: read_p50, p99: read_p99 } = percentiles(reads);
  return {
    documents: documents.length,
    filled_ms,
    read_p50,
    read_p99,
    cold_ms: cold.ms,
    cold_requests: cold.asked.requests,
    measured,
  };
}

/** Fruitless or not: searches the domain until it gives no more. */
async function useUp(instance: Instance, domain: string): Promise<void> {
  for (let n = 0; n < 4; n += 1)
    await lookup(instance)(caller, { query: 'who looks first', session_id: 'by domain', domain });
}

async function ask(instance: Instance, input: object, kind: Kind): Promise<LookupReply> {
  const reply = await lookup(instance)(caller, input);
  const { level, documents, confidence } = reply;
  const as_told =
    kind === 'L0, unique'
      ? level === 'L0' && confidence === 'high' && documents.length === 1
      : kind === 'L1'
        ? level.endsWith('L1') && documents.length > 0
        : documents.length === 0;
  if (!as_told) throw new Error(`${JSON.stringify(input)} is not "${kind}": ${JSON.stringify(reply)}`);
  return reply;
}

interface Call {
  ms: number;
  index_ms: number;
  embedder_ms: number;
  asked: Asked;
}

/** The same ports; `call` tells what was asked through them meanwhile. One call at a time. */
function watch(stores: Ports): { ports: Ports; call: (work: () => Promise<unknown>) => Promise<Call> } {
  let requests: Requests = new Map();
  let round_trips = 0;
  let under_way = 0;
  let spent = { index: 0, model: 0 };
  let embeddings = 0;
  const ports = gatePorts(stores, async ({ port }, perform) => {
    if (port === 'clock') return perform();
    const began = performance.now();
    if (port === 'model') embeddings += 1;
    else {
      // What is asked while an answer is still out costs no wait of its own.
      if (under_way === 0) round_trips += 1;
      under_way += 1;
      if (port === 'index') requests.set('OpenSearch', (requests.get('OpenSearch') ?? 0) + 1);
    }
    try {
      return await countedIn(requests, perform);
    } finally {
      if (port !== 'model') under_way -= 1;
      if (port === 'index' || port === 'model') spent[port] += performance.now() - began;
    }
  });
  return {
    ports,
    async call(work) {
      requests = new Map();
      [round_trips, embeddings, spent] = [0, 0, { index: 0, model: 0 }];
      const began = performance.now();
      await work();
      const ms = performance.now() - began;
      const asked = { requests: Object.fromEntries([...requests].sort()), round_trips, embeddings, calls: 1 };
      return { ms, index_ms: spent.index, embedder_ms: spent.model, asked };
    },
  };
}

async function timed(calls: number, work: () => Promise<unknown>): Promise<number[]> {
  const times: number[] = [];
  for (let n = 0; n < calls + WARM_UP; n += 1) {
    const began = performance.now();
    await work();
    if (n >= WARM_UP) times.push(performance.now() - began);
  }
  return times;
}

/** Nearest rank. */
function percentiles(times: readonly number[]): { p50: number; p99: number } {
  const sorted = times.toSorted((a, b) => a - b);
  const at = (share: number) => sorted[Math.max(0, Math.ceil(share * sorted.length) - 1)] ?? 0;
  return { p50: at(0.5), p99: at(0.99) };
}

const median = (times: readonly number[]): number => percentiles(times).p50;

function distinct(asked: readonly Asked[]): Asked[] {
  const alike = Map.groupBy(asked, (each) => JSON.stringify(each));
  return [...alike.values()]
    .map((all) => ({ ...all[0]!, calls: all.length }))
    .sort((a, b) => b.calls - a.calls);
}
