import { InvalidInput } from '#lib/core/errors.ts';
import { LIMITS, utf8Bytes } from '#lib/core/limits.ts';

/** A document's identity, taken apart (R3.7). `path` is `{category}/{filename}`, all three in NFC. */
export interface DocumentName {
  category: string;
  filename: string;
  path: string;
}

/** What a key in the inbox stands for (R3.1); `key` is the object's own, decoded, to read and delete it by. */
export type InboxName =
  | ({ kind: 'document'; key: string } & DocumentName)
  | { kind: 'quarantine'; key: string; reason: string }
  | { kind: 'ignored'; key: string };

const INBOX = 'inbox/';
const ROUTE = '/api/documents/';

/** Control characters, line and paragraph separators, and halves of characters, which UTF-8 cannot carry. */
const UNPRINTABLE = /[\p{Cc}\p{Cs}\u2028\u2029]/u;
const VISIBLE = /[^\s\p{Cc}\p{Cf}]/u;
const MARKDOWN = /\.(md|markdown)$/i;

/** Whether a text shows nothing: white space, control and format characters only (R3.7). */
export function isBlank(text: string): boolean {
  return !VISIBLE.test(text);
}

/** The text of UTF-8 bytes, a byte-order mark included so that they round-trip; `undefined` when they are not UTF-8. */
export function decodeUtf8(bytes: Uint8Array): string | undefined {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    return undefined;
  }
}

function checked(field: string, value: string, limit: number): string {
  const name = value.normalize('NFC');
  if (isBlank(name)) throw new InvalidInput(field, `${field} is blank`);
  if ([...name].length > limit) throw new InvalidInput(field, `${field} is longer than ${limit} characters`);
  if (UNPRINTABLE.test(name)) throw new InvalidInput(field, `${field} contains a control character`);
  if (/[/\\]/.test(name)) throw new InvalidInput(field, `${field} contains a slash or backslash`);
  if (name === '.' || name === '..') throw new InvalidInput(field, `${field} is a relative folder`);
  if (name.trim() !== name) throw new InvalidInput(field, `${field} begins or ends with a blank`);
  return name;
}

/** A category, or an entry's domain, in NFC (R3.7). Throws `InvalidInput` that names `field`. */
export function categoryName(category: string, field = 'category'): string {
  const name = checked(field, category, LIMITS.category);
  // A session counts fruitless searches without a domain under `*` (R6.6).
  if (name === '*') throw new InvalidInput(field, `${field} "*" stands for no domain`);
  return name;
}

/** Path of a document, in NFC (R3.7). Throws `InvalidInput` that names `category` or `filename`. */
export function documentPath(category: string, filename: string): string {
  const folder = categoryName(category);
  const name = checked('filename', filename, LIMITS.filename);
  if (!MARKDOWN.test(name)) throw new InvalidInput('filename', 'filename does not end in .md or .markdown');
  const path = `${folder}/${name}`;
  if (utf8Bytes(path) > LIMITS.path_bytes) {
    throw new InvalidInput('filename', `path is longer than ${LIMITS.path_bytes} bytes`);
  }
  return path;
}

function taken(category: string, filename: string): DocumentName {
  const path = documentPath(category, filename);
  const slash = path.indexOf('/');
  return { category: path.slice(0, slash), filename: path.slice(slash + 1), path };
}

/** What an S3 key, as EventBridge and list calls deliver it (plain), stands for (R3.1, R3.7). */
export function fromEventBridge(key: string): InboxName {
  if (!key.startsWith(INBOX) || key.endsWith('/')) return { kind: 'ignored', key };
  const segments = key.slice(INBOX.length).split('/');
  const [category, filename] = segments;
  if (category === undefined || filename === undefined) {
    return { kind: 'quarantine', key, reason: 'category: the file lies in no category folder' };
  }
  if (segments.length > 2) {
    return { kind: 'quarantine', key, reason: 'filename: folders inside a category are not read' };
  }
  try {
    return { kind: 'document', key, ...taken(category, filename) };
  } catch (error) {
    if (error instanceof InvalidInput) {
      return { kind: 'quarantine', key, reason: `${error.field}: ${error.message}` };
    }
    throw error;
  }
}

/** What a key of an S3 notification stands for: form-encoded, so `+` is a blank and percent is decoded once (R3.7). */
export function fromS3Notification(key: string): InboxName {
  const plain = decoded(key.replaceAll('+', ' '));
  if (plain === undefined) {
    return { kind: 'quarantine', key, reason: 'key: its percent-encoding is not UTF-8' };
  }
  return fromEventBridge(plain);
}

/** Path of the document that a URL path names, with or without `/api/documents/`; `+` stays (R3.7). Throws `InvalidInput`. */
export function fromUrl(url: string): string {
  const plain = decoded(url.startsWith(ROUTE) ? url.slice(ROUTE.length) : url) ?? '';
  const slash = plain.indexOf('/');
  if (slash < 0) throw new InvalidInput('path', 'path is not {category}/{filename}, percent-encoded');
  return documentPath(plain.slice(0, slash), plain.slice(slash + 1));
}

function decoded(text: string): string | undefined {
  try {
    return decodeURIComponent(text);
  } catch {
    return undefined;
  }
}

/** Id of an item made at this second: `knowledge-YYYYMMDD-HHMMSS-xxxxxxxx`, UTC (R2.1). */
export function itemId(epochSeconds: number, hex8: string): string {
  const second = new Date(Math.floor(epochSeconds) * 1000).toISOString().slice(0, 19);
  return `knowledge-${second.replaceAll(/[-:]/g, '').replace('T', '-')}-${hex8}`;
}
