import type { Ports } from '#lib/ports.ts';

/** One call through a port, e.g. `ledger.put`. */
export interface Call {
  port: keyof Ports;
  method: string;
  args: readonly unknown[];
}

/** Decides when a call is made, how often, and what its caller hears of it. */
export type Gate = (call: Call, perform: () => Promise<unknown>) => Promise<unknown>;

/** Not the outside world, or without an answer that could be lost. */
const OPEN: ReadonlySet<keyof Ports> = new Set(['random', 'log']);

/** The same ports with every call going through the gate: the switch for the faults of `cases/crash.md`. */
export function gatePorts(ports: Ports, gate: Gate): Ports {
  const gated = Object.entries(ports).map(([name, port]) => {
    const key = name as keyof Ports;
    return [name, OPEN.has(key) ? port : gatePort(key, port, gate)];
  });
  return Object.fromEntries(gated) as Ports;
}

function gatePort(port: keyof Ports, target: object, gate: Gate): object {
  return new Proxy(target, {
    get(object, method: string) {
      const member: unknown = Reflect.get(object, method);
      if (typeof member !== 'function' || (port === 'clock' && method === 'now')) return member;
      return (...args: unknown[]) =>
        gate({ port, method, args }, async () => Reflect.apply(member, object, args));
    },
  });
}
