import type { DomainRow } from '#lib/core/rows.ts';
import type { Domains } from '#lib/ports.ts';

/** The Domains port in memory. Rows are frozen: a reader keeps what it read. */
export function createMemoryDomains(): Domains {
  const rows = new Map<string, DomainRow>();
  const parts = new Map<string, { key: string; text: string }>();
  const write = (row: DomainRow) => rows.set(row.domain_id, Object.freeze({ ...row }));
  const partKey = (domain_id: string, n: number) => JSON.stringify([domain_id, n]);
  return {
    async get(domain_id) {
      return rows.get(domain_id);
    },
    async list() {
      return [...rows.values()];
    },
    async markDirty(domain_id, position, now) {
      const row = rows.get(domain_id) ?? newRow(domain_id, now);
      if (position <= row.dirty_position) return;
      const was_dirty = row.dirty_position > row.computed_position;
      write({ ...row, dirty_position: position, dirty_at: was_dirty ? row.dirty_at : now });
    },
    async claim(domain_id, claim, expired_before, not_after) {
      const row = rows.get(domain_id);
      if (!row) return undefined;
      const held = row.claim && row.claim.at >= expired_before && row.claim.at <= not_after;
      if (held && row.claim?.token !== claim.token) return undefined;
      write({ ...row, claim });
      return rows.get(domain_id);
    },
    async release(domain_id, token) {
      const row = rows.get(domain_id);
      if (row?.claim?.token === token) write({ ...row, claim: undefined });
    },
    async save(domain_id, token, text) {
      const row = rows.get(domain_id);
      if (!row || row.computed_position >= text.computed_position) return false;
      write({ ...row, ...text, claim: row.claim?.token === token ? undefined : row.claim });
      return true;
    },
    async part(domain_id, n) {
      return parts.get(partKey(domain_id, n));
    },
    async savePart(domain_id, n, part) {
      parts.set(partKey(domain_id, n), Object.freeze({ ...part }));
    },
  };
}

const newRow = (domain_id: string, now: number): DomainRow => ({
  domain_id,
  description: '',
  when_to_retrieve: '',
  model: '',
  dirty_position: 0,
  computed_position: 0,
  dirty_at: now,
  created_at: Math.floor(now / 1000),
  updated_at: Math.floor(now / 1000),
});
