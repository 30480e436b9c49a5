import { createMemorySessions } from '#lib/adapters/memory/sessions.ts';
import { sessionsContract } from '#test/contract/sessions.contract.ts';

sessionsContract('R6.5 R6.6 R6.7 sessions in memory', async () => createMemorySessions());
