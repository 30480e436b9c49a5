import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import type * as z from 'zod';
import type { Settings } from '#lib/core/settings.ts';
import type { LocalState, ToWatcher } from './local-state.ts';
import { createModelCounts, type ModelCounts } from './model-counts.ts';

const PROJECT = join(import.meta.dirname, '../..');
const WATCHER = join(import.meta.dirname, 'watch-local-run.ts');
const START_MS = 120_000;
const STOP_MS = 30_000;
const ANSWER_MS = 30_000;

/** `bin/local.ts` as a process of its own, watched from within. */
export interface WatchedLocalRun {
  url: string;
  port: number;
  /** From the start of the process until it said that it is up. */
  started_ms: number;
  /** What it told last; after a kill that is what is known of it. */
  last(): LocalState;
  /** What it knows now, its queues included. */
  ask(): Promise<LocalState>;
  /** Resolves once so many uploads are answered. */
  acknowledged(count: number): Promise<void>;
  models: ModelCounts;
  /** Sends the signal and waits for the end; `undefined` as code: it was killed. */
  end(signal: NodeJS.Signals): Promise<{ code: number | undefined; took_ms: number }>;
  /** What it wrote to stderr, and on stdout beside the metrics. */
  said(): string[];
}

export interface WatchOptions {
  data: string;
  /** 0 = any. */
  port: number;
  settings: z.input<typeof Settings>;
  /** Ends it at once. */
  signal: AbortSignal;
}

/** Starts it on the data folder and waits until it is up. Throws when it does not come up. */
export async function startWatched({ data, port, settings, signal }: WatchOptions): Promise<WatchedLocalRun> {
  const began = performance.now();
  const child = spawn(
    process.execPath,
    ['--import', WATCHER, join(PROJECT, 'bin/local.ts'), '--port', String(port), '--data', data],
    {
      // Its own group: Ctrl-C is for the bench, which ends it in order.
      detached: true,
      stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
      // Metrics tell the calls of models.
      env: {
        PATH: process.env.PATH,
        HOME: process.env.HOME,
        POWERTOOLS_METRICS_DISABLED: 'false',
        SETTINGS: JSON.stringify(settings),
      },
    },
  );
  const kill = () => endGroup(child);
  signal.addEventListener('abort', kill);
  const ended = once(child, 'close').then(([code]): number | undefined => code ?? undefined);
  void ended.finally(() => signal.removeEventListener('abort', kill));
  const { up, said, models } = listen(child);
  const state = watch(child, ended);
  const late = AbortSignal.timeout(START_MS);
  late.addEventListener('abort', kill);
  const url = await Promise.race([
    up,
    ended.then((code) => {
      throw new Error(`the local run ended with ${code ?? 'a signal'} before it was up:\n${said.join('\n')}`);
    }),
  ]);
  late.removeEventListener('abort', kill);
  return {
    url,
    port: Number(new URL(url).port),
    started_ms: performance.now() - began,
    models,
    ...state,
    said: () => said,
    async end(name) {
      const from = performance.now();
      if (name === 'SIGKILL') kill();
      else child.kill(name);
      const patience = setTimeout(kill, STOP_MS);
      const code = await ended;
      clearTimeout(patience);
      return { code, took_ms: performance.now() - from };
    },
  };
}

/** With what it has started: while the stack is synthesised, that is a process which writes into the data folder. */
function endGroup({ pid, exitCode, signalCode }: ChildProcess): void {
  // The number of one that has ended may be another's by now.
  if (pid === undefined || exitCode !== null || signalCode !== null) return;
  try {
    process.kill(-pid, 'SIGKILL');
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'ESRCH')) throw error;
  }
}

/** What it writes: metrics are counted, the rest is kept. */
function listen(child: ChildProcess) {
  const said: string[] = [];
  const models = createModelCounts();
  let is_up: (url: string) => void = () => undefined;
  const up = new Promise<string>((resolve) => (is_up = resolve));
  createInterface(child.stdout!).on('line', (line) => {
    if (models.take(line)) return;
    said.push(line);
    const url = /^KnowHub is up: (\S+)/.exec(line)?.[1];
    if (url !== undefined) is_up(url);
  });
  createInterface(child.stderr!).on('line', (line) => said.push(line));
  return { up, said, models };
}

/** What it tells over the channel between the two. */
function watch(
  child: ChildProcess,
  ended: Promise<unknown>,
): Pick<WatchedLocalRun, 'last' | 'ask' | 'acknowledged'> {
  let last: LocalState = { acknowledged: 0, held: 0, calls: {}, requests: {}, memory: { rss: 0, heap: 0 } };
  const waiting = new Set<(state: LocalState) => boolean>();
  child.on('message', (state: LocalState) => {
    last = state;
    for (const each of waiting) if (each(state)) waiting.delete(each);
  });
  const until = (wanted: (state: LocalState) => boolean): Promise<LocalState> =>
    new Promise((resolve, reject) => {
      waiting.add((state) => {
        const found = wanted(state);
        if (found) resolve(state);
        return found;
      });
      void ended.then(() => reject(new Error('the local run ended while it was watched')));
    });
  let asked = 0;
  return {
    last: () => last,
    async ask() {
      const question: ToWatcher = { ask: (asked += 1) };
      const answer = until(({ answers }) => answers === question.ask);
      child.send(question);
      return Promise.race([answer, afterwards(ANSWER_MS)]);
    },
    async acknowledged(count) {
      await until(({ acknowledged }) => acknowledged >= count);
    },
  };
}

async function afterwards(ms: number): Promise<never> {
  await new Promise((done) => setTimeout(done, ms).unref());
  throw new Error(`the local run did not answer within ${ms} ms`);
}
