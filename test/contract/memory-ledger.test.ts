import { createMemoryLedger } from '#lib/adapters/memory/ledger.ts';
import { ledgerContract } from '#test/contract/ledger.contract.ts';

ledgerContract('ledger in memory', async () => createMemoryLedger());
