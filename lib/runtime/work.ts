import { parseMessage } from '#lib/adapters/aws/sqs/queue.ts';
import { KnowHubError } from '#lib/core/errors.ts';
import { fromS3Notification } from '#lib/core/names.ts';
import type { Message } from '#lib/core/rows.ts';
import { meterAdmission, meterRecompute } from '#lib/runtime/metrics.ts';
import type { Runtime } from '#lib/runtime/runtime.ts';
import { droppedKeys } from '#lib/runtime/s3-notification.ts';
import { admit } from '#lib/usecases/admit.ts';
import { recomputeDomain } from '#lib/usecases/recompute-domain.ts';
import { sweep } from '#lib/usecases/sweep.ts';
import { sweepInbox } from '#lib/usecases/sweep-inbox.ts';
import { takeFromInbox } from '#lib/usecases/take-from-inbox.ts';

/** Judges the item that a message names (R4). An item that waits has its time in its row: the message is done with. */
export async function admitMessage({ instance, meter }: Runtime, body: string): Promise<void> {
  const { item_id } = expect('admit', parseMessage(body));
  meterAdmission(meter, await admit(instance)(item_id));
}

/** Writes the text of the domain that a message names (R5); asks again for what is too fresh, or takes another run. */
export async function recomputeMessage({ instance, meter }: Runtime, body: string): Promise<void> {
  const message = expect('recompute', parseMessage(body));
  const outcome = await recomputeDomain(instance)(message.domain_id);
  meterRecompute(meter, outcome);
  if (outcome.kind === 'waits') await instance.queue.send(message, outcome.waits_ms);
  if (outcome.kind === 'unfinished') await instance.queue.send(message);
}

/** Takes in the files that a notification tells of (R3.1). All are tried; the first fault is thrown at the end. */
export async function inboxMessage(
  { instance, inbox_rules }: Runtime,
  body: string,
  request_id: string,
): Promise<void> {
  const take = takeFromInbox(instance, inbox_rules);
  const outcomes = await Promise.allSettled(
    droppedKeys(body).map((key) => take(fromS3Notification(key), request_id)),
  );
  const failed = outcomes.find(({ status }) => status === 'rejected');
  if (failed?.status === 'rejected') throw failed.reason;
}

/** One pass of the sweep, files left in the inbox included (R4.8); the first one of a deployment prepares the tables. */
export async function sweepOnce(runtime: Runtime, request_id: string): Promise<void> {
  const { instance, inbox_rules, prepare } = runtime;
  await instance.projections.pointer().catch(async (error: unknown) => {
    if (!(error instanceof KnowHubError && error.code === 'not_prepared')) throw error;
    await prepare();
  });
  const report = await sweep(instance)();
  const files = await sweepInbox(instance, inbox_rules)(request_id);
  instance.log.info('swept', { ...report, files: files.length });
}

function expect<Type extends Message['type']>(
  type: Type,
  message: Message,
): Extract<Message, { type: Type }> {
  if (message.type !== type)
    throw new Error(`a message of type ${message.type} lies in the queue of ${type}`);
  return message as Extract<Message, { type: Type }>;
}
