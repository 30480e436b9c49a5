import type { SessionRow } from '#lib/core/rows.ts';
import { afterClaim, claimHolds, currentSession } from '#lib/core/session.ts';
import type { Sessions } from '#lib/ports.ts';

export function createMemorySessions(): Sessions {
  const rows = new Map<string, SessionRow>();
  return {
    async get(key) {
      return structuredClone(rows.get(key));
    },
    async claim(key, claim) {
      const row = currentSession(rows.get(key), claim.now);
      if (!claimHolds(row, claim)) return false;
      rows.set(key, structuredClone(afterClaim(row, key, claim)));
      return true;
    },
    async forget(key) {
      rows.delete(key);
    },
  };
}
