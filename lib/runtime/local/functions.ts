import { randomUUID } from 'node:crypto';
import type { Context, SQSBatchResponse, SQSEvent } from 'aws-lambda';
import type { GatewayEvent, GatewayReply } from '#lib/runtime/http.ts';
import type { Wiring } from '#lib/runtime/local/template.ts';
import type { Runtime } from '#lib/runtime/runtime.ts';

type Handler = (event: never, context: Context) => Promise<unknown>;

/** A function's handler on a runtime, by the function's name. */
export type HandlerMakers = Readonly<Record<string, (runtime: () => Runtime) => Handler>>;

/** The functions of the wiring, as their triggers call them. What is under way can be waited for. */
export interface Functions {
  http(name: string, event: GatewayEvent): Promise<GatewayReply>;
  queue(name: string, event: SQSEvent): Promise<SQSBatchResponse | undefined>;
  schedule(name: string): Promise<void>;
  /** Until nothing is under way. */
  idle(): Promise<void>;
}

export function createFunctions(
  wiring: Pick<Wiring, 'functions'>,
  makers: HandlerMakers,
  runtimeOf: (name: string) => Runtime,
): Functions {
  const underway = new Set<Promise<unknown>>();
  const handlers = new Map(
    wiring.functions.map(({ name, timeout_s }) => {
      const make = makers[name];
      if (!make) throw new Error(`the template has a function "${name}" that the local run does not know`);
      const handler = make(() => runtimeOf(name));
      return [name, (event: unknown) => handler(event as never, contextOf(name, timeout_s * 1000))] as const;
    }),
  );
  const invoke = async (name: string, event: unknown): Promise<unknown> => {
    const handler = handlers.get(name);
    if (!handler) throw new Error(`the template has no function "${name}"`);
    const call = handler(event);
    underway.add(call);
    try {
      return await call;
    } finally {
      underway.delete(call);
    }
  };
  return {
    http: async (name, event) => (await invoke(name, event)) as GatewayReply,
    queue: async (name, event) => (await invoke(name, event)) as SQSBatchResponse | undefined,
    async schedule(name) {
      await invoke(name, { source: 'aws.scheduler' });
    },
    async idle() {
      while (underway.size > 0) await Promise.allSettled(underway);
    },
  };
}

function contextOf(name: string, timeout_ms: number): Context {
  const ends = Date.now() + timeout_ms;
  const id = randomUUID();
  return {
    awsRequestId: id,
    callbackWaitsForEmptyEventLoop: false,
    functionName: name,
    functionVersion: '$LATEST',
    invokedFunctionArn: `arn:aws:lambda:us-east-1:000000000000:function:${name}`,
    memoryLimitInMB: '1024',
    logGroupName: `/aws/lambda/${name}`,
    logStreamName: 'local',
    getRemainingTimeInMillis: () => ends - Date.now(),
    done: () => undefined,
    fail: () => undefined,
    succeed: () => undefined,
  };
}
