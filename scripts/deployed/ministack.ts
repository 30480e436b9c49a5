import type { ChildProcess } from 'node:child_process';
import { mkdir, open, readFile } from 'node:fs/promises';
import { get } from 'node:https';
import { delimiter, dirname, join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { programPath } from '../opensearch/command.ts';
import { type Environment, launch, stopGroup } from './programs.ts';

export const ACCOUNT = '111122223333';
export const REGION = 'eu-west-1';

const PATIENCE_MS = 120_000;
const POLL_MS = 250;
const LOG_TAIL = 60;
/** Metrics and the like: many, and no help in finding a fault. */
const NOISE = /^\{"_aws":| INFO \[lambda\w*\] |DEP0169|trace-deprecation|^$/;

/** What would point an SDK, or Python, at somebody else. */
const FOREIGN = [
  'AWS_ENDPOINT_URL',
  'AWS_CA_BUNDLE',
  'AWS_PROFILE',
  'AWS_SESSION_TOKEN',
  'REQUESTS_CA_BUNDLE',
  'SSL_CERT_FILE',
  'NODE_EXTRA_CA_CERTS',
];

export interface MiniStack {
  url: string;
  /** With these variables the SDKs and the CDK talk to it and to nobody else. */
  client: Environment;
  /** The last lines of its log, which is that of the functions too. */
  log(): Promise<string>;
  stop(): Promise<void>;
}

export interface MiniStackOptions {
  /** See `miniStackHome`. */
  home: string;
  /** Where it keeps what it needs while it runs. */
  folder: string;
  /** Where `aws-cdk-lib` and the SDK are. */
  modules: string;
  port: number;
  /** Where the functions find Bedrock. */
  bedrock_url: string;
  abort: AbortSignal;
}

/** Starts an AWS that knows nothing yet, in which roles may do what their policies say, and waits until it answers. */
export async function startMiniStack(options: MiniStackOptions): Promise<MiniStack> {
  const { home, folder, modules, port, bedrock_url, abort } = options;
  const url = `https://127.0.0.1:${port}`;
  const certificate = join(folder, 'ministack-tls/server.crt');
  const log = join(folder, 'ministack.log');
  await mkdir(folder, { recursive: true });
  const command = [join(home, 'bin/python'), '-m', 'ministack'];
  // Ends with us, even if we are killed.
  if (await programPath('setpriv')) command.unshift('setpriv', '--pdeathsig', 'KILL');
  const file = await open(log, 'a');
  const child = launch(command[0]!, command.slice(1), {
    cwd: folder,
    stdio: ['ignore', file.fd, file.fd],
    env: {
      ...without(process.env, FOREIGN),
      // Functions run in the Node that runs us, which is Lambda's version.
      PATH: [dirname(process.execPath), join(home, 'bin'), process.env.PATH].join(delimiter),
      TMPDIR: folder,
      NODE_PATH: modules,
      BIND_HOST: '127.0.0.1',
      GATEWAY_PORT: String(port),
      MINISTACK_HOST: '127.0.0.1',
      MINISTACK_ACCOUNT_ID: ACCOUNT,
      MINISTACK_REGION: REGION,
      AUTH: 'true',
      // CDK's bucket for assets refuses plain http.
      USE_SSL: '1',
      IOT_MTLS_ENABLED: '0',
      NO_PROXY: '127.0.0.1',
      AWS_ENDPOINT_URL_BEDROCK_RUNTIME: bedrock_url,
    },
  });
  const tail = async () =>
    (await readFile(log, 'utf8'))
      .split('\n')
      .filter((line) => !NOISE.test(line))
      .slice(-LOG_TAIL)
      .join('\n');
  const stop = async () => {
    await stopGroup(child);
    await file.close();
  };
  try {
    await healthy(`${url}/_ministack/health`, certificate, child, abort);
  } catch (error) {
    await stop();
    if (abort.aborted) throw error;
    throw new Error(`${(error as Error).message}:\n${await tail()}`, { cause: error });
  }
  const client: Environment = {
    ...without(process.env, FOREIGN),
    AWS_ACCESS_KEY_ID: 'test',
    AWS_SECRET_ACCESS_KEY: 'test',
    AWS_REGION: REGION,
    AWS_DEFAULT_REGION: REGION,
    AWS_EC2_METADATA_DISABLED: 'true',
    AWS_ENDPOINT_URL: url,
    AWS_CA_BUNDLE: certificate,
    NODE_EXTRA_CA_CERTS: certificate,
    NO_PROXY: '127.0.0.1',
    // The CLI keeps there which account a key is of.
    CDK_HOME: join(folder, 'cdk-home'),
  };
  return { url, client, log: tail, stop };
}

function without(environment: Environment, names: readonly string[]): Environment {
  return Object.fromEntries(Object.entries(environment).filter(([name]) => !names.includes(name)));
}

async function healthy(
  url: string,
  certificate: string,
  child: ChildProcess,
  abort: AbortSignal,
): Promise<void> {
  let failed: Error | undefined;
  child.on('error', (error) => (failed = error));
  for (const began = Date.now(); !(await answers(url, certificate)); ) {
    await pause(POLL_MS, undefined, { signal: abort });
    const ended = child.exitCode ?? child.signalCode;
    if (failed || ended !== null)
      throw new Error(`MiniStack did not start (${failed?.message ?? `it ended with ${ended}`})`);
    if (Date.now() - began > PATIENCE_MS)
      throw new Error(`MiniStack did not answer after ${PATIENCE_MS / 1000} s`);
  }
}

/** Its certificate is its own, made at the start. */
async function answers(url: string, certificate: string): Promise<boolean> {
  const ca = await readFile(certificate).catch(() => undefined);
  if (ca === undefined) return false;
  return new Promise((resolve) => {
    const request = get(url, { ca, agent: false, timeout: 5000 }, (response) => {
      response.resume();
      resolve(response.statusCode === 200);
    });
    request.on('timeout', () => request.destroy());
    request.on('error', () => resolve(false));
  });
}
