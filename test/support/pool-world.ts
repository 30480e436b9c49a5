import type { Ports } from '#lib/ports.ts';
import { createInstance, type Instance } from '#lib/usecases/instance.ts';
import { lookup } from '#lib/usecases/lookup.ts';
import { createLookupWorld, type LookupWorld } from '#test/support/lookup-fixture.ts';

export const caller = { principal: 'agent:executor', scopes: [] as string[] };

/** A lookup by that caller. */
export const ask = (instance: Instance, input: object, scopes: string[] = []) =>
  lookup(instance)({ ...caller, scopes }, input);

/** The same stores, with some ports answering otherwise. */
export const withPorts = ({ ports }: LookupWorld, other: Partial<Ports>) =>
  createInstance({ ...ports, ...other });

export const POOL = {
  path: 'infra/pool.md',
  title: 'Connection pool',
  keywords: ['pool'],
  covers: ['pool sizing'],
  when_to_retrieve: 'When connections run out.',
  body: '# Connection pool\n\nAbout pools.\n\n## Size\n\nTwice the number of processor cores.\n',
};

/** A knowledge base with one document. */
export async function poolWorld(options: Parameters<typeof createLookupWorld>[0] = {}) {
  const world = await createLookupWorld(options);
  return { ...world, id: await world.store(POOL) };
}
