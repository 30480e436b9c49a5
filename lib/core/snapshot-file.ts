import * as z from 'zod';

export type Column = Uint8Array | Uint16Array | Uint32Array | Float64Array;

/** Named columns and what is said of them, as one piece of bytes. */
export interface SnapshotFile {
  /** Which meaning the columns have: a reader knows one, and takes no other. */
  schema: number;
  /** JSON. */
  about: unknown;
  columns: Readonly<Record<string, Column>>;
}

type Kind = 'u8' | 'u16' | 'u32' | 'f64';

const OPEN: Record<Kind, (buffer: ArrayBufferLike, offset: number, length: number) => Column> = {
  u8: (...place) => new Uint8Array(...place),
  u16: (...place) => new Uint16Array(...place),
  u32: (...place) => new Uint32Array(...place),
  f64: (...place) => new Float64Array(...place),
};

const Header = z.strictObject({
  about: z.unknown(),
  /** Of each column: kind, offset in bytes, number of values. */
  columns: z.record(
    z.string(),
    z.tuple([z.enum(['u8', 'u16', 'u32', 'f64']), z.int().min(0), z.int().min(0)]),
  ),
});

/** `KHcs` where the lowest byte comes first, as on every machine that Lambda or Node run on. */
const MAGIC = 0x7363_484b;
/** Magic, schema, checksum, length of the header. */
const PREAMBLE = 4;
const ALIGNED = 8;

const aligned = (length: number): number => Math.ceil(length / ALIGNED) * ALIGNED;

/**
 * Magic, schema, checksum of the rest and length of the header (32 bits each), the header as JSON, then the columns as
 * they lie in memory, each at a multiple of 8 bytes.
 */
export function encodeFile({ schema, about, columns }: SnapshotFile): Uint8Array<ArrayBuffer> {
  let end = 0;
  const places = Object.entries(columns).map(([name, column]) => {
    const place = { name, column, offset: end };
    end += aligned(column.byteLength);
    return place;
  });
  const listed = places.map(({ name, column, offset }) => [name, [kindOf(column), offset, column.length]]);
  const header = new TextEncoder().encode(JSON.stringify({ about, columns: Object.fromEntries(listed) }));
  const start = aligned(PREAMBLE * 4 + header.length);
  const bytes = new Uint8Array(start + end);
  bytes.set(header, PREAMBLE * 4);
  for (const { column, offset } of places)
    bytes.set(new Uint8Array(column.buffer, column.byteOffset, column.byteLength), start + offset);
  const preamble = new Uint32Array(bytes.buffer, 0, PREAMBLE);
  preamble.set([MAGIC, schema, 0, header.length]);
  preamble[2] = checksum(new Uint32Array(bytes.buffer));
  return bytes;
}

/** Throws where the bytes are damaged or of another schema. */
export function decodeFile(schema: number, bytes: Uint8Array): SnapshotFile {
  if (bytes.length < PREAMBLE * 4 || bytes.length % ALIGNED !== 0) throw new Error('it is cut short');
  // A copy, unless it lies at a place where numbers may lie. Not by `slice`: a Buffer's makes none.
  const whole = bytes.byteOffset % ALIGNED === 0 ? bytes : new Uint8Array(bytes);
  const words = new Uint32Array(whole.buffer, whole.byteOffset, whole.length / 4);
  const [magic, written, sum, length] = words as unknown as [number, number, number, number];
  if (magic !== MAGIC) throw new Error('it is no snapshot');
  if (written !== schema) throw new Error(`its schema is ${written}, known is ${schema}`);
  if (checksum(words) !== sum) throw new Error('it is damaged');
  const text = new TextDecoder().decode(whole.subarray(PREAMBLE * 4, PREAMBLE * 4 + length));
  const header = Header.parse(JSON.parse(text));
  const start = whole.byteOffset + aligned(PREAMBLE * 4 + length);
  const columns = Object.entries(header.columns).map(([name, [kind, offset, count]]) => [
    name,
    OPEN[kind](whole.buffer, start + offset, count),
  ]);
  return { schema, about: header.about, columns: Object.fromEntries(columns) };
}

function kindOf(column: Column): Kind {
  if (column instanceof Float64Array) return 'f64';
  if (column instanceof Uint32Array) return 'u32';
  return column instanceof Uint16Array ? 'u16' : 'u8';
}

/** Of all words but the checksum's own. */
function checksum(words: Uint32Array): number {
  let sum = 0x811c_9dc5;
  for (let n = 0; n < words.length; n++) if (n !== 2) sum = Math.imul(sum ^ words[n]!, 0x0100_0193);
  return sum >>> 0;
}
