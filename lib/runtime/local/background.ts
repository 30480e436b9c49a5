import type { EmulatedAws } from '#lib/adapters/local/emulated-aws.ts';
import { createDropFolder } from '#lib/runtime/local/drop-folder.ts';
import { pollQueue } from '#lib/runtime/local/event-sources.ts';
import type { Functions } from '#lib/runtime/local/functions.ts';
import { createNotifier } from '#lib/runtime/local/notifications.ts';
import { repeat } from '#lib/runtime/local/repeat.ts';
import type { Wiring } from '#lib/runtime/local/template.ts';
import type { Runtime } from '#lib/runtime/runtime.ts';
import { projectAll } from '#lib/usecases/project.ts';

const LOOK_MS = 500;

/**
 * Everything that happens by itself, once the index in memory is there again: an admission before that would put itself
 * off. `swept`: the first pass of every schedule is over.
 */
export function startWork(
  aws: EmulatedAws,
  wiring: Wiring,
  functions: Functions,
  folders: { inbox: string; quarantine: string },
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
