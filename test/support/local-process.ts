import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { copyFile, mkdir, mkdtemp, readdir, rename, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

export const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const LOCAL = join(ROOT, 'bin/local.ts');
/** Templates by what they were made from: a synthesis takes longer than a start. */
const TEMPLATES = join(ROOT, 'node_modules/.cache/knowhub-template');
const ENDED_MS = 10_000;

export interface Ended {
  code: number | null;
  signal: NodeJS.Signals | null;
  out: string;
  err: string;
}

/** `npm start` as a process of its own. */
export interface LocalProcess {
  url: string;
  out(): string;
  /** Sends the signal and waits for the end. */
  end(signal: NodeJS.Signals): Promise<Ended & { took_ms: number }>;
}

/** A start may have to synthesise the stack first, beside other tests that do. */
export const START_MS = 90_000;

/** A data folder of its own, with the template that an earlier test had made. */
export async function newDataFolder(): Promise<{ path: string; remove(): Promise<void> }> {
  const path = await mkdtemp(join(tmpdir(), 'knowhub-local-'));
  await mkdir(join(path, 'template'));
  for (const name of await readdir(TEMPLATES).catch(() => []))
    await copyFile(join(TEMPLATES, name), join(path, 'template', name)).catch(() => undefined);
  return { path, remove: () => rm(path, { recursive: true, force: true }) };
}

/** Keeps the template of a data folder for the next ones, each whole or not at all: other tests look at them too. */
export async function keepTemplate(data: string): Promise<void> {
  await mkdir(TEMPLATES, { recursive: true });
  const kept = await readdir(TEMPLATES);
  for (const name of await readdir(join(data, 'template'))) {
    if (kept.includes(name)) continue;
    const part = join(ROOT, 'node_modules/.cache', `${name}.${process.pid}.part`);
    await copyFile(join(data, 'template', name), part);
    await rename(part, join(TEMPLATES, name));
  }
}

/** Runs to its end, as a run that cannot start does. */
export async function runLocal(
  args: readonly string[],
  environment: Record<string, string> = {},
): Promise<Ended> {
  const child = spawnLocal(args, environment);
  return child.ended;
}

/** Starts on a free port and waits until it is up. */
export async function startLocal(data: string, args: readonly string[] = []): Promise<LocalProcess> {
  const { child, said, ended } = spawnLocal(['--port', '0', '--data', data, ...args]);
  const url = await new Promise<string>((resolve, reject) => {
    child.stdout?.on('data', () => {
      const up = /KnowHub is up: (\S+)/.exec(said.out)?.[1];
      if (up !== undefined) resolve(up);
    });
    void ended.then(({ code, err }) => reject(new Error(`ended with ${code} before it was up: ${err}`)));
  });
  await keepTemplate(data);
  return {
    url,
    out: () => said.out,
    async end(signal) {
      const began = performance.now();
      child.kill(signal);
      const late = AbortSignal.timeout(ENDED_MS);
      late.addEventListener('abort', () => child.kill('SIGKILL'));
      return { ...(await ended), took_ms: performance.now() - began };
    },
  };
}

function spawnLocal(args: readonly string[], environment: Record<string, string> = {}) {
  const child: ChildProcess = spawn(process.execPath, [LOCAL, ...args], {
    env: { PATH: process.env.PATH, HOME: process.env.HOME, ...environment },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const said = { out: '', err: '' };
  child.stdout?.on('data', (data) => {
    said.out += data;
  });
  child.stderr?.on('data', (data) => {
    said.err += data;
  });
  const ended = once(child, 'close').then(([code, signal]): Ended => ({ code, signal, ...said }));
  return { child, said, ended };
}

export interface Reply {
  status: number;
  body: unknown;
}

/** One call; a body is sent as JSON, text as it is. */
export async function call(url: string, method = 'GET', body?: unknown): Promise<Reply> {
  const reply = await fetch(url, {
    method,
    ...(body !== undefined && {
      headers: { 'content-type': 'application/json' },
      body: typeof body === 'string' ? body : JSON.stringify(body),
    }),
  });
  const text = await reply.text();
  const json = reply.headers.get('content-type')?.startsWith('application/json');
  return { status: reply.status, body: json ? JSON.parse(text) : text };
}

/** Asks until the answer is as wanted, and returns it. The test's own time limit ends what never is. */
export async function until<Answer>(
  ask: () => Promise<Answer>,
  wanted: (answer: Answer) => boolean,
): Promise<Answer> {
  for (;;) {
    const answer = await ask();
    if (wanted(answer)) return answer;
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
}
