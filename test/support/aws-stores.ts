import { createMemorySearchIndex } from '#lib/adapters/memory/search-index.ts';
import { createStandinModel } from '#lib/adapters/standin/model.ts';
import { composeRuntime } from '#lib/runtime/compose.ts';
import { parseEnv } from '#lib/runtime/env.ts';
import { startDynalite } from '#test/support/dynalite.ts';
import { environment } from '#test/support/environment.ts';
import { BUCKET, startLocalAws } from '#test/support/fauxqs.ts';

/** What the SDK sends: the operation's name without `Command`, e.g. `GetObject`, and its input. */
export type AwsRequest = (operation: string, input: Record<string, unknown>) => void;

/**
 * The stores of the adapters for AWS in this process (dynalite and fauxqs), an index in memory, and functions composed
 * over them as the stack would, with stand-in models.
 */
export async function startAwsStores() {
  const dynalite = await startDynalite();
  const aws = await startLocalAws();
  const clients = { dynamo: dynalite.client, s3: aws.s3, sqs: aws.sqs };
  const index = createMemorySearchIndex();
  const tables = Object.entries(dynalite.names).map(([table, name]) => [
    `TABLE_${table.toUpperCase()}`,
    name,
  ]);
  // fauxqs names its host so that no URL parser takes it; its path is what counts.
  const queue = (name: string) =>
    `http://127.0.0.1:${aws.server.port}${aws.queue(name).replace(/^.*:\d+/, '')}`;
  const told = {
    ...environment,
    ...Object.fromEntries(tables),
    BUCKET,
    QUEUE_ADMISSION_URL: queue('admission'),
    QUEUE_RECOMPUTE_URL: queue('recompute'),
    EMBEDDER: '"stand-in"',
  };
  return {
    tables: dynalite.names,
    /** A function that has read nothing yet; `more` stands in its environment besides. */
    compose: (more: Record<string, string> = {}) =>
      composeRuntime(parseEnv({ ...told, ...more }), { ...clients, index, model: createStandinModel() }),
    /** Hears of every request from now on; those that the SDK repeats are one. */
    onRequest(hear: AwsRequest): void {
      for (const client of Object.values(clients)) {
        const send = client.send.bind(client) as (command: object, ...rest: unknown[]) => unknown;
        Object.assign(client, {
          send: (command: { input: Record<string, unknown> }, ...rest: unknown[]) => {
            hear(command.constructor.name.replace(/Command$/, ''), command.input);
            return send(command, ...rest);
          },
        });
      }
    },
    async stop() {
      await aws.stop();
      await dynalite.stop();
    },
  };
}

export type AwsStores = Awaited<ReturnType<typeof startAwsStores>>;
