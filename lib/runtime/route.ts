import type * as z from 'zod';
import type { Caller } from '#lib/core/caller.ts';
import { parseInput } from '#lib/core/parse-input.ts';
import type { GatewayEvent, GatewayReply } from '#lib/runtime/http.ts';
import type { Meter } from '#lib/runtime/metrics.ts';
import type { Instance } from '#lib/usecases/instance.ts';

export type Method = 'GET' | 'POST' | 'DELETE';

/** A request, taken apart and not yet checked. */
export interface RawInput {
  params: Record<string, string>;
  query: Record<string, unknown>;
  body: unknown;
  request_id: string;
}

export interface RouteSchemas {
  /** Parts of the path. */
  params?: z.ZodType | undefined;
  query?: z.ZodType | undefined;
  /** JSON, or with `lines` the text as it came. */
  body?: z.ZodType | undefined;
}

/** One route: what the router, the stack, the local server and `openapi.json` know of it. */
export interface Route extends RouteSchemas {
  method: Method;
  /** `{name}` is one segment, `{name+}` all that is left. */
  path: string;
  /** The function that answers it. */
  function: 'upload' | 'lookup' | 'mcp';
  summary: string;
  status: number;
  /** Another status for some outcomes. */
  also?: { status: number; when: (output: unknown) => boolean };
  /** Schema of the reply; none = no body. */
  output?: z.ZodType | undefined;
  /** Of the reply, where it is not JSON. */
  media?: string;
  body_format?: 'json' | 'lines';
  body_limit_bytes?: number;
  /** Where a request may state the caller's scopes, beside the header. */
  caller_scopes?: 'query' | 'body';
  answer(instance: Instance, meter: Meter): (caller: Caller, input: RawInput) => Promise<unknown>;
  /** In place of `answer`, for a protocol of its own: the request as it came, and the reply as it goes. */
  exchange?: Exchange;
}

export type Exchange = (caller: Caller, event: GatewayEvent, request_id: string) => Promise<GatewayReply>;

export interface RouteInput<Params, Query, Body> {
  params: Params;
  query: Query;
  body: Body;
  request_id: string;
}

type Definition<Params, Query, Body, Output> = Omit<
  Route,
  'params' | 'query' | 'body' | 'output' | 'also' | 'answer' | 'exchange'
> & {
  params?: z.ZodType<Params>;
  query?: z.ZodType<Query>;
  body?: z.ZodType<Body>;
  output?: z.ZodType<Output>;
  also?: { status: number; when: (output: Output) => boolean };
  use_case: (
    instance: Instance,
  ) => (caller: Caller, input: RouteInput<Params, Query, Body>) => Promise<Output>;
  /** Counts what the outcome says. */
  metered?: (meter: Meter, output: Output, input: RouteInput<Params, Query, Body>) => void;
};

/** A route whose input is parsed once, here, and whose use case sees nothing else. */
export function route<Params, Query, Body, Output>(
  definition: Definition<Params, Query, Body, Output>,
): Route {
  const { use_case, metered, also, ...rest } = definition;
  return {
    ...rest,
    ...(also && { also: { status: also.status, when: (output) => also.when(output as Output) } }),
    answer: (instance, meter) => async (caller, raw) => {
      const input = {
        params: parsed(rest.params, raw.params),
        query: parsed(rest.query, raw.query),
        body: parsed(rest.body, raw.body),
        request_id: raw.request_id,
      };
      const output = await use_case(instance)(caller, input);
      metered?.(meter, output, input);
      return output;
    },
  };
}

/** Where a route names no schema its use case sees nothing. */
const parsed = <Value>(schema: z.ZodType<Value> | undefined, value: unknown): Value =>
  schema === undefined ? (undefined as Value) : parseInput(schema, value);
