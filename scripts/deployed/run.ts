import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fetchOpenSearch } from '../opensearch/fetch.ts';
import { freePort, startOpenSearch } from '../opensearch/start.ts';
import { apiUrl, createCdk } from './deploy.ts';
import { REGION, startMiniStack } from './ministack.ts';
import { runProgram } from './programs.ts';
import { createSteps, inSeconds, type Progress } from './steps.ts';
import { miniStackHome } from './venv.ts';

/**
 * `node scripts/deployed/run.ts [vitest's arguments]`: deploys the stack onto MiniStack, with a real OpenSearch beside
 * it, and runs test/deployed there. Ends with vitest's exit code; leaves nothing behind but its caches.
 */
const progress: Progress = (line) => process.stdout.write(`deployed: ${line}\n`);
const project = join(import.meta.dirname, '../..');
const modules = join(project, 'node_modules');
const SUITE_MS = 15 * 60_000;
const INTERRUPTED = 130;

async function main(given: string[], abort: AbortSignal): Promise<void> {
  const began = Date.now();
  const steps = createSteps(progress);
  const folder = await mkdtemp(join(tmpdir(), 'knowhub-deployed-'));
  const undo: (() => Promise<void>)[] = [() => rm(folder, { recursive: true, force: true })];
  try {
    const home = await steps.run('MiniStack in its environment', () => miniStackHome(abort));
    const opensearch_home = await steps.run('OpenSearch in its folder', () =>
      fetchOpenSearch((line) => progress(`  ${line}`)),
    );
    abort.throwIfAborted();

    const port = await freePort();
    const bedrock_port = await freePort();
    const bedrock_url = `http://127.0.0.1:${bedrock_port}`;
    const ministack = await steps.run(`MiniStack starts on port ${port}`, () =>
      startMiniStack({ home, folder, modules, port, bedrock_url, abort }),
    );
    undo.push(ministack.stop);
    const opensearch = await steps.run('OpenSearch starts', () =>
      startOpenSearch(opensearch_home, (line) => progress(`  ${line}`)),
    );
    undo.push(opensearch.stop);

    const cdk = createCdk({ project, folder, ministack, abort });
    await steps.run('cdk synth', () => cdk.synth(opensearch.url));
    await steps.run('cdk bootstrap', cdk.bootstrap);
    const outputs = await steps.run('cdk deploy', cdk.deploy);
    const deployment = { region: REGION, api_url: apiUrl(outputs, ministack.url), bedrock_port, outputs };

    await steps
      .run('the suite', () =>
        runProgram(
          process.execPath,
          [join(modules, 'vitest/vitest.mjs'), 'run', '--config', 'vitest.deployed.config.ts', ...given],
          {
            cwd: project,
            env: { ...ministack.client, KNOWHUB_DEPLOYMENT: JSON.stringify(deployment) },
            timeout_ms: SUITE_MS,
            abort,
            shown: true,
          },
        ),
      )
      .catch(async (error: unknown) => {
        if (!abort.aborted) progress(`what MiniStack and the functions said last:\n${await ministack.log()}`);
        throw error;
      });
  } finally {
    // Whatever came last goes first.
    await steps.run('everything is stopped', async () => {
      for (const each of undo.reverse()) await each();
    });
    for (const line of steps.summary()) progress(line);
    progress(`  ${inSeconds(Date.now() - began)} in all`);
  }
}

const stopped = new AbortController();
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const)
  process.on(signal, () => {
    if (!stopped.signal.aborted) progress(`${signal}: stopping`);
    stopped.abort(new Error('interrupted'));
  });

process.exitCode = await main(process.argv.slice(2), stopped.signal).then(
  () => 0,
  (error: unknown) => {
    if (stopped.signal.aborted) return INTERRUPTED;
    progress(`failed: ${error instanceof Error ? error.message : error}`);
    return 1;
  },
);
