import { createMemoryRelations } from '#lib/adapters/memory/relations.ts';
import { relationsContract } from '#test/contract/relations.contract.ts';

relationsContract('relations in memory', async () => createMemoryRelations());
