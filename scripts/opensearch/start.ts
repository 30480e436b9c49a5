import { type ChildProcess, spawn } from 'node:child_process';
import { chmod, cp, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Progress } from './artifacts.ts';
import { programPath, run } from './command.ts';
import { javaHome } from './java.ts';
import { stopProcess } from './stop.ts';

const PATIENCE_MS = 180_000;
const HEARTBEAT_MS = 10_000;
const POLL_MS = 250;
const LOG_TAIL = 4000;

export interface RunningServer {
  url: string;
  pid: number;
  startup_ms: number;
  /** Resident memory in megabytes; 0 where the system does not tell. */
  resident(): Promise<number>;
  /** Ends the server and takes its data away. Safe to call twice. */
  stop(): Promise<void>;
}

/** Starts the OpenSearch in `home` on a free port of 127.0.0.1 with empty data, and waits until it is healthy. */
export async function startOpenSearch(home: string, progress: Progress): Promise<RunningServer> {
  const started = Date.now();
  const folder = await mkdtemp(join(tmpdir(), 'knowhub-opensearch-'));
  const [http, transport] = [await freePort(), await freePort()];
  let server: ChildProcess | undefined;
  const stop = async () => {
    if (server) await stopProcess(server);
    await rm(folder, { recursive: true, force: true });
  };
  try {
    await configure(home, folder, http, transport);
    server = await launch(home, folder);
    const output = tailOf(server);
    const url = `http://127.0.0.1:${http}`;
    progress(`starting OpenSearch on ${url}`);
    await healthy(url, server, output, progress);
    const startup_ms = Date.now() - started;
    const { pid } = server;
    return { url, pid: pid!, startup_ms, resident: () => residentMegabytes(pid!), stop };
  } catch (error) {
    await stop();
    throw error;
  }
}

/** Its own configuration, so that what was unpacked stays as it is. */
async function configure(home: string, folder: string, http: number, transport: number): Promise<void> {
  const config = join(folder, 'config');
  await cp(join(home, 'config'), config, { recursive: true });
  for (const name of ['data', 'logs', 'tmp']) await mkdir(join(folder, name));
  // Auto-create stays on, as on AWS: the adapter itself must see to it that a write makes no index.
  const settings = {
    'cluster.name': 'knowhub-test',
    'path.data': join(folder, 'data'),
    'path.logs': join(folder, 'logs'),
    'network.host': '127.0.0.1',
    'http.port': http,
    'transport.port': transport,
    'discovery.type': 'single-node',
    'cluster.routing.allocation.disk.threshold_enabled': false,
  };
  const lines = Object.entries(settings).map(([name, value]) => `${name}: ${value}`);
  await writeFile(join(config, 'opensearch.yml'), `${lines.join('\n')}\n`);
  const options = await readFile(join(config, 'jvm.options'), 'utf8');
  const kept = options
    .split('\n')
    .filter((line) => !line.includes('gc.log'))
    .map((line) => line.replace(/=(data|logs\/)/, `=${folder}/$1`));
  await writeFile(join(config, 'jvm.options'), kept.join('\n'));
}

/** OpenSearch refuses to run as root: then it runs as nobody. */
async function launch(home: string, folder: string): Promise<ChildProcess> {
  const root = process.getuid?.() === 0;
  const nobody = root && {
    uid: Number(await run('id', ['-u', 'nobody'])),
    gid: Number(await run('id', ['-g', 'nobody'])),
  };
  await chmod(folder, 0o755);
  if (nobody) await run('chown', ['-R', `${nobody.uid}:${nobody.gid}`, folder]);
  const command = ['bash', join(home, 'bin', 'opensearch')];
  // Ends with us, even if we are killed.
  if (await programPath('setpriv')) command.unshift('setpriv', '--pdeathsig', 'KILL');
  return spawn(command[0]!, command.slice(1), {
    ...nobody,
    cwd: folder,
    // A group of its own: Ctrl-C reaches us first, and we stop it.
    detached: true,
    stdio: ['ignore', 'pipe', 'pipe'],
    env: {
      PATH: process.env.PATH,
      HOME: folder,
      OPENSEARCH_JAVA_HOME: await javaHome(),
      // Compiled lightly: it lives for a minute or two, and comes up for half the processor time (12 s instead of 24 s).
      OPENSEARCH_JAVA_OPTS: '-Xms512m -Xmx512m -XX:-AlwaysPreTouch -XX:TieredStopAtLevel=1',
      OPENSEARCH_PATH_CONF: join(folder, 'config'),
      OPENSEARCH_TMPDIR: join(folder, 'tmp'),
    },
  });
}

/** What it wrote last, for the message when it does not come up. */
function tailOf({ stdout, stderr }: ChildProcess): () => string {
  let tail = '';
  const keep = (chunk: Buffer) => (tail = (tail + chunk).slice(-LOG_TAIL));
  stdout!.on('data', keep);
  stderr!.on('data', keep);
  return () => tail;
}

async function healthy(url: string, server: ChildProcess, output: () => string, progress: Progress) {
  const started = Date.now();
  let told = started;
  let failed: Error | undefined;
  server.on('error', (error) => (failed = error));
  for (;;) {
    const ended = server.exitCode ?? server.signalCode;
    if (failed || ended !== null)
      throw new Error(`OpenSearch did not start (${failed?.message ?? ended}):\n${output()}`);
    const answer = await fetch(`${url}/_cluster/health?wait_for_status=yellow&timeout=5s`, {
      signal: AbortSignal.timeout(HEARTBEAT_MS),
    }).catch(() => undefined);
    if (answer?.ok) return;
    const now = Date.now();
    if (now - started > PATIENCE_MS)
      throw new Error(`OpenSearch was not healthy after ${PATIENCE_MS / 1000} s:\n${output()}`);
    if (now - told > HEARTBEAT_MS) {
      told = now;
      progress(`still starting, ${Math.round((now - started) / 1000)} s`);
    }
    await new Promise((resolve) => setTimeout(resolve, POLL_MS));
  }
}

export function freePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const probe = createServer();
    probe.on('error', reject);
    probe.listen(0, '127.0.0.1', () => {
      const address = probe.address();
      probe.close(() => resolve(typeof address === 'object' && address ? address.port : 0));
    });
  });
}

async function residentMegabytes(pid: number): Promise<number> {
  const status = await readFile(`/proc/${pid}/status`, 'utf8').catch(() => '');
  return Math.round(Number(/VmRSS:\s+(\d+)/.exec(status)?.[1] ?? 0) / 1024);
}
