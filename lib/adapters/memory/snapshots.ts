import type { Snapshots } from '#lib/ports.ts';

/** The Snapshots port in memory. */
export function createMemorySnapshots(): Snapshots {
  const kept = new Map<string, { schema: number; position: number; bytes: Uint8Array }>();
  const keyOf = (schema: number, position: number) => `${schema}/${position}`;
  return {
    async list() {
      return [...kept.values()]
        .map(({ schema, position }) => ({ schema, position }))
        .sort((a, b) => a.schema - b.schema || a.position - b.position);
    },
    async get(schema, position) {
      return kept.get(keyOf(schema, position))?.bytes.slice();
    },
    async put(schema, position, bytes) {
      kept.set(keyOf(schema, position), { schema, position, bytes: bytes.slice() });
    },
    async remove(schema, position) {
      kept.delete(keyOf(schema, position));
    },
  };
}
