import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import * as z from 'zod';

const CLI = join(import.meta.dirname, '../../bin/knowhub.ts');

const Pushed = z.object({
  origin: z.string(),
  path: z.string(),
  decision: z.enum(['admitted', 'rejected', 'unchanged', 'waiting', 'failed']),
  id: z.string().optional(),
  why: z.string().optional(),
  code: z.string().optional(),
});
const PushReport = z.object({ results: z.array(Pushed), kinds: z.record(z.string(), z.number()) });

export interface PushOutcome {
  code: number | null;
  took_ms: number;
  results: z.infer<typeof Pushed>[];
  kinds: Record<string, number>;
}

/** Pushes the folder by the CLI, as a process of its own, and waits for its end. Throws where it tells nothing. */
export async function pushFolder(folder: string, url: string, signal: AbortSignal): Promise<PushOutcome> {
  const began = performance.now();
  const child = spawn(process.execPath, [CLI, 'push', folder, '--json', '--timeout', '7200'], {
    detached: true,
    stdio: ['ignore', 'pipe', 'pipe'],
    env: { PATH: process.env.PATH, HOME: process.env.HOME, KNOWHUB_URL: url },
  });
  const kill = () => child.kill('SIGKILL');
  signal.addEventListener('abort', kill);
  const said = { out: '', err: '' };
  child.stdout.setEncoding('utf8').on('data', (data: string) => (said.out += data));
  child.stderr.setEncoding('utf8').on('data', (data: string) => (said.err += data));
  const [code] = await once(child, 'close');
  signal.removeEventListener('abort', kill);
  signal.throwIfAborted();
  const report = PushReport.safeParse(jsonOf(said.out));
  if (!report.success) throw new Error(`push ended with ${code} and told nothing:\n${said.err || said.out}`);
  return { code, took_ms: performance.now() - began, ...report.data };
}

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
