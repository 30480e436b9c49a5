import * as z from 'zod';
import type { SectionVector } from '#lib/core/rows.ts';

const Header = z.array(
  z.object({ heading: z.string(), text: z.string(), dimensions: z.number().int().min(0) }),
);

const LENGTH_BYTES = 4;
const FLOAT_BYTES = 4;

/**
 * Sections as bytes: the length of a JSON header (32 bits, little-endian), the header `[{heading, text, dimensions}]`,
 * then all vectors as float32, little-endian. A third of the size of JSON, and exact.
 */
export function encodeSections(sections: readonly SectionVector[]): Uint8Array {
  const header = new TextEncoder().encode(
    JSON.stringify(
      sections.map(({ heading, text, vector }) => ({ heading, text, dimensions: vector.length })),
    ),
  );
  const numbers = sections.flatMap(({ vector }) => vector);
  const bytes = new Uint8Array(LENGTH_BYTES + header.length + numbers.length * FLOAT_BYTES);
  const view = new DataView(bytes.buffer);
  view.setUint32(0, header.length, true);
  bytes.set(header, LENGTH_BYTES);
  const start = LENGTH_BYTES + header.length;
  for (const [n, number] of numbers.entries()) view.setFloat32(start + n * FLOAT_BYTES, number, true);
  return bytes;
}

/** Reads what `encodeSections` wrote. Throws on anything else. */
export function decodeSections(bytes: Uint8Array): SectionVector[] {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const start = LENGTH_BYTES + view.getUint32(0, true);
  const header = Header.parse(JSON.parse(new TextDecoder().decode(bytes.subarray(LENGTH_BYTES, start))));
  let at = start;
  return header.map(({ heading, text, dimensions }) => {
    const vector = Array.from({ length: dimensions }, (_, n) => view.getFloat32(at + n * FLOAT_BYTES, true));
    at += dimensions * FLOAT_BYTES;
    return { heading, text, vector };
  });
}
