import { type ChildProcess, type SpawnOptions, spawn } from 'node:child_process';
import { basename } from 'node:path';
import { inSeconds } from './steps.ts';

export type Environment = Record<string, string | undefined>;

const PATIENCE_MS = 5000;
const TAIL = 4000;

/** Starts a program in a group of its own: Ctrl-C reaches us first, and we stop it with all that it started. */
export const launch = (program: string, args: readonly string[], options: SpawnOptions): ChildProcess =>
  spawn(program, args, { ...options, detached: true });

/** Asks a group to end (SIGTERM), makes it end after 5 s (SIGKILL), and waits until its first process has. */
export function stopGroup(child: ChildProcess): Promise<void> {
  const { pid } = child;
  if (pid === undefined) return Promise.resolve();
  // The first of a group may be gone, and what it started still be there.
  const ended = child.exitCode !== null || child.signalCode !== null;
  if (ended) {
    signal(pid, 'SIGKILL');
    return Promise.resolve();
  }
  return new Promise((resolve) => {
    const impatient = setTimeout(() => signal(pid, 'SIGKILL'), PATIENCE_MS);
    child.once('exit', () => {
      clearTimeout(impatient);
      signal(pid, 'SIGKILL');
      resolve();
    });
    signal(pid, 'SIGTERM');
  });
}

function signal(group: number, name: NodeJS.Signals): void {
  try {
    process.kill(-group, name);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error;
  }
}

export interface RunOptions {
  cwd: string;
  env: Environment;
  timeout_ms: number;
  /** Ends the program; what it was aborted with is thrown. */
  abort: AbortSignal;
  /** Shows what the program writes, in place of keeping it for the error. */
  shown?: boolean;
}

/** Runs a program to its end. Throws, with the end of what it wrote, when it fails or takes longer than `timeout_ms`. */
export async function runProgram(
  program: string,
  args: readonly string[],
  { cwd, env, timeout_ms, abort, shown = false }: RunOptions,
): Promise<void> {
  abort.throwIfAborted();
  const name = args
    .slice(0, 2)
    .map((each) => basename(each))
    .join(' ');
  const child = launch(program, args, { cwd, env, stdio: shown ? 'inherit' : ['ignore', 'pipe', 'pipe'] });
  let output = '';
  const keep = (chunk: Buffer) => (output = (output + chunk).slice(-TAIL));
  child.stdout?.on('data', keep);
  child.stderr?.on('data', keep);
  let late = false;
  const limit = setTimeout(() => {
    late = true;
    void stopGroup(child);
  }, timeout_ms);
  const onAbort = () => void stopGroup(child);
  abort.addEventListener('abort', onAbort);
  try {
    const code = await new Promise<number | string>((resolve, reject) => {
      child.on('error', reject);
      child.on('close', (exit, killed_by) => resolve(exit ?? killed_by ?? 'nothing'));
    });
    abort.throwIfAborted();
    if (late) throw new Error(`${name} was not done after ${inSeconds(timeout_ms)}:\n${output}`);
    if (code !== 0) throw new Error(`${name} ended with ${code}${output && `:\n${output}`}`);
  } finally {
    clearTimeout(limit);
    abort.removeEventListener('abort', onAbort);
    // Should it have left somebody behind.
    await stopGroup(child);
  }
}
