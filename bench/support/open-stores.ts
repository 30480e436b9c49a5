import { join, resolve } from 'node:path';
import { takeDataFolder } from '#lib/adapters/local/data-folder.ts';
import { startEmulatedAws } from '#lib/adapters/local/emulated-aws.ts';
import { modelEnvironment } from '#lib/runtime/local/models.ts';
import { createRuntimes, overridesOf } from '#lib/runtime/local/runtimes.ts';
import { synthesise } from '#lib/runtime/local/synth.ts';
import { readTemplate } from '#lib/runtime/local/template.ts';
import type { Instance } from '#lib/usecases/instance.ts';

const PROJECT = join(import.meta.dirname, '../..');
const WORKER = 'reprocess';

/** The stores of a local run that was stopped, and nobody at work on them. */
export interface OpenStores {
  /** A running function that has read nothing yet; its index, which lives in memory, is empty. */
  instance: Instance;
  close(): Promise<void>;
}

/** Opens them by the adapters of the local run. Throws `DataFolderTaken` while it runs. */
export async function openStores(data: string): Promise<OpenStores> {
  const folder = takeDataFolder(resolve(data));
  try {
    if (folder.unclean) throw new Error('the local run was not stopped cleanly');
    const options = { port: 0, data, opensearch: undefined, bedrock: false, models: undefined };
    const aws = await startEmulatedAws({ dynamo: join(data, 'dynamodb'), s3_sqs: join(data, 's3-sqs') });
    const wiring = readTemplate(await synthesise(PROJECT, resolve(data)));
    const environment = { ...overridesOf(options, {}), ...(await modelEnvironment(options, {})) };
    const { instance } = createRuntimes(aws, wiring, options, environment)(WORKER);
    return {
      instance,
      async close() {
        for (const client of [aws.dynamo, aws.s3, aws.sqs]) client.destroy();
        await Promise.all([aws.stopDynamo(), aws.stopS3AndSqs()]);
        folder.release();
      },
    };
  } catch (error) {
    folder.release();
    throw error;
  }
}
