import { join, resolve } from 'node:path';
import { takeDataFolder } from '#lib/adapters/local/data-folder.ts';
import { type EmulatedAws, startEmulatedAws } from '#lib/adapters/local/emulated-aws.ts';
import { mendIndexes } from '#lib/adapters/local/mend-indexes.ts';
import { createMemorySearchIndex } from '#lib/adapters/memory/search-index.ts';
import { systemClock } from '#lib/adapters/memory/system.ts';
import { composeRuntime } from '#lib/runtime/compose.ts';
import { parseEnv } from '#lib/runtime/env.ts';
import type { GatewayEvent, GatewayReply } from '#lib/runtime/http.ts';
import { textReply } from '#lib/runtime/http.ts';
import { createDropFolder } from '#lib/runtime/local/drop-folder.ts';
import { pollQueue } from '#lib/runtime/local/event-sources.ts';
import { createFunctions, type Functions } from '#lib/runtime/local/functions.ts';
import { createGateway, listen, refusal } from '#lib/runtime/local/gateway.ts';
import { type ModelVariables, modelEnvironment } from '#lib/runtime/local/models.ts';
import { createNotifier } from '#lib/runtime/local/notifications.ts';
import type { LocalOptions } from '#lib/runtime/local/options.ts';
import { type Part, renderPage } from '#lib/runtime/local/page.ts';
import { partsOf } from '#lib/runtime/local/parts.ts';
import { repeat } from '#lib/runtime/local/repeat.ts';
import { prepareResources } from '#lib/runtime/local/resources.ts';
import { createRouteTable } from '#lib/runtime/local/router.ts';
import { synthesise } from '#lib/runtime/local/synth.ts';
import { readTemplate, type Wiring } from '#lib/runtime/local/template.ts';
import { wake } from '#lib/runtime/local/wake.ts';
import { once } from '#lib/runtime/once.ts';
import type { Runtime } from '#lib/runtime/runtime.ts';
import { projectAll } from '#lib/usecases/project.ts';

/** What the local run takes from its process's environment. */
export type LocalVariables = ModelVariables & { LOG_LEVEL?: string | undefined };

export interface LocalRun {
  url: string;
  parts: Part[];
  folders: { inbox: string; quarantine: string };
  /** Of the emulators, which can be stopped by themselves. */
  aws: EmulatedAws;
  /** Whether the run before was killed. */
  mended: boolean;
  /** Ends what is under way and closes everything; `false` = something did not end in time and was left to the next start. */
  stop(): Promise<boolean>;
}

const SWEEP_FUNCTION = 'reprocess';
/** Answers what no route takes: 404 and 405 in the API's own words. */
const FALLBACK_FUNCTION = 'lookup';
const LOOK_MS = 500;
const STOP_PATIENCE_MS = 4000;
/** A large store takes longer to be read into the index in memory; it goes on after the start. */
const FIRST_SWEEP_MS = 6000;

/** Starts the system below `options.data`, wired as the stack of `root` is. Throws when it cannot, everything closed again. */
export async function startLocalRun(
  root: string,
  options: LocalOptions,
  variables: LocalVariables = {},
): Promise<LocalRun> {
  const closing: (() => unknown)[] = [];
  const close = async () => {
    for (const each of closing.splice(0).reverse()) await each();
  };
  try {
    return await start(root, options, variables, closing, close);
  } catch (error) {
    await close();
    throw error;
  }
}

