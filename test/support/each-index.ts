import { test } from 'vitest';
import type { SearchIndex } from '#lib/ports.ts';

let names = 0;

/** Tests of the engine that `make` opens; each has an index of its own, `physical`, which is dropped in the end. */
export const eachIndex =
  (engine: string, make: () => Promise<SearchIndex>) =>
  (behaviour: string, check: (index: SearchIndex, physical: string) => Promise<void>): void =>
    test(`${engine}: ${behaviour}`, async () => {
      const index = await make();
      const physical = `knowledge-contract-${Date.now().toString(36)}-${++names}`;
      await index.create(physical);
      try {
        await check(index, physical);
      } finally {
        await index.drop(physical);
      }
    });
