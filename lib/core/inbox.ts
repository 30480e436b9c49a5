import type { Caller } from '#lib/core/caller.ts';
import { utf8Bytes } from '#lib/core/limits.ts';
import { sha256 } from '#lib/core/normalise.ts';

/** A file that waits in the inbox. */
export interface InboxFile {
  etag: string;
  /** In bytes. */
  size: number;
  /** Absent when there are more than the reader wants. */
  bytes?: Uint8Array | undefined;
  /** Who was given the ticket that it came with; `undefined` when it was dropped without one. */
  caller?: Caller | undefined;
}

/** Why a file was not taken in: what lies beside it in quarantine as `{name}.error.json` (R3.1). */
export interface QuarantineReport {
  /** The key that it was dropped at. */
  key: string;
  why: string;
  field?: string | undefined;
  /** ISO 8601, UTC. */
  at: string;
  request_id: string;
}

/** A form for a browser or curl: the fields in this order, then the file as `file`, by POST as multipart/form-data. */
export interface UploadTicket {
  url: string;
  fields: Record<string, string>;
}

export const INBOX = 'inbox/';
const QUARANTINE = 'quarantine/';
const REPORT = '.error.json';
/** S3 refuses longer keys. */
const KEY_BYTES = 1024;

/** Where a file of the inbox and its report lie in quarantine. A name too long to carry the report's ending is hashed. */
export function quarantineKeys(key: string): { file: string; report: string } {
  const name = key.startsWith(INBOX) ? key.slice(INBOX.length) : key;
  const fits = utf8Bytes(QUARANTINE + name + REPORT) <= KEY_BYTES;
  const file = QUARANTINE + (fits ? name : `long-names/${sha256(name)}`);
  return { file, report: file + REPORT };
}
