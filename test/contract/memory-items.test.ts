import { createMemoryItems } from '#lib/adapters/memory/items.ts';
import { itemsContract } from '#test/contract/items.contract.ts';

itemsContract('items in memory', async () => createMemoryItems());
