import type { ItemRow } from '#lib/core/item.ts';
import { tombstone } from '#lib/core/tombstone.ts';
import type { Items } from '#lib/ports.ts';

export function createMemoryItems(): Items {
  const rows = new Map<string, ItemRow>();
  const set = (row: ItemRow) => {
    rows.set(row.id, Object.freeze(row));
    return true;
  };
  const select = (matches: (row: ItemRow) => boolean, limit: number) =>
    [...rows.values()]
      .filter(matches)
      .sort((a, b) => (a.next_at ?? 0) - (b.next_at ?? 0) || (a.id < b.id ? -1 : 1))
      .slice(0, limit)
      .map(({ id }) => id);

  return {
    async insert(row) {
      return rows.has(row.id) ? false : set({ ...row });
    },
    async get(id) {
      return rows.get(id);
    },
    async getMany(ids) {
      return ids.map((id) => rows.get(id)).filter((row) => row !== undefined);
    },
    async raiseSeq(id, seq) {
      const row = rows.get(id);
      if (!row) return 'absent';
      if (row.status !== 'received') return 'not_received';
      set({ ...row, path_seq: Math.max(row.path_seq ?? 0, seq) });
      return 'raised';
    },
    async accept(id, seq, next_at) {
      const row = rows.get(id);
      if (!row) return 'absent';
      if (row.status !== 'received') return 'not_received';
      if (row.path_seq !== seq) return 'other_seq';
      set({ ...row, status: 'pending', next_at });
      return 'accepted';
    },
    async dropReceived(id, seq) {
      const row = rows.get(id);
      return row?.status === 'received' && row.path_seq === seq ? rows.delete(id) : false;
    },
    async claim(id, claim, next_at) {
      const row = rows.get(id);
      if (row?.status !== 'pending') return { claimed: false, row };
      set({ ...row, status: 'processing', claim, next_at });
      return { claimed: true, row: rows.get(id) };
    },
    async release(id, token, next_at, failures) {
      const row = rows.get(id);
      if (row?.status !== 'processing' || row.claim?.token !== token) return false;
      const { claim: _, judge_failures, ...rest } = row;
      const counted = failures ?? judge_failures;
      return set({ ...rest, status: 'pending', next_at, ...(counted && { judge_failures: counted }) });
    },
    async postpone(id, seen, next_at) {
      const row = rows.get(id);
      return row?.status === 'pending' && row.next_at === seen ? set({ ...row, next_at }) : false;
    },
    async completeFields(id, fields, task, retry) {
      const row = rows.get(id);
      if (!row || row.status === 'removed' || row.fields.missing.length === 0) return false;
      const { fields_retry: _, ...rest } = row;
      return set({ ...rest, fields, task, ...(retry && { fields_retry: retry }) });
    },
    async applyDecision(id, position, decision, erase) {
      const row = rows.get(id);
      if (row && row.pos >= position) return false;
      if (!row || erase) return set(tombstone(id, position, decision));
      const { claim: _claim, judge_failures: _failures, next_at: _next, ...rest } = row;
      return set({
        ...rest,
        status: decision.status,
        attempt: decision.attempt,
        pos: position,
        decision,
        ...(decision.path_seq !== undefined && { path_seq: decision.path_seq }),
        ...(decision.next_at !== undefined && { next_at: decision.next_at }),
      });
    },
    async due(now, ahead, limit) {
      return select(({ status, next_at }) => {
        if ((status !== 'pending' && status !== 'processing') || next_at === undefined) return false;
        return next_at <= now || next_at > ahead[status];
      }, limit);
    },
    async received(created_before, limit) {
      return select(({ status, created_at }) => status === 'received' && created_at < created_before, limit);
    },
    async missingFields(now, ahead, limit) {
      return select(({ status, fields, fields_retry: { at } = { at: now } }) => {
        if (fields.missing.length === 0 || status === 'removed' || status === 'rejected') return false;
        return at <= now || at > ahead;
      }, limit);
    },
  };
}
