import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { readStage } from '#lib/infra/stage.ts';
import { parseEnv } from '#lib/runtime/env.ts';
import { plain, resourcesOf, templateOf } from '#test/support/stack.ts';

const problemsOf = (stage: unknown): string[] => {
  try {
    readStage(stage);
  } catch (error) {
    return error instanceof Error ? error.message.split('\n') : [];
  }
  return [];
};

test('nothing said: a stage to try things out, with everything at its default', () => {
  expect(readStage(undefined)).toEqual({
    name: 'dev',
    removal: 'destroy',
    architecture: 'arm64',
    memory_mib: 1024,
    auth: { mode: 'iam' },
    models: {
      writer: {
        bedrock: {
          model: 'amazon.nova-pro-v1:0',
          profile: '',
          max_tokens: 4096,
          temperature: 0,
          timeout_ms: 20_000,
        },
      },
      embedder: {
        bedrock: {
          model: 'amazon.titan-embed-text-v2:0',
          profile: '',
          family: 'titan',
          dimensions: 1024,
          timeout_ms: 10_000,
        },
      },
    },
    opensearch: { instance_type: 't3.small.search', instances: 1, volume_gib: 10, shards: 1, replicas: 0 },
    inbox: [],
    at_once: { inbox: 5, admission: 10, recompute: 2, jobs: 2 },
    settings: {},
    log_level: 'INFO',
    log_retention: 30,
  });
  expect(readStage({ name: 'prod' }).removal).toBe('retain');
});

test('all that is wrong with a stage is said at once, each by its field', () => {
  const stage = {
    name: 'Prod!',
    account: '12',
    region: 'Ireland',
    auth: { mode: 'jwt', issuer: 'http://issuer.example', audience: [] },
    models: {
      writer: { bedrock: { modle: 'x' } },
      embedder: { bedrock: { model: 'amazon.titan-embed-text-v2:0', dimensions: 0 } },
    },
    opensearch: { url: 'nowhere', instance_type: 't3.small' },
    at_once: { admission: 1 },
    settings: { similarity_floor: 2, lease_ms: 60_000 },
    log_retention: 31,
    colour: 'blue',
  };
  expect(problemsOf(stage).map((line) => line.split(':')[0])).toEqual([
    'the stage is not usable',
    '  name',
    '  account',
    '  region',
    '  auth.issuer',
    '  auth.audience',
    '  models.writer.bedrock.model',
    '  models.writer.bedrock',
    '  models.embedder.bedrock.dimensions',
    '  opensearch.url',
    '  opensearch.instance_type',
    '  at_once.admission',
    '  settings.similarity_floor',
    '  log_retention',
    '  ',
  ]);
});

test('settings may not break the law of times', () => {
  const line =
    '  settings: a function (90000 ms) must be over before its lease_ms ends, and a lease before claim_reset_ms';
  for (const settings of [{ lease_ms: 90_000 }, { claim_reset_ms: 120_000 }, { lease_ms: 400_000 }])
    expect(problemsOf({ name: 'prod', settings })).toEqual(['the stage is not usable:', line]);
  const settings = { lease_ms: 100_000, claim_reset_ms: 200_000 };
  expect(readStage({ name: 'prod', settings }).settings).toEqual(settings);
});

test('an inference profile says which models it stands for', () => {
  const writer = { bedrock: { model: 'amazon.nova-pro-v1:0', profile: 'eu' } };
  expect(problemsOf({ name: 'prod', models: { writer } })).toEqual([
    'the stage is not usable:',
    '  models.writer_arns: a profile, or a model named by its ARN, needs the ARNs that may be invoked',
  ]);
  const every = { writer, writer_arns: ['arn:aws:bedrock:*::foundation-model/amazon.nova-pro-v1:0'] };
  expect(problemsOf({ name: 'prod', models: every })).toEqual([
    'the stage is not usable:',
    '  models.writer_arns.0: an ARN without wildcards',
  ]);
});

test('a stage is read from a file; one that is none is named', () => {
  const folder = mkdtempSync(join(tmpdir(), 'knowhub-stage-'));
  try {
    const file = join(folder, 'prod.json');
    writeFileSync(file, JSON.stringify({ name: 'prod', region: 'eu-west-1', opensearch: { instances: 3 } }));
    const { name, region, opensearch } = readStage(file);
    expect([name, region, opensearch.replicas]).toEqual(['prod', 'eu-west-1', 1]);
    writeFileSync(file, '{');
    expect(problemsOf(file)).toEqual([expect.stringContaining(`the stage file ${file} is not JSON: `)]);
    expect(problemsOf(join(folder, 'none.json'))).toEqual([
      `there is no stage file ${join(folder, 'none.json')}; docs/deploy.md shows one`,
    ]);
  } finally {
    rmSync(folder, { recursive: true });
  }
});

test('what the stack tells its functions is what they read', () => {
  const inbox = [{ prefix: 'acme/', scopes: ['org:acme'], owner: 'agent:runner' }];
  const template = templateOf({ inbox, settings: { top_k: 5 }, log_level: 'DEBUG' });
  const environments = Object.values(resourcesOf(template, 'AWS::Lambda::Function')).map(({ Properties }) => {
    const { Variables } = Properties.Environment as { Variables: Record<string, unknown> };
    const { QUEUE_ADMISSION_URL, QUEUE_RECOMPUTE_URL, ...others } = Variables;
    // Queue URLs are references until they are deployed.
    expect([plain(QUEUE_ADMISSION_URL), plain(QUEUE_RECOMPUTE_URL)]).toEqual([
      'AdmissionQueue',
      'RecomputeQueue',
    ]);
    const texts = Object.entries(others).map(([name, value]) => [name, plain(value)]);
    const queue = (name: string) => `https://sqs.example/${name}`;
    return parseEnv({
      ...Object.fromEntries(texts),
      QUEUE_ADMISSION_URL: queue('admission'),
      QUEUE_RECOMPUTE_URL: queue('recompute'),
    });
  });
  const stage = readStage({ name: 'dev' });
  const names = ['upload', 'dedup', 'recompute', 'lookup', 'mcp', 'reprocess'];
  expect(environments).toEqual(
    names.map((KNOWHUB_FUNCTION) => ({
      KNOWHUB_FUNCTION,
      LOG_LEVEL: 'DEBUG',
      AUTH: 'iam',
      JWT_SCOPES_CLAIM: 'scope',
      ...(KNOWHUB_FUNCTION === 'mcp' && { MCP_SESSION_KEY: 'AWS::StackId' }),
      PATH_ENCODING: 'decoded',
      TABLE_ITEMS: 'Tablesitems',
      TABLE_RELATIONS: 'Tablesrelations',
      TABLE_DOMAINS: 'Tablesdomains',
      TABLE_LEDGER: 'Tablesledger',
      TABLE_CONTROL: 'Tablescontrol',
      TABLE_SESSIONS: 'Tablessessions',
      BUCKET: 'KnowledgeBucket',
      QUEUE_ADMISSION_URL: 'https://sqs.example/admission',
      QUEUE_RECOMPUTE_URL: 'https://sqs.example/recompute',
      MAX_RECEIVES: 5,
      OPENSEARCH_URL: 'https://SearchDomain.DomainEndpoint',
      OPENSEARCH_SHARDS: 1,
      OPENSEARCH_REPLICAS: 0,
      EMBEDDER: stage.models.embedder,
      WRITER: stage.models.writer,
      INBOX_RULES: inbox,
      SETTINGS: { top_k: 5 },
    })),
  );
});
