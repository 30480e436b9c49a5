import { createMemoryProjections } from '#lib/adapters/memory/projections.ts';
import { projectionsContract } from '#test/contract/projections.contract.ts';

projectionsContract('projections in memory', async () => createMemoryProjections());
