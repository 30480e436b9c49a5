import type { Entry } from '#lib/core/entry.ts';
import type { Ledger } from '#lib/ports.ts';

export function createMemoryLedger(): Ledger {
  const entries: Entry[] = [];
  return {
    async put(entry) {
      if (entry.position <= entries.length) return false;
      // A put beyond the head would leave a gap for good, and no caller of the protocol makes one.
      if (entry.position !== entries.length + 1)
        throw new Error(`position ${entry.position} is beyond the head`);
      entries.push(Object.freeze({ ...entry }));
      return true;
    },
    async readAfter(position, limit) {
      return entries.slice(position, position + limit);
    },
    async erase(position) {
      const entry = entries[position - 1];
      if (!entry) return;
      const { live: _, ...rest } = entry;
      entries[position - 1] = Object.freeze({ ...rest, erased: true });
    },
  };
}
