import { type Call, gatePorts } from '#lib/adapters/memory/gate.ts';
import type { Completion, Ports } from '#lib/ports.ts';
import { countedIn, type Requests } from './aws-requests.ts';

/** How often what was called since the ports were made. */
export interface Counts {
  /** By `port.method`; neither clock nor models. */
  ports: Readonly<Record<string, number>>;
  /** Requests to AWS by service, e.g. `DynamoDB`; none where the ports are in memory. */
  aws: Readonly<Record<string, number>>;
  /** Model calls by kind: `embed`, or the name of the prompt, e.g. `judge-relations`. */
  models: Readonly<Record<string, number>>;
  /** Texts in the `embed` calls. */
  embedded_texts: number;
}

export interface CountedPorts {
  ports: Ports;
  /** What was counted up to now. */
  counts(): Counts;
}

/** The same ports, counted: what would be calls to AWS and to models (design, section 8). */
export function countPorts(ports: Ports): CountedPorts {
  const made = new Map<string, number>();
  const models = new Map<string, number>();
  const requests: Requests = new Map();
  let embedded_texts = 0;
  const gated = gatePorts(ports, (call, perform) => {
    if (call.port === 'model') {
      add(models, kindOf(call));
      if (call.method === 'embed') embedded_texts += (call.args[0] as readonly string[]).length;
    } else if (call.port !== 'clock') add(made, `${call.port}.${call.method}`);
    return countedIn(requests, perform);
  });
  return {
    ports: gated,
    counts: () => ({ ports: sorted(made), aws: sorted(requests), models: sorted(models), embedded_texts }),
  };
}

const add = (to: Map<string, number>, name: string): unknown => to.set(name, (to.get(name) ?? 0) + 1);

const kindOf = ({ method, args }: Call): string =>
  method === 'complete' ? (args[0] as Completion<unknown>).prompt.split('@')[0]! : method;

const sorted = (counts: ReadonlyMap<string, number>): Record<string, number> =>
  Object.fromEntries([...counts].sort(([a], [b]) => (a < b ? -1 : 1)));

/** What was called between two counts; what was not called is left out. */
export function between(before: Counts, after: Counts): Counts {
  const less = (a: Counts['ports'], b: Counts['ports']) =>
    Object.fromEntries(
      Object.entries(b)
        .map(([name, count]): [string, number] => [name, count - (a[name] ?? 0)])
        .filter(([, count]) => count > 0),
    );
  return {
    ports: less(before.ports, after.ports),
    aws: less(before.aws, after.aws),
    models: less(before.models, after.models),
    embedded_texts: after.embedded_texts - before.embedded_texts,
  };
}

export const sumOf = (counts: Readonly<Record<string, number>>): number =>
  Object.values(counts).reduce((sum, count) => sum + count, 0);

/** The counts of `port.method` summed by port, the busiest port first. */
export function byPort(calls: Counts['ports']): [string, number][] {
  const sums = new Map<string, number>();
  for (const [call, count] of Object.entries(calls)) {
    const port = call.split('.')[0]!;
    sums.set(port, (sums.get(port) ?? 0) + count);
  }
  return [...sums].sort(([a, m], [b, n]) => n - m || (a < b ? -1 : 1));
}
