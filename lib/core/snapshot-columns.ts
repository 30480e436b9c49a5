import type { Rows } from '#lib/core/overlay-table.ts';
import type { Column } from '#lib/core/snapshot-file.ts';

/** In place of a number or a text that is not there. */
export const NONE = 0xffff_ffff;

/** Texts in one piece, by number. A lone surrogate becomes U+FFFD, as in every store that keeps UTF-8. */
export interface Texts {
  readonly length: number;
  at(n: number): string;
}

/** Each text once. */
export interface Names extends Texts {
  /** -1 = it is none of them. */
  indexOf(text: string): number;
}

/** Lists of numbers in one piece, by row; or of groups of `width` numbers. */
export interface Lists {
  /** What is made of each group; `n` is the place of its first number in `values`. */
  map<Made>(row: number, make: (n: number) => Made, width?: number): Made[];
  values: Uint32Array | Float64Array;
}

type Columns = Readonly<Record<string, Column>>;

/** Takes columns by their names, and throws where one is missing or of another kind. */
export function columnReader(columns: Columns) {
  const take = <Kind extends Column>(name: string, kind: abstract new (...args: never[]) => Kind): Kind => {
    const column = columns[name];
    if (!(column instanceof kind)) throw new Error(`the column ${name} is missing`);
    return column;
  };
  const u32 = (name: string) => take(name, Uint32Array);
  const f64 = (name: string) => take(name, Float64Array);
  const textsOf = (name: string) => {
    // A byte-order mark belongs to the text.
    const decoder = new TextDecoder('utf-8', { ignoreBOM: true });
    const whole = decoder.decode(take(`${name}.bytes`, Uint8Array));
    const ends = u32(`${name}.ends`);
    if ((ends.at(-1) ?? 0) !== whole.length) throw new Error(`the texts ${name} do not add up`);
    const startOf = (n: number) => (n === 0 ? 0 : ends[n - 1]!);
    return {
      length: ends.length,
      at: (n: number) => whole.substring(startOf(n), ends[n]!),
      lengthAt: (n: number) => ends[n]! - startOf(n),
    };
  };
  return {
    u8: (name: string) => take(name, Uint8Array),
    u32,
    f64,
    texts: (name: string): Texts => textsOf(name),
    names(name: string): Names {
      const texts = textsOf(name);
      const slots = u32(`${name}.slots`);
      return {
        ...texts,
        indexOf(text) {
          for (let slot = hashOf(text); ; slot++) {
            const n = slots[slot & (slots.length - 1)]! - 1;
            if (n < 0) return -1;
            if (texts.lengthAt(n) === text.length && texts.at(n) === text) return n;
          }
        },
      };
    },
    lists(name: string, kind: 'u32' | 'f64' = 'u32'): Lists {
      const ends = u32(`${name}.ends`);
      const values = (kind === 'u32' ? u32 : f64)(`${name}.values`);
      return {
        values,
        map(row, make, width = 1) {
          const made = [];
          const end = ends[row]!;
          for (let n = row === 0 ? 0 : ends[row - 1]!; n < end; n += width) made.push(make(n));
          return made;
        },
      };
    },
    /** Rows whose keys are names: each name is at most one row's. */
    rows<Value>(names: Names, keys: Uint32Array, valueAt: (row: number) => Value): Rows<Value> {
      const row_of = new Uint32Array(names.length);
      keys.forEach((name, row) => {
        row_of[name] = row + 1;
      });
      return {
        length: keys.length,
        keyAt: (row) => names.at(keys[row]!),
        rowOf(key) {
          const name = names.indexOf(key);
          return name < 0 ? -1 : row_of[name]! - 1;
        },
        valueAt,
      };
    },
  };
}

/** Collects columns value by value; `finish` gives them out. An absent number is NaN among f64, `NONE` among u32. */
export function columnWriter() {
  const finishers: (() => [string, Column][])[] = [];
  const column = (name: string, kind: { from(values: number[]): Column }) => {
    const values: number[] = [];
    finishers.push(() => [[name, kind.from(values)]]);
    return values;
  };
  const adder = (name: string, kind: { from(values: number[]): Column }, absent: number) => {
    const values = column(name, kind);
    return (value: number | undefined): void => {
      values.push(value ?? absent);
    };
  };
  const pieces = (name: string) => {
    const list: string[] = [];
    finishers.push(() => {
      let end = 0;
      return [
        [`${name}.bytes`, new TextEncoder().encode(list.join(''))],
        [`${name}.ends`, Uint32Array.from(list, (text) => (end += text.length))],
      ];
    });
    return list;
  };
  return {
    u8: (name: string) => adder(name, Uint8Array, 0),
    u32: (name: string) => adder(name, Uint32Array, NONE),
    f64: (name: string) => adder(name, Float64Array, Number.NaN),
    /** Adds a text, and returns its number. */
    texts(name: string) {
      const list = pieces(name);
      return (text: string): number => list.push(text) - 1;
    },
    /** The number of a text, which is added where it is new; none for none. */
    names(name: string) {
      const list = pieces(name);
      const known = new Map<string, number>();
      finishers.push(() => [[`${name}.slots`, slotsOf(list)]]);
      return (text: string | undefined): number => {
        if (text === undefined) return NONE;
        const there = known.get(text);
        if (there !== undefined) return there;
        known.set(text, list.length);
        return list.push(text) - 1;
      };
    },
    /** Adds the next row's list. */
    lists(name: string, kind: 'u32' | 'f64' = 'u32') {
      const ends = column(`${name}.ends`, Uint32Array);
      const values = column(`${name}.values`, kind === 'u32' ? Uint32Array : Float64Array);
      return (list: Iterable<number>): void => {
        for (const value of list) values.push(value);
        ends.push(values.length);
      };
    },
    finish: (): Record<string, Column> => Object.fromEntries(finishers.flatMap((finish) => finish())),
  };
}

/** Few words that come again and again, by number: a plain list. */
export function wordList() {
  const words: string[] = [];
  const known = new Map<string, number>();
  return {
    words,
    numberOf(word: string | undefined): number {
      if (word === undefined) return NONE;
      const n = known.get(word) ?? words.push(word) - 1;
      known.set(word, n);
      return n;
    },
  };
}

/** Where each text is looked for, by its hash: number + 1, 0 = nothing. At most half full. */
function slotsOf(pieces: readonly string[]): Uint32Array {
  const slots = new Uint32Array(2 ** Math.ceil(Math.log2(2 * pieces.length + 2)));
  pieces.forEach((text, n) => {
    let slot = hashOf(text);
    while (slots[slot & (slots.length - 1)] !== 0) slot++;
    slots[slot & (slots.length - 1)] = n + 1;
  });
  return slots;
}

/** FNV-1a over code units. */
function hashOf(text: string): number {
  let hash = 0x811c_9dc5;
  for (let n = 0; n < text.length; n++) hash = Math.imul(hash ^ text.charCodeAt(n), 0x0100_0193);
  return (hash ^ (hash >>> 15)) >>> 0;
}
