import { BatchProcessor, EventType, processPartialResponse } from '@aws-lambda-powertools/batch';
import middy from '@middy/core';
import type { SQSBatchResponse, SQSEvent, SQSRecord } from 'aws-lambda';
import { KnowHubError } from '#lib/core/errors.ts';
import type { GatewayEvent, GatewayReply } from '#lib/runtime/http.ts';
import { withLogFields } from '#lib/runtime/logger.ts';
import { once } from '#lib/runtime/once.ts';
import type { Route } from '#lib/runtime/route.ts';
import { createRouter } from '#lib/runtime/router.ts';
import type { Runtime } from '#lib/runtime/runtime.ts';

/** Does what one message asks for; what it throws is tried again, and in the end lies in the dead-letter queue. */
export type Work = (runtime: Runtime, body: string, request_id: string) => Promise<void>;

/**
 * HTTP events: the router answers everything, faults included. The routes are named by the function that answers them:
 * those that answer none load none.
 */
export const httpStack = (
  runtime: () => Runtime,
  routes: readonly Route[] | ((made: Runtime) => readonly Route[]),
) => {
  const router = once(() => {
    const made = runtime();
    const { instance, ...rest } = made;
    return createRouter(instance, { ...rest, routes: typeof routes === 'function' ? routes(made) : routes });
  });
  return middy<GatewayEvent, GatewayReply>().handler(async (event: unknown) => router()(event));
};

/** Batches of an SQS queue: each message by itself, and only those that failed come again. */
export const queueStack = (runtime: () => Runtime, queue: string, work: Work) =>
  middy<SQSEvent, SQSBatchResponse>().handler(async (event: SQSEvent, context) =>
    // A processor keeps its batch's state.
    processPartialResponse(
      event,
      (record: SQSRecord) => message(runtime(), queue, record, work),
      new BatchProcessor(EventType.SQS),
      { context, throwOnFullBatchFailure: false },
    ),
  );

/** The schedule: nobody waits for an answer; what is thrown shows as the function's error. */
export const scheduleStack = (
  runtime: () => Runtime,
  work: (runtime: Runtime, request_id: string) => Promise<void>,
) =>
  middy<unknown, void>().handler(async (_event: unknown, { awsRequestId }) => {
    const made = runtime();
    return withLogFields({ request_id: awsRequestId }, () => work(made, awsRequestId));
  });

/** A function with two triggers: an event says by its shape which of them it is. */
export const byTrigger =
  <Queue, Http, Context>(triggers: {
    queue: (event: SQSEvent, context: Context) => Queue;
    http: (event: GatewayEvent, context: Context) => Http;
  }) =>
  (event: SQSEvent | GatewayEvent, context: Context): Queue | Http =>
    isQueueEvent(event) ? triggers.queue(event, context) : triggers.http(event, context);

const isQueueEvent = (event: SQSEvent | GatewayEvent): event is SQSEvent =>
  'Records' in event && Array.isArray(event.Records);

async function message(runtime: Runtime, queue: string, record: SQSRecord, work: Work): Promise<void> {
  const { log, meter, instance, max_receives } = runtime;
  const { SentTimestamp, ApproximateReceiveCount } = record.attributes;
  const receives = Number(ApproximateReceiveCount);
  meter('QueueAge', Math.max(0, instance.clock.now() - Number(SentTimestamp)), queue);
  await withLogFields({ request_id: record.messageId, queue }, async () => {
    try {
      await work(runtime, record.body, record.messageId);
    } catch (error) {
      const last = receives >= max_receives;
      if (last) meter('DeadLetters', 1, queue);
      const passing = error instanceof KnowHubError && error.retryable;
      if (passing && !last) log.warn('message failed, it comes again', { receives, why: error.message });
      else log.error('message failed', { receives, dead_letter: last }, error);
      throw error;
    }
  });
}
