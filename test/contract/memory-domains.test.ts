import { describe } from 'vitest';
import { createMemoryDomains } from '#lib/adapters/memory/domains.ts';
import { domainsContract } from '#test/contract/domains.contract.ts';

describe('domains in memory', () => domainsContract(createMemoryDomains));
