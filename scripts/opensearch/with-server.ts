import { spawn } from 'node:child_process';
import type { Progress } from './artifacts.ts';
import { fetchOpenSearch } from './fetch.ts';
import { startOpenSearch } from './start.ts';
import { stopProcess } from './stop.ts';

/**
 * `node scripts/opensearch/with-server.ts COMMAND ARGS…`: runs the command with `OPENSEARCH_URL` pointing at an
 * OpenSearch that lives as long as the command does. Ends with the command's exit code, 1 without a server.
 */
const progress: Progress = (line) => process.stdout.write(`opensearch: ${line}\n`);
const seconds = (ms: number) => `${(ms / 1000).toFixed(1)} s`;

async function main([program, ...args]: string[]): Promise<number> {
  if (!program) throw new Error('usage: with-server.ts COMMAND ARGS…');
  // From the first moment on: a signal during the start ends it in order, too.
  let interrupted: NodeJS.Signals | undefined;
  let onSignal: () => void = () => undefined;
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const)
    process.on(signal, () => {
      interrupted ??= signal;
      onSignal();
    });

  const began = Date.now();
  const home = await fetchOpenSearch(progress);
  const fetched = Date.now() - began;
  if (interrupted) return 130;
  const server = await startOpenSearch(home, progress);
  progress(
    `up after ${seconds(server.startup_ms)} (fetch ${seconds(fetched)}), ${await server.resident()} MB, pid ${server.pid}`,
  );
  try {
    if (interrupted) return 130;
    const child = spawn(program, args, {
      stdio: 'inherit',
      env: { ...process.env, OPENSEARCH_URL: server.url },
    });
    onSignal = () => void stopProcess(child);
    const code = await new Promise<number>((resolve, reject) => {
      child.on('error', reject);
      child.on('exit', (exit) => resolve(exit ?? 1));
    });
    return interrupted ? 130 : code;
  } finally {
    const resident = await server.resident();
    await server.stop();
    progress(`stopped; ${resident} MB at the end, ${seconds(Date.now() - began)} in all`);
  }
}

process.exitCode = await main(process.argv.slice(2)).catch((error: unknown) => {
  progress(`failed: ${error instanceof Error ? error.message : error}`);
  return 1;
});
