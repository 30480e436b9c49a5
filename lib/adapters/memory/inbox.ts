import type { Caller } from '#lib/core/caller.ts';
import { INBOX, type QuarantineReport, quarantineKeys } from '#lib/core/inbox.ts';
import type { Clock, Inbox } from '#lib/ports.ts';

interface Dropped {
  bytes: Uint8Array;
  etag: string;
  dropped_at: number;
  caller: Caller | undefined;
}

export interface MemoryInbox extends Inbox {
  /** Drops a file at the key, over what lies there. */
  drop(key: string, bytes: Uint8Array, caller?: Caller): void;
  /** Files in quarantine with their reports, by the file's key. */
  readonly quarantined: ReadonlyMap<string, { bytes: Uint8Array; report: QuarantineReport }>;
}

/** The Inbox port in memory. As on S3, the ETag is of the bytes alone. */
export function createMemoryInbox(clock: Pick<Clock, 'now'>): MemoryInbox {
  const files = new Map<string, Dropped>();
  const quarantined = new Map<string, { bytes: Uint8Array; report: QuarantineReport }>();
  return {
    quarantined,
    drop(key, bytes, caller) {
      const etag = JSON.stringify(Buffer.from(bytes).toString('base64'));
      files.set(key, { bytes, etag, dropped_at: clock.now(), caller });
    },
    async read(key, limit) {
      const file = files.get(key);
      if (file === undefined) return undefined;
      const { bytes, etag, caller } = file;
      return { etag, size: bytes.length, ...(bytes.length <= limit && { bytes }), ...(caller && { caller }) };
    },
    async remove(key, etag) {
      return files.get(key)?.etag === etag ? files.delete(key) : false;
    },
    async quarantine(key, etag, report) {
      const file = files.get(key);
      if (file?.etag !== etag) return false;
      quarantined.set(quarantineKeys(key).file, { bytes: file.bytes, report });
      return true;
    },
    async list(after, before, limit) {
      return [...files]
        .filter(([key, { dropped_at }]) => byBytes(key, after) > 0 && dropped_at < before)
        .map(([key]) => key)
        .filter((key) => key.startsWith(INBOX))
        .sort(byBytes)
        .slice(0, limit);
    },
    async ticket(key, caller, max_bytes) {
      return {
        url: 'memory:',
        fields: { key, caller: JSON.stringify(caller), max_bytes: String(max_bytes) },
      };
    },
  };
}

const byBytes = (a: string, b: string): number => Buffer.compare(Buffer.from(a), Buffer.from(b));
