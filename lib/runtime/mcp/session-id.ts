import { createHmac, timingSafeEqual } from 'node:crypto';
import type { Random } from '#lib/ports.ts';

/** Hex digits of each half of an id. */
const DIGITS = 32;
const ID = new RegExp(`^([0-9a-f]{${DIGITS}})-([0-9a-f]{${DIGITS}})$`);

/**
 * Ids of MCP sessions: random, and signed for the caller that initialised. Any running function can tell its own from
 * made-up ones, another caller's and another deployment's, without a store: they are answered by 404, at which a client
 * initialises anew. What keeps callers apart is no signature, but the principal in the session's key (R6.7).
 */
export interface SessionIds {
  mint(random: Random): string;
  isOurs(id: string): boolean;
}

export function sessionIds(key: string, principal: string): SessionIds {
  const signed = (nonce: string): string =>
    createHmac('sha256', key)
      .update(JSON.stringify([principal, nonce]))
      .digest('hex')
      .slice(0, DIGITS);
  return {
    mint(random) {
      const nonce = random.hex(DIGITS);
      return `${nonce}-${signed(nonce)}`;
    },
    isOurs(id) {
      const [, nonce, signature] = ID.exec(id) ?? [];
      if (nonce === undefined || signature === undefined) return false;
      return timingSafeEqual(Buffer.from(signature), Buffer.from(signed(nonce)));
    },
  };
}
