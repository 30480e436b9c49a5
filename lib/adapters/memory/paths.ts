import type { PathRow } from '#lib/core/rows.ts';
import type { Paths } from '#lib/ports.ts';

export function createMemoryPaths(): Paths {
  const rows = new Map<string, PathRow>();
  return {
    async get(path) {
      return rows.get(path);
    },
    async advance(seen, row) {
      if ((rows.get(row.path)?.seq ?? 0) !== seen) return false;
      rows.set(row.path, Object.freeze({ ...row }));
      return true;
    },
    async forget(path, id) {
      const row = rows.get(path);
      if (row?.latest_id !== id) return false;
      rows.set(path, Object.freeze({ ...row, latest_id: undefined, body_hash: undefined }));
      return true;
    },
  };
}
