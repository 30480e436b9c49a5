import type { LookupReply } from '#lib/core/lookup-reply.ts';
import type { Settings } from '#lib/core/settings.ts';
import type { Ports } from '#lib/ports.ts';
import { createInstance } from '#lib/usecases/instance.ts';
import { lookup } from '#lib/usecases/lookup.ts';
import { between, countPorts, sumOf } from './counting-ports.ts';
import { N2_QUERIES } from './n2-session.ts';

/** One call of the replay: what came of it and what it cost. */
export interface ReplayedCall {
  query: string;
  domain: string | undefined;
  reply: LookupReply;
  store_calls: number;
  model_calls: number;
}

export interface Replay {
  calls: ReplayedCall[];
  /** Calls that brought documents, and calls that brought none. */
  served: number;
  stopped: number;
  /** Paths handed over, in order. */
  returned: string[];
  store_calls: number;
  model_calls: number;
  /** By service; none where the ports are in memory. */
  aws_requests: Readonly<Record<string, number>>;
  took_ms: number;
}

/**
 * Replays the recorded session of note N2 (R6.6) against what the ports hold, in a session of its own. The function is
 * cold: the first call that needs the catalog reads it.
 */
export async function replayN2(
  ports: Ports,
  options: { session_id: string; name_domain: boolean; settings?: Partial<Settings> },
): Promise<Replay> {
  const { ports: counted, counts } = countPorts(ports);
  const ask = lookup(createInstance(counted, options.settings));
  const calls: ReplayedCall[] = [];
  for (const { query, domain } of N2_QUERIES) {
    const before = counts();
    const named = options.name_domain ? { domain } : {};
    const reply = await ask(
      { principal: 'agent:executor', scopes: [] },
      { query, session_id: options.session_id, ...named },
    );
    const made = between(before, counts());
    const cost = { store_calls: sumOf(made.ports), model_calls: sumOf(made.models) };
    calls.push({ query, domain: options.name_domain ? domain : undefined, reply, ...cost });
  }
  const sum = (read: (call: ReplayedCall) => number) => calls.reduce((total, call) => total + read(call), 0);
  const served = calls.filter(({ reply }) => reply.documents.length > 0);
  return {
    calls,
    served: served.length,
    stopped: calls.length - served.length,
    returned: served.flatMap(({ reply }) => reply.documents.map(({ path }) => path)),
    store_calls: sum(({ store_calls }) => store_calls),
    model_calls: sum(({ model_calls }) => model_calls),
    aws_requests: counts().aws,
    took_ms: sum(({ reply }) => reply.took_ms),
  };
}
