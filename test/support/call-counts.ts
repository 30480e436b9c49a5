import type { MemoryPorts } from '#lib/adapters/memory/memory.ts';
import { between, countPorts, sumOf } from '../../bin/support/counting-ports.ts';

/** How often each call was made since the last reset, by `port.call`, e.g. `sessions.get`. */
export interface CallCounts {
  /** Calls to stores and the index: what would be AWS calls. */
  stores(): number;
  models(): number;
  of(call: string): number;
  reset(): void;
}

/** The same ports, counted; the queue is left out. */
export function countCalls(ports: MemoryPorts): { ports: MemoryPorts; counts: CallCounts } {
  const counted = countPorts(ports);
  let start = counted.counts();
  const made = () => between(start, counted.counts());
  return {
    ports: { ...counted.ports, queue: ports.queue },
    counts: {
      stores: () => sumOf(made().ports),
      models: () => sumOf(made().models),
      of: (call) => (call === 'model.embed' ? made().models.embed : made().ports[call]) ?? 0,
      reset: () => {
        start = counted.counts();
      },
    },
  };
}
