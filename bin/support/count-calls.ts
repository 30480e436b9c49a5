import type { Ports } from '../../lib/ports.ts';

/** How often each call was made, by `port.call`, e.g. `sessions.get`. */
export interface CallCounts {
  /** Calls to stores, queues and the index: what would be AWS calls. */
  stores(): number;
  /** Calls to models. */
  models(): number;
  of(call: string): number;
  reset(): void;
}

const COUNTED = [
  'ledger',
  'items',
  'bodies',
  'vectors',
  'paths',
  'projections',
  'relations',
  'evaluations',
  'domains',
  'mirror',
  'index',
  'sessions',
  'queue',
  'model',
] as const satisfies (keyof Ports)[];

/** The same ports, counted: budgets are held in calls, not in milliseconds (design, section 8). */
export function countCalls<P extends Ports>(ports: P): { ports: P; counts: CallCounts } {
  const made = new Map<string, number>();
  const sum = (matches: (call: string) => boolean) =>
    [...made].filter(([call]) => matches(call)).reduce((total, [, times]) => total + times, 0);
  const counted = { ...ports };
  const count = <Name extends (typeof COUNTED)[number]>(name: Name) => {
    counted[name] = watch(name, ports[name], made);
  };
  for (const name of COUNTED) count(name);
  return {
    ports: counted,
    counts: {
      stores: () => sum((call) => !call.startsWith('model.')),
      models: () => sum((call) => call.startsWith('model.')),
      of: (call) => made.get(call) ?? 0,
      reset: () => made.clear(),
    },
  };
}

function watch<Port extends object>(name: string, port: Port, made: Map<string, number>): Port {
  return new Proxy(port, {
    get(target, key) {
      const value: unknown = Reflect.get(target, key, target);
      if (typeof value !== 'function') return value;
      return (...args: unknown[]) => {
        const call = `${name}.${String(key)}`;
        made.set(call, (made.get(call) ?? 0) + 1);
        return Reflect.apply(value, target, args);
      };
    },
  });
}
