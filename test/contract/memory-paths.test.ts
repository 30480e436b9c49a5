import { createMemoryPaths } from '#lib/adapters/memory/paths.ts';
import { pathsContract } from '#test/contract/paths.contract.ts';

pathsContract('paths in memory', async () => createMemoryPaths());
