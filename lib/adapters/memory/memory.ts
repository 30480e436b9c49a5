import { createMemoryBodies } from '#lib/adapters/memory/bodies.ts';
import { createMemoryDomains } from '#lib/adapters/memory/domains.ts';
import { createMemoryEvaluations } from '#lib/adapters/memory/evaluations.ts';
import { createMemoryInbox } from '#lib/adapters/memory/inbox.ts';
import { createMemoryItems } from '#lib/adapters/memory/items.ts';
import { createMemoryLedger } from '#lib/adapters/memory/ledger.ts';
import { createMemoryMirror } from '#lib/adapters/memory/mirror.ts';
import { createMemoryPaths } from '#lib/adapters/memory/paths.ts';
import { createMemoryProjections } from '#lib/adapters/memory/projections.ts';
import { createMemoryQueue, type MemoryQueue } from '#lib/adapters/memory/queue.ts';
import { createMemoryRelations } from '#lib/adapters/memory/relations.ts';
import { createMemorySearchIndex } from '#lib/adapters/memory/search-index.ts';
import { createMemorySessions } from '#lib/adapters/memory/sessions.ts';
import { createMemorySnapshots } from '#lib/adapters/memory/snapshots.ts';
import { systemClock, systemRandom } from '#lib/adapters/memory/system.ts';
import { createMemoryVectors } from '#lib/adapters/memory/vectors.ts';
import { createStandinModel } from '#lib/adapters/standin/model.ts';
import type { Clock, Log, Model, Ports, Random } from '#lib/ports.ts';

export interface MemoryPorts extends Ports {
  queue: MemoryQueue;
}

const silent: Log = { debug: () => undefined, info: () => undefined, warn: () => undefined };

/** Everything outside, in this process; gone when it ends. Models are stand-ins unless one is passed. */
export function createMemoryPorts(
  options: { clock?: Clock; random?: Random; model?: Model; log?: Log } = {},
): MemoryPorts {
  const clock = options.clock ?? systemClock;
  return {
    clock,
    random: options.random ?? systemRandom,
    ledger: createMemoryLedger(),
    items: createMemoryItems(),
    bodies: createMemoryBodies(clock),
    vectors: createMemoryVectors(),
    paths: createMemoryPaths(),
    projections: createMemoryProjections(),
    relations: createMemoryRelations(),
    evaluations: createMemoryEvaluations(),
    domains: createMemoryDomains(),
    mirror: createMemoryMirror(),
    inbox: createMemoryInbox(clock),
    index: createMemorySearchIndex({ clock }),
    sessions: createMemorySessions(),
    snapshots: createMemorySnapshots(),
    queue: createMemoryQueue(clock),
    model: options.model ?? createStandinModel(),
    log: options.log ?? silent,
  };
}