async function start(
  root: string,
  options: LocalOptions,
  variables: LocalVariables,
  closing: (() => unknown)[],
  close: () => Promise<void>,
): Promise<LocalRun> {
  const data = takeDataFolder(resolve(options.data));
  closing.push(() => data.release());

  let answer = async (_event: GatewayEvent): Promise<GatewayReply> =>
    refusal(503, 'starting', 'The system is starting.');
  const server = createGateway((event) => answer(event));
  const port = await listen(server, options.port);
  const url = `http://127.0.0.1:${port}`;
  closing.push(
    () =>
      new Promise((done) => {
        server.close(done);
        server.closeAllConnections();
      }),
  );

  const emulators = startEmulatedAws({
    dynamo: join(data.path, 'dynamodb'),
    s3_sqs: join(data.path, 's3-sqs'),
  });
  closing.push(async () => {
    const aws = await emulators.catch(() => undefined);
    await Promise.all([aws?.stopDynamo(), aws?.stopS3AndSqs()]);
  });
  const [template, models, aws] = await Promise.all([
    synthesise(root, data.path),
    modelEnvironment(options, variables),
    emulators,
  ]);
  const wiring = readTemplate(template);
  await prepareResources(aws, wiring);
  if (data.unclean) await mendIndexes(aws.dynamo, wiring.tables);

  const overrides = { ...overridesOf(options, variables), ...models };
  const runtimeOf = createRuntimes(aws, wiring, options, overrides);
  const functions = createFunctions(wiring, runtimeOf);
  const sweeper = runtimeOf(SWEEP_FUNCTION);
  await sweeper.prepare();
  await wake(sweeper.instance);

  const folders = { inbox: join(data.path, 'inbox'), quarantine: join(data.path, 'quarantine') };
  const parts = partsOf(sweeper.instance.model, options);
  const stopping = new AbortController();
  closing.push(() => stopping.abort());
  const work = startWork(aws, wiring, functions, folders, sweeper, stopping.signal);
  await Promise.race([work.swept, systemClock.sleep(FIRST_SWEEP_MS)]);

  const page = renderPage(url, parts, folders);
  const functionFor = createRouteTable(wiring.routes);
  answer = async (event) =>
    event.rawPath === '/' && event.requestContext.http.method === 'GET'
      ? textReply(200, 'text/html', page)
      : functions.http(functionFor(event) ?? FALLBACK_FUNCTION, event);

  const stop = once(async () => {
    answer = async () => refusal(503, 'stopping', 'The system is stopping.');
    stopping.abort();
    const ended = await functions.idle(STOP_PATIENCE_MS);
    if (ended) await work.ended;
    await close();
    return ended;
  });
  return { url, parts, folders, aws, mended: data.unclean, stop };
}

const overridesOf = (
  { opensearch }: LocalOptions,
  { LOG_LEVEL }: LocalVariables,
): Record<string, string> => ({
  AUTH: 'none',
  PATH_ENCODING: 'encoded',
  LOG_LEVEL: LOG_LEVEL || 'WARN',
  ...(opensearch !== undefined && { OPENSEARCH_URL: opensearch, OPENSEARCH_REPLICAS: '0' }),
});

/** A runtime a function, made when it is first asked for; the index in memory is one for all of them. */
function createRuntimes(
  { dynamo, s3, sqs }: EmulatedAws,
  { functions }: Wiring,
  { opensearch }: LocalOptions,
  overrides: Record<string, string>,
): (name: string) => Runtime {
  const index = opensearch === undefined ? { index: createMemorySearchIndex({ clock: systemClock }) } : {};
  const runtimes = new Map(
    functions.map(({ name, environment }) => [
      name,
      once(() => composeRuntime(parseEnv({ ...environment, ...overrides }), { dynamo, s3, sqs, ...index })),
    ]),
  );
  return (name) => {
    const runtime = runtimes.get(name);
    if (!runtime) throw new Error(`the template has no function "${name}"`);
    return runtime();
  };
}

/**
 * Everything that happens by itself, once the index in memory is there again: an admission before that would put itself
 * off. `swept`: the first pass of every schedule is over.
 */
function startWork(
  aws: EmulatedAws,
  wiring: Wiring,
  functions: Functions,
  folders: LocalRun['folders'],
  { instance, log }: Runtime,
  stop: AbortSignal,
): { swept: Promise<unknown>; ended: Promise<unknown> } {
  const options = { stop, log };
  const indexed = projectAll(instance).catch((error: unknown) =>
    log.error('the projections are behind', {}, error),
  );
  const swept: Promise<void>[] = [];
  const schedules = wiring.schedules.map((schedule) => {
    let first: () => void = () => undefined;
    swept.push(new Promise((done) => (first = done)));
    const sweep = () => functions.schedule(schedule.function).finally(() => first());
    return indexed.then(() => repeat('the schedule', schedule.every_s * 1000, sweep, options));
  });
  const ended = Promise.all([
    ...schedules,
    ...wiring.event_sources.map((source) =>
      indexed.then(() => pollQueue(aws.sqs, functions, source, options)),
    ),
    ...wiring.notifications.flatMap((each) => [
      repeat('the look into the bucket', LOOK_MS, createNotifier(aws, each), options),
      repeat(
        'the look into the inbox folder',
        LOOK_MS,
        createDropFolder(aws.s3, each.bucket, folders),
        options,
      ),
    ]),
  ]);
  return { swept: Promise.all(swept), ended };
}
