/**
 * What one piece of knowledge may measure (R3.7, R2.3). Plain names count code points, `_bytes` UTF-8 bytes, and the
 * plurals entries of a list. Summary, sentence and owner have no limit in the specification: theirs keep an item's row
 * and the prompts that it lands in small.
 */
export const LIMITS = {
  category: 64,
  filename: 200,
  /** S3 refuses keys over 1,024 bytes; the longest prefix and suffix that a path gets take 24. */
  path_bytes: 1000,
  title: 200,
  keywords: 50,
  keyword: 64,
  covers: 20,
  cover: 64,
  summary: 2000,
  when_to_retrieve: 1000,
  owner: 128,
  /** A domain's description. */
  description: 256,
  metadata_bytes: 64 * 1024,
  document_bytes_api: 1024 * 1024,
  document_bytes_inbox: 10 * 1024 * 1024,
  entry_bytes: 32 * 1024,
  /** An entry's `tags`, and its `source`, as JSON: a row of DynamoDB has 400 KB, and a decision must still fit. */
  extras_bytes: 16 * 1024,
} as const;

const encoder = new TextEncoder();

/** Size of a text in UTF-8 bytes. */
export function utf8Bytes(text: string): number {
  return encoder.encode(text).length;
}

/** The first `codePoints` characters of a text; never half a character. */
export function cut(text: string, codePoints: number): string {
  if (text.length <= codePoints) return text;
  let end = 0;
  for (let count = 0; count < codePoints; count += 1) {
    end += (text.codePointAt(end) ?? 0) > 0xffff ? 2 : 1;
  }
  return text.slice(0, end);
}
