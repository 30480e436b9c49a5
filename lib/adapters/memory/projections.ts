import { type ProjectionRow, SWEEP_LEASE } from '#lib/core/rows.ts';
import type { Projections } from '#lib/ports.ts';

const INDEX_PROJECTION = 'index';

export function createMemoryProjections(): Projections {
  const rows = new Map<string, ProjectionRow>(
    ['records', 'mirror', INDEX_PROJECTION, SWEEP_LEASE].map((name) => [
      name,
      { name, physical: '', W: 0, parked: [] },
    ]),
  );
  const write = (name: string, token: string, seen: ProjectionRow, next: Partial<ProjectionRow>) => {
    const row = rows.get(name);
    if (!row || row.lease?.token !== token || row.W !== seen.W || row.physical !== seen.physical)
      return false;
    rows.set(name, { ...row, ...next });
    return true;
  };
  return {
    async pointer() {
      return INDEX_PROJECTION;
    },
    async get(name) {
      return rows.get(name);
    },
    async getMany(names) {
      return names.map((name) => rows.get(name)).filter((row) => row !== undefined);
    },
    async takeLease(name, lease, expired_before, not_after) {
      const row = rows.get(name);
      const held = row?.lease && row.lease.at >= expired_before && row.lease.at <= not_after;
      if (!row || (held && row.lease?.token !== lease.token)) return undefined;
      rows.set(name, { ...row, lease });
      return rows.get(name);
    },
    async releaseLease(name, token) {
      const row = rows.get(name);
      if (row?.lease?.token === token) rows.set(name, { ...row, lease: undefined });
    },
    async advance(name, token, seen, { W, parked, release }) {
      return write(name, token, seen, { W, parked, ...(release && { lease: undefined }) });
    },
    async rebase(name, token, seen, physical) {
      return write(name, token, seen, { W: 0, physical, parked: [] });
    },
  };
}
