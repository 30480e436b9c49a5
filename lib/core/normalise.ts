import { sha256 as digest } from '@noble/hashes/sha2.js';
import { bytesToHex, utf8ToBytes } from '@noble/hashes/utils.js';

/** A text as it counts for equality: NFKC, lower case, runs of white space as one blank, trimmed (R4.1). */
export function normalise(text: string): string {
  // Lower case can take a text out of its normal form again: `ǰ` is one character, its capital two.
  return text.normalize('NFKC').toLowerCase().normalize('NFKC').replace(/\s+/gu, ' ').trim();
}

/** SHA-256 of a text's UTF-8 bytes, in lower-case hex. */
export function sha256(text: string): string {
  return bytesToHex(digest(utf8ToBytes(text)));
}

/** The same for two items exactly when task and content are identical after normalisation (R4.1); lower-case hex. */
export function fingerprint(task: string, content: string): string {
  // JSON keeps the two apart whatever they contain, and lone surrogates too, which UTF-8 would make equal.
  return sha256(JSON.stringify([normalise(task), normalise(content)]));
}
