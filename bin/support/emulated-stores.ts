import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { prepareProjections } from '#lib/adapters/aws/dynamodb/projections.ts';
import { tableInput } from '#lib/adapters/aws/dynamodb/table-input.ts';
import { TABLES, type TableDefinition } from '#lib/adapters/aws/tables.ts';
import { type EmulatedAws, startEmulatedAws } from '#lib/adapters/local/emulated-aws.ts';
import { createMemorySearchIndex } from '#lib/adapters/memory/search-index.ts';
import { createStandinModel } from '#lib/adapters/standin/model.ts';
import type { Clock, Log, Ports } from '#lib/ports.ts';
import { composeRuntime, tableNames } from '#lib/runtime/compose.ts';
import { type Env, parseEnv } from '#lib/runtime/env.ts';
import { queueUrl, SEARCH_ENDPOINT } from '#lib/runtime/local/intrinsics.ts';
import { prepareResources } from '#lib/runtime/local/resources.ts';
import { countRequests } from './aws-requests.ts';
import type { DemoStores } from './demo-stores.ts';
import { createLocalSystem } from './local-instance.ts';
import { sqsWork } from './sqs-work.ts';

/** What the demo tells is its output. */
const SILENT: Log = { debug: () => undefined, info: () => undefined, warn: () => undefined };
export interface EmulatedStores extends DemoStores {
  /** The clients, for what no port does. */
  aws: EmulatedAws;
}

const STAND_IN = JSON.stringify('stand-in');

/**
 * The local run's stores, in a folder that goes with the process however that ends (but for a SIGKILL): the adapters of
 * production on dynalite and fauxqs, the index in memory, stand-in models.
 */
export async function startEmulatedStores(): Promise<EmulatedStores> {
  const folder = mkdtempSync(join(tmpdir(), 'knowhub-demo-stores-'));
  // LevelDB may be writing into it on a thread of its own.
  const remove = () => rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
  process.once('exit', remove);
  const aws = await startEmulatedAws({ dynamo: join(folder, 'dynamodb'), s3_sqs: join(folder, 's3-sqs') });
  countRequests(aws);
  let opened = 0;
  return {
    kind: 'emulated',
    aws,
    async open() {
      opened += 1;
      const env = environmentOf(`knowledge-${opened}`);
      await prepare(aws, env);
      return createLocalSystem((clock) => compose(aws, env, clock));
    },
    async close() {
      for (const client of [aws.dynamo, aws.s3, aws.sqs]) client.destroy();
      await Promise.all([aws.stopDynamo(), aws.stopS3AndSqs()]);
      remove();
      process.off('exit', remove);
    },
  };
}

const QUEUES = ['admission', 'recompute'] as const;

/** What the stack would tell a function. */
function environmentOf(name: string): Env {
  const tables = Object.keys(TABLES).map((table) => [`TABLE_${table.toUpperCase()}`, `${name}-${table}`]);
  const queues = QUEUES.map((queue) => [`QUEUE_${queue.toUpperCase()}_URL`, queueUrl(`${name}-${queue}`)]);
  return parseEnv({
    ...Object.fromEntries([...tables, ...queues]),
    KNOWHUB_FUNCTION: 'demo',
    BUCKET: name,
    EMBEDDER: STAND_IN,
    WRITER: STAND_IN,
    OPENSEARCH_URL: `https://${SEARCH_ENDPOINT}`,
  });
}

/** As the local run makes them, but from the definitions: synthesising the stack first would take as long as the story. */
async function prepare(aws: EmulatedAws, env: Env): Promise<void> {
  const names = tableNames(env);
  const definitions: Readonly<Record<keyof typeof TABLES, TableDefinition>> = TABLES;
  const tables = Object.entries(names).map(([table, name]) =>
    tableInput(name, definitions[table as keyof typeof TABLES]),
  );
  await prepareResources(aws, {
    tables,
    buckets: [env.BUCKET],
    queues: QUEUES.map((queue) => ({ name: `${env.BUCKET}-${queue}`, attributes: {} })),
    functions: [],
    event_sources: [],
    routes: [],
    schedules: [],
    notifications: [],
  });
  await prepareProjections(aws.dynamo, names);
}

function compose(aws: EmulatedAws, env: Env, clock: Clock) {
  const index = createMemorySearchIndex({ clock });
  const { instance } = composeRuntime(env, { ...aws, index });
  const urls = { admit: env.QUEUE_ADMISSION_URL, recompute: env.QUEUE_RECOMPUTE_URL };
  const { queue, work } = sqsWork(aws.sqs, urls, instance.queue, clock);
  const {
    settings: _settings,
    catalog: _catalog,
    projected: _projected,
    audited: _audited,
    known_index: _known_index,
    ...made
  } = instance;
  const ports: Ports = { ...made, clock, queue, model: createStandinModel(), log: SILENT };
  return { ports, work };
}
