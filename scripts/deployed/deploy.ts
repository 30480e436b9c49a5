import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { STANDIN_RELEVANCE_FLOOR, STANDIN_SIMILARITY_FLOOR } from '#lib/adapters/standin/embedder.ts';
import { STANDIN_JUDGE_BUDGET } from '#lib/adapters/standin/judge.ts';
import { ACCOUNT, type MiniStack, REGION } from './ministack.ts';
import { runProgram } from './programs.ts';

const SYNTH_MS = 180_000;
const BOOTSTRAP_MS = 120_000;
const DEPLOY_MS = 120_000;

/** Bedrock's models as a deployment names them; who answers is a stand-in, so what is a property of it is set. */
const stageOf = (opensearch_url: string) => ({
  name: 'test',
  account: ACCOUNT,
  region: REGION,
  removal: 'destroy',
  architecture: process.arch === 'arm64' ? 'arm64' : 'x86_64',
  models: {
    writer: { bedrock: { model: 'anthropic.claude-3-haiku-20240307-v1:0' } },
    embedder: { bedrock: { model: 'amazon.titan-embed-text-v2:0', dimensions: 512 } },
  },
  opensearch: { url: opensearch_url },
  settings: {
    similarity_floor: STANDIN_SIMILARITY_FLOOR,
    relevance_floor: STANDIN_RELEVANCE_FLOOR,
    judge_view_budget: STANDIN_JUDGE_BUDGET,
    // A burst is waited for; the suite would wait with it.
    recompute_delay_ms: 2000,
  },
});

export interface CdkOptions {
  /** The checkout. */
  project: string;
  /** Of this run. */
  folder: string;
  ministack: MiniStack;
  abort: AbortSignal;
}

export type Outputs = Record<string, string>;

export interface Cdk {
  synth(opensearch_url: string): Promise<void>;
  bootstrap(): Promise<void>;
  /** Deploys what was synthesised; the stack's outputs. */
  deploy(): Promise<Outputs>;
}

/** The CDK's own command line, as an operator calls it. */
export function createCdk({ project, folder, ministack, abort }: CdkOptions): Cdk {
  const assembly = join(folder, 'cdk.out');
  const outputs = join(folder, 'outputs.json');
  const cdk = (timeout_ms: number, ...args: string[]) =>
    runProgram(process.execPath, [join(project, 'node_modules/aws-cdk/bin/cdk'), ...args], {
      cwd: project,
      env: ministack.client,
      timeout_ms,
      abort,
    });
  return {
    async synth(opensearch_url) {
      const stage = join(folder, 'stage.json');
      await writeFile(stage, JSON.stringify(stageOf(opensearch_url), null, 2));
      await cdk(SYNTH_MS, 'synth', '--quiet', '--output', assembly, '--context', `stage=${stage}`);
    },
    bootstrap: () => cdk(BOOTSTRAP_MS, 'bootstrap', `aws://${ACCOUNT}/${REGION}`, '--app', assembly),
    async deploy() {
      await cdk(
        DEPLOY_MS,
        'deploy',
        ...['--app', assembly, '--require-approval', 'never', '--outputs-file', outputs],
      );
      const [stack] = Object.values(JSON.parse(await readFile(outputs, 'utf8')) as Record<string, Outputs>);
      if (!stack) throw new Error('the deployment has no outputs');
      return stack;
    },
  };
}

/** MiniStack has no name of its own for each API: it is a path. */
export function apiUrl({ ApiUrl }: Outputs, gateway: string): string {
  const id = /^https:\/\/([a-z0-9]+)\./.exec(ApiUrl ?? '')?.[1];
  if (!id) throw new Error(`the address of the API names no API: ${ApiUrl}`);
  return `${gateway}/_aws/execute-api/${id}/$default`;
}
