import { readFile, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { takeDataFolder } from '#lib/adapters/local/data-folder.ts';
import { type EmulatedAws, startEmulatedAws } from '#lib/adapters/local/emulated-aws.ts';
import { mendIndexes } from '#lib/adapters/local/mend-indexes.ts';
import { systemClock } from '#lib/adapters/memory/system.ts';
import { textReply } from '#lib/runtime/http.ts';
import { startWork } from '#lib/runtime/local/background.ts';
import { createFunctions, type HandlerMakers } from '#lib/runtime/local/functions.ts';
import { type Answer, createGateway, listen, refusal } from '#lib/runtime/local/gateway.ts';
import { modelEnvironment } from '#lib/runtime/local/models.ts';
import type { LocalOptions } from '#lib/runtime/local/options.ts';
import { type Part, renderPage } from '#lib/runtime/local/page.ts';
import { partsOf } from '#lib/runtime/local/parts.ts';
import { prepareResources } from '#lib/runtime/local/resources.ts';
import { createRouteTable } from '#lib/runtime/local/router.ts';
import { createRuntimes, type LocalVariables, overridesOf } from '#lib/runtime/local/runtimes.ts';
import { synthesise } from '#lib/runtime/local/synth.ts';
import { readTemplate } from '#lib/runtime/local/template.ts';
import { wake } from '#lib/runtime/local/wake.ts';
import { once } from '#lib/runtime/once.ts';

export interface LocalRun {
  url: string;
  parts: Part[];
  folders: { inbox: string; quarantine: string };
  /** Of the emulators, which can be stopped by themselves. */
  aws: EmulatedAws;
  /** What whoever started it should know, one sentence each. */
  notices: string[];
  /** Ends what is under way and closes everything; `false` = something did not end in time and was left to the next start. */
  stop(): Promise<boolean>;
}

const SWEEP_FUNCTION = 'reprocess';
/** Answers what no route takes: 404 and 405 in the API's own words. */
const FALLBACK_FUNCTION = 'lookup';
const STOP_PATIENCE_MS = 3500;
const CLOSE_PATIENCE_MS = 1000;
/** A large store takes longer to be read into the index in memory; it goes on after the start. */
const FIRST_SWEEP_MS = 6000;

/** Closed in reverse, each once. */
type Closing = (() => unknown)[];

/** Starts the system below `options.data`, wired as the stack of `root` is. Throws when it cannot, everything closed again. */
export async function startLocalRun(
  root: string,
  makers: HandlerMakers,
  options: LocalOptions,
  variables: LocalVariables = {},
): Promise<LocalRun> {
  const closing: Closing = [];
  const close = async () => {
    for (const each of closing.splice(0).reverse()) await each();
  };
  try {
    return await start(root, makers, options, variables, { closing, close });
  } catch (error) {
    await close();
    throw error;
  }
}

async function start(
  root: string,
  makers: HandlerMakers,
  options: LocalOptions,
  variables: LocalVariables,
  { closing, close }: { closing: Closing; close: () => Promise<void> },
): Promise<LocalRun> {
  const data = takeDataFolder(resolve(options.data));
  closing.push(() => data.release());
  const door = await openDoor(options.port, closing);
  const [template, models, aws] = await Promise.all([
    synthesise(root, data.path),
    modelEnvironment(options, variables),
    startStores(data.path, closing),
  ]);
  const wiring = readTemplate(template);
  await prepareResources(aws, wiring);
  if (data.unclean) await mendIndexes(aws.dynamo, wiring.tables);

  const runtimeOf = createRuntimes(aws, wiring, options, { ...overridesOf(options, variables), ...models });
  const functions = createFunctions(wiring, makers, runtimeOf);
  const sweeper = runtimeOf(SWEEP_FUNCTION);
  await sweeper.prepare();
  await wake(sweeper.instance);

  const { model } = sweeper.instance;
  const folders = { inbox: join(data.path, 'inbox'), quarantine: join(data.path, 'quarantine') };
  const stopping = new AbortController();
  closing.push(() => stopping.abort());
  const work = startWork(aws, wiring, functions, folders, sweeper, stopping.signal);
  await Promise.race([work.swept, systemClock.sleep(FIRST_SWEEP_MS)]);

  const parts = partsOf(model, options);
  const page = renderPage(door.url, parts, folders);
  const functionFor = createRouteTable(wiring.routes);
  door.answer = async (event) =>
    event.rawPath === '/' && event.requestContext.http.method === 'GET'
      ? textReply(200, 'text/html', page)
      : functions.http(functionFor(event) ?? FALLBACK_FUNCTION, event);

  const stop = once(async () => {
    door.answer = notNow('stopping');
    stopping.abort();
    const over = functions.idle().then(() => work.ended);
    const in_time = await within(STOP_PATIENCE_MS, over);
    // What is still under way would hold the stores open; it is carried on at the next start.
    return (await within(CLOSE_PATIENCE_MS, close())) && in_time;
  });
  const notices = [
    ...(data.unclean ? ['The last run was killed; what it left under way goes on.'] : []),
    ...(await noticeOfEmbedder(data.path, model.embedder.name)),
  ];
  return { url: door.url, parts, folders, aws, notices, stop };
}

const notNow =
  (state: 'starting' | 'stopping'): Answer =>
  async () =>
    refusal(503, state, `The system is ${state}.`);

/** First of all: a port that is taken ends the start before anything else is touched. */
async function openDoor(port: number, closing: Closing): Promise<{ url: string; answer: Answer }> {
  const door = { url: '', answer: notNow('starting') };
  const server = createGateway((event) => door.answer(event));
  door.url = `http://127.0.0.1:${await listen(server, port)}`;
  closing.push(
    () =>
      new Promise((done) => {
        server.close(done);
        server.closeAllConnections();
      }),
  );
  return door;
}

async function startStores(data: string, closing: Closing): Promise<EmulatedAws> {
  const starting = startEmulatedAws({ dynamo: join(data, 'dynamodb'), s3_sqs: join(data, 's3-sqs') });
  closing.push(async () => {
    const aws = await starting.catch(() => undefined);
    await Promise.all([aws?.stopDynamo(), aws?.stopS3AndSqs()]);
  });
  return starting;
}

/** Whether the work was over in time. */
async function within(patience_ms: number, work: Promise<unknown>): Promise<boolean> {
  return Promise.race([work.then(() => true), systemClock.sleep(patience_ms).then(() => false)]);
}

/** Vectors of one embedder mean nothing to another: what was stored with the last one is found by keyword only. */
async function noticeOfEmbedder(data: string, embedder: string): Promise<string[]> {
  const file = join(data, 'embedder');
  const last = await readFile(file, 'utf8').catch(() => embedder);
  await writeFile(file, embedder);
  return last === embedder
    ? []
    : [`The last run's embedder was ${last}: what it stored is not found by meaning with ${embedder}.`];
}
