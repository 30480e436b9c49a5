import { type ChildProcess, spawn } from 'node:child_process';
import { mkdir, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect } from 'vitest';
import * as z from 'zod';

export const KNOWHUB = fileURLToPath(new URL('../../bin/knowhub.ts', import.meta.url));

export interface Run {
  code: number | null;
  out: string;
  err: string;
}

/** The command line against one server. */
export interface CommandLine {
  /** Runs it as a process of its own, not on a terminal; `started` gets hold of it. */
  knowhub(
    given: readonly string[],
    options?: { env?: Record<string, string>; started?: (child: ChildProcess) => void },
  ): Promise<Run>;
  /** `push … --json`, which must not complain. */
  pushJson(...given: string[]): Promise<z.infer<typeof Pushed> & { code: number | null }>;
}

const Pushed = z.object({
  files: z.number(),
  results: z.array(
    z.object({
      origin: z.string(),
      path: z.string(),
      decision: z.string(),
      id: z.string().optional(),
      relations: z.array(z.object({ type: z.string(), to: z.string() })),
      warnings: z.array(z.string()),
      why: z.string().optional(),
      code: z.string().optional(),
      field: z.string().optional(),
    }),
  ),
  skipped: z.array(z.object({ origin: z.string(), why: z.string() })),
  kinds: z.record(z.string(), z.number()),
  interrupted: z.boolean(),
});

export function commandLine(url: string): CommandLine {
  const knowhub: CommandLine['knowhub'] = (given, { env, started } = {}) =>
    new Promise((resolve, reject) => {
      const child = spawn(process.execPath, [KNOWHUB, ...given], {
        stdio: ['ignore', 'pipe', 'pipe'],
        env: { PATH: process.env.PATH, KNOWHUB_URL: url, ...env },
      });
      const run: Run = { code: null, out: '', err: '' };
      child.stdout.on('data', (data) => {
        run.out += data;
      });
      child.stderr.on('data', (data) => {
        run.err += data;
      });
      child.on('error', reject);
      child.on('close', (code) => resolve({ ...run, code }));
      started?.(child);
    });
  return {
    knowhub,
    async pushJson(...given) {
      const { code, out, err } = await knowhub(['push', ...given, '--json']);
      expect(err).toBe('');
      return { ...Pushed.parse(JSON.parse(out)), code };
    },
  };
}

/** Writes files, with the folders that they lie in. */
export async function files(root: string, contents: Record<string, string | Buffer>): Promise<void> {
  for (const [path, content] of Object.entries(contents)) {
    await mkdir(dirname(join(root, path)), { recursive: true });
    await writeFile(join(root, path), content);
  }
}

export const MAILER = '# Restart the mailer\n\nRun `mailctl restart` on one node after the other.\n';
