import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type * as z from 'zod';
import type { Settings } from '#lib/core/settings.ts';
import { keepTemplate, newDataFolder } from '#test/support/local-process.ts';
import { checkByApi, type Shown } from './check-by-api.ts';
import { checkByFold } from './check-by-fold.ts';
import type { LocalState } from './local-state.ts';
import { openStores } from './open-stores.ts';
import { promisesOf, wronglyAnswered } from './promised.ts';
import { type PushOutcome, pushFolder } from './push-process.ts';
import { untilQuiet } from './quiet.ts';
import { stageFiles } from './stage-files.ts';
import { startWatched, type WatchedLocalRun } from './watched-local-run.ts';

export interface IngestOptions {
  folders: readonly string[];
  /** So many of them, in their order. */
  files: number | undefined;
  /** Leaves the data folder, to be looked at. */
  keep: boolean;
  /** What of the local run's settings is otherwise. */
  settings?: z.input<typeof Settings>;
}

/** What one life of the local run was asked and used, its start included. */
export interface Used extends Pick<LocalState, 'calls' | 'requests' | 'memory'> {
  model_calls: Record<string, number>;
  model_tokens: Record<string, number>;
  faults: Record<string, number>;
}

export interface IngestFacts {
  files: number;
  refused: { origin: string; why: string }[];
  /** Uploads that were answered when the kill came. */
  acknowledged_at_kill: number;
  /** `kinds` as the CLI counts them. */
  pushes: Pick<PushOutcome, 'code' | 'took_ms' | 'kinds'>[];
  phases: { name: string; ms: number }[];
  /** `uploaded`: answered until the kill. `decided`: all that were taken in, over everything from the first push to the end of the second. */
  files_per_second: { uploaded: number; decided: number };
  /** Up to the kill, and after it. */
  used: Used[];
  /** Decisions that stand, by kind. */
  kinds: Record<string, number>;
  ledger_entries: number;
  shown: Shown;
  /** Each with the number of its invariant in `cases/crash.md`. */
  violations: string[];
  /** What the local run logged. */
  logged: string[];
  data?: string;
}

/**
 * Pushes the files by the CLI into a local run, kills that in the middle, starts it again, pushes again, waits until
 * nothing moves, and checks what must hold. Whatever happens, nothing that it started stays.
 */
export async function runIngest(
  { folders, files: limit, keep, settings = {} }: IngestOptions,
  signal: AbortSignal,
  say: (phase: string) => void,
): Promise<IngestFacts> {
  const { phases, timed } = stopwatch(signal, say);
  const staging = await mkdtemp(join(tmpdir(), 'knowhub-staging-'));
  const data = await newDataFolder();
  const ending = new AbortController();
  const either = AbortSignal.any([signal, ending.signal]);
  const lives: WatchedLocalRun[] = [];
  const start = async (port: number) => {
    const run = await startWatched({ data: data.path, port, settings, signal: either });
    lives.push(run);
    return run;
  };
  let pushing: Promise<PushOutcome> | undefined;
  try {
    const staged = await timed('stage', () => stageFiles(folders, staging, limit));
    const first = await timed('start', () => start(0));
    await keepTemplate(data.path);

    const began = performance.now();
    pushing = pushFolder(staging, first.url, either);
    // Awaited after the restart.
    pushing.catch(() => undefined);
    const half = first.acknowledged(Math.ceil(staged.length / 2));
    await timed('push, to the kill', () => Promise.race([half, pushing]));
    const to_kill_ms = performance.now() - began;
    const killed = await first.end('SIGKILL');
    if (killed.code !== undefined) throw new Error(`the local run ended by itself with ${killed.code}`);

    const second = await timed('start again', () => start(first.port));
    const one = await timed('push, to its end', () => pushing!);
    const two = await timed('push again', () => pushFolder(staging, second.url, either));
    const pushed_ms = performance.now() - began;
    const unquiet = await timed('until quiet', () => untilQuiet(second, either));
    const used = lives.map(usedBy);

    const promised = await promisesOf(staged, [one, two]);
    const by_api = await timed('check by the API', () => checkByApi(second.url, promised));
    const stopped = await timed('stop', () => second.end('SIGTERM'));
    const stores = await openStores(data.path);
    const by_fold = await timed('check by the fold', () =>
      checkByFold(stores.instance, promised).finally(() => stores.close()),
    );
    const refused = two.results.filter(({ decision }) => decision === 'failed');
    const acknowledged_at_kill = first.last().acknowledged;
    return {
      files: staged.length,
      refused: refused.map(({ origin, why = '' }) => ({ origin, why })),
      acknowledged_at_kill,
      pushes: [one, two].map(({ code, took_ms, kinds }) => ({ code, took_ms, kinds })),
      phases,
      files_per_second: {
        uploaded: acknowledged_at_kill / (to_kill_ms / 1000),
        decided: (staged.length - refused.length) / (pushed_ms / 1000),
      },
      used,
      kinds: by_fold.kinds,
      ledger_entries: by_fold.entries,
      shown: by_api.shown,
      violations: [
        ...unquiet,
        ...(await wronglyAnswered(staged, [one, two])),
        ...by_api.violations.map((each) => `${each} (API)`),
        ...by_fold.violations.map((each) => `${each} (fold)`),
        ...(stopped.code === 0 ? [] : [`0 the local run did not stop in order: ${stopped.code ?? 'killed'}`]),
      ],
      logged: lives.flatMap((life) => life.said()).filter((line) => line.startsWith('{')),
      ...(keep && { data: data.path }),
    };
  } finally {
    ending.abort();
    await Promise.all([...lives.map((life) => life.end('SIGKILL')), pushing?.catch(() => undefined)]);
    await rm(staging, { recursive: true, force: true });
    // What was killed a moment ago may have had a file open.
    if (!keep) await rm(data.path, { recursive: true, force: true, maxRetries: 5 });
  }
}

/** Times the phases, one after the other. */
function stopwatch(signal: AbortSignal, say: (phase: string) => void) {
  const phases: IngestFacts['phases'] = [];
  const timed = async <Value>(name: string, work: () => Promise<Value>): Promise<Value> => {
    signal.throwIfAborted();
    say(name);
    const began = performance.now();
    const value = await work();
    phases.push({ name, ms: Math.round(performance.now() - began) });
    return value;
  };
  return { phases, timed };
}

const usedBy = (life: WatchedLocalRun): Used => ({
  calls: life.last().calls,
  requests: life.last().requests,
  model_calls: { ...life.models.calls() },
  model_tokens: { ...life.models.tokens() },
  faults: { ...life.models.faults() },
  memory: life.last().memory,
});
