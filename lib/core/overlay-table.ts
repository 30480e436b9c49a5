import type { Sequence, Table } from '#lib/core/fold-state.ts';

/** Rows that never change, in order, with a key each. */
export interface Rows<Value> {
  readonly length: number;
  keyAt(row: number): string;
  /** -1 = there is none. */
  rowOf(key: string): number;
  /** Made anew at every call: whoever gets it may change it. */
  valueAt(row: number): Value;
}

/**
 * A table that begins as the rows, and keeps what changes beside them. Its order is a Map's: a key that is deleted and
 * set again goes to the end.
 */
export function overlayTable<Value>(rows: Rows<Value>): Table<Value> {
  const changed = new Map<number, Value>();
  const gone = new Set<number>();
  const added = new Map<string, Value>();
  const rowOf = (key: string): number => {
    const row = rows.rowOf(key);
    return gone.has(row) ? -1 : row;
  };
  const valueAt = (row: number): Value => (changed.has(row) ? changed.get(row)! : rows.valueAt(row));
  function* standing(): Generator<number, void> {
    for (let row = 0; row < rows.length; row++) if (!gone.has(row)) yield row;
  }
  function* entries(): Generator<[string, Value], void> {
    for (const row of standing()) yield [rows.keyAt(row), valueAt(row)];
    yield* added;
  }
  return {
    get size() {
      return rows.length - gone.size + added.size;
    },
    get(key) {
      const row = rowOf(key);
      return row >= 0 ? valueAt(row) : added.get(key);
    },
    own(key) {
      const row = rowOf(key);
      if (row < 0) return added.get(key);
      const value = valueAt(row);
      changed.set(row, value);
      return value;
    },
    has: (key) => rowOf(key) >= 0 || added.has(key),
    set(key, value) {
      const row = rowOf(key);
      if (row >= 0) changed.set(row, value);
      else added.set(key, value);
    },
    delete(key) {
      const row = rowOf(key);
      if (row < 0) return added.delete(key);
      gone.add(row);
      changed.delete(row);
      return true;
    },
    *keys() {
      for (const row of standing()) yield rows.keyAt(row);
      yield* added.keys();
    },
    *values() {
      for (const row of standing()) yield valueAt(row);
      yield* added.values();
    },
    [Symbol.iterator]: entries,
  };
}

/** A sequence that begins as the rows. */
export function overlaySequence<Value>(rows: Pick<Rows<Value>, 'length' | 'valueAt'>): Sequence<Value> {
  const added: Value[] = [];
  return {
    get length() {
      return rows.length + added.length;
    },
    at: (n) => (n >= 0 && n < rows.length ? rows.valueAt(n) : added[n - rows.length]),
    push: (value) => added.push(value),
  };
}
