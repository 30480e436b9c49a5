import { createMemoryEvaluations } from '#lib/adapters/memory/evaluations.ts';
import { evaluationsContract } from '#test/contract/evaluations.contract.ts';

evaluationsContract('evaluations in memory', async () => createMemoryEvaluations());
