import { createMemoryMirror } from '#lib/adapters/memory/mirror.ts';
import { mirrorContract } from '#test/contract/mirror.contract.ts';

mirrorContract('mirror in memory', async () => createMemoryMirror());
