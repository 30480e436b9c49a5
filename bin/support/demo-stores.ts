import { createMemoryPorts } from '#lib/adapters/memory/memory.ts';
import { createLocalSystem, type LocalSystem } from './local-instance.ts';
import { memoryWork } from './work-queue.ts';

export const STORES = ['emulated', 'memory'] as const;
export type StoresKind = (typeof STORES)[number];

/** On what the demo runs. */
export interface DemoStores {
  kind: StoresKind;
  /** One more knowledge base, empty. */
  open(): Promise<LocalSystem>;
  /** Ends them; nothing of them stays. */
  close(): Promise<void>;
}

/** Runs `work` on stores of its own. */
export async function onStores<Answer>(
  kind: StoresKind,
  work: (stores: DemoStores) => Promise<Answer>,
): Promise<Answer> {
  const stores = kind === 'memory' ? memoryStores : await emulatedStores();
  try {
    return await work(stores);
  } finally {
    await stores.close();
  }
}

/** Who stays in memory loads no AWS SDK. */
const emulatedStores = async (): Promise<DemoStores> =>
  (await import('./emulated-stores.ts')).startEmulatedStores();

const memoryStores: DemoStores = {
  kind: 'memory',
  open: async () =>
    createLocalSystem((clock) => {
      const ports = createMemoryPorts({ clock });
      return { ports, work: memoryWork(ports.queue) };
    }),
  close: async () => undefined,
};
