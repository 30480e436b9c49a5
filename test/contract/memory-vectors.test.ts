import { createMemoryVectors } from '#lib/adapters/memory/vectors.ts';
import { vectorsContract } from '#test/contract/vectors.contract.ts';

vectorsContract('vectors in memory', async () => createMemoryVectors());
