import { join } from 'node:path';
import { DataFolderTaken } from '#lib/adapters/local/data-folder.ts';
import { type LocalOptions, readOptions, USAGE } from '#lib/runtime/local/options.ts';
import type { LocalRun } from '#lib/runtime/local/run.ts';

const FAILED = 1;
const WRONG_USE = 2;
const INTERRUPTED = 130;
/** npm passes on the signal that the terminal has sent to every process already. */
const SAME_SIGNAL_MS = 1000;

// Nobody reads CloudWatch's metrics here.
process.env.POWERTOOLS_METRICS_DISABLED ??= 'true';

// Whoever reads no further does not end what runs.
process.stdout.on('error', () => undefined);

const given = readOptions(process.argv.slice(2), process.env);
if (given.kind === 'help') console.log(USAGE);
else if (given.kind === 'wrong') {
  console.error(`${given.problem}\nTry: npm start -- --help`);
  process.exitCode = WRONG_USE;
} else await main(given.options);

async function main(options: LocalOptions): Promise<void> {
  const began = performance.now();
  let running: LocalRun | undefined;
  let signalled: number | undefined;
  const stop = async () => {
    if (signalled !== undefined) {
      if (performance.now() - signalled > SAME_SIGNAL_MS) process.exit(INTERRUPTED);
      return;
    }
    signalled = performance.now();
    console.log('\nStopping: what is under way ends first. Ctrl-C again stops at once.');
    process.exit((await running?.stop()) === true ? 0 : INTERRUPTED);
  };
  process.on('SIGINT', stop);
  process.on('SIGTERM', stop);
  process.on('SIGHUP', stop);
  // An emulator's own fault, as a rule: the process is theirs too.
  process.on('uncaughtException', (error) => {
    if (signalled === undefined)
      console.error('KnowHub failed; nothing that was accepted is lost, start it again.', error);
    process.exit(signalled === undefined ? FAILED : INTERRUPTED);
  });

  try {
    // Only who starts waits for it to be loaded.
    const [{ startLocalRun }, { HANDLERS }] = await Promise.all([
      import('#lib/runtime/local/run.ts'),
      import('./support/handlers.ts'),
    ]);
    running = await startLocalRun(join(import.meta.dirname, '..'), HANDLERS, options, process.env);
    tell(running, (performance.now() - began) / 1000);
  } catch (error) {
    console.error(problemOf(error, options));
    process.exit(FAILED);
  }
}

function tell({ url, parts, folders, notices }: LocalRun, seconds: number): void {
  const stand_ins = parts
    .filter(({ kind }) => kind === 'STAND-IN')
    .map(({ name, what }) => `  ${name}: ${what}`);
  for (const notice of notices) console.log(notice);
  console.log(`KnowHub is up: ${url} (${seconds.toFixed(1)} s)`);
  console.log(`Agents connect by MCP: ${url}/mcp`);
  console.log('Callers are not authenticated; it answers on 127.0.0.1 only.');
  if (stand_ins.length > 0) console.log(`Stand-ins:\n${stand_ins.join('\n')}`);
  console.log(`Drop folder: ${join(folders.inbox, '{category}')}\nCtrl-C stops it.`);
}

function problemOf(error: unknown, { port, data }: LocalOptions): string {
  if (error instanceof DataFolderTaken)
    return `${error.message}; stop it, or start with --data another-folder`;
  const { code, message } =
    error instanceof Error ? (error as NodeJS.ErrnoException) : { message: String(error) };
  if (code === 'EADDRINUSE')
    return `port ${port} is taken; start with --port another-port, or --port 0 for a free one`;
  if (code === 'EACCES' && port > 0 && port < 1024)
    return `port ${port} is not for everybody; start with --port 3000`;
  if (code === 'EEXIST' || code === 'ENOTDIR') return `${data} is not a folder`;
  return `KnowHub could not start: ${message}`;
}
