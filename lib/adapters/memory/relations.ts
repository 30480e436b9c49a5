import type { RelationRow } from '#lib/core/rows.ts';
import type { Relations } from '#lib/ports.ts';

export function createMemoryRelations(): Relations {
  const rows = new Map<string, RelationRow>();
  const select = (matches: (row: RelationRow) => boolean) =>
    [...rows.values()].filter((row) => !row.erased && matches(row));
  return {
    async put(row) {
      const key = JSON.stringify([row.from, row.type, row.to]);
      if ((rows.get(key)?.pos ?? 0) < row.pos) rows.set(key, Object.freeze({ ...row }));
    },
    async of(id) {
      return select(({ from, to }) => from === id || to === id);
    },
    async byType(type) {
      return select((row) => row.type === type || row.reverse === type);
    },
    async types() {
      const types = select(() => true).flatMap(({ type, reverse }) => [type, reverse]);
      return [...new Set(types)].filter((type) => type !== 'none').sort();
    },
  };
}
