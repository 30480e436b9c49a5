import * as z from 'zod';
import { MORE, SNAPSHOT_SCHEMA } from '#lib/core/catalog-snapshot-write.ts';
import type { LivePayload } from '#lib/core/entry.ts';
import type { Decided, Fold, ItemState, PathState } from '#lib/core/fold-state.ts';
import { overlaySequence, overlayTable, type Rows } from '#lib/core/overlay-table.ts';
import { columnReader, type Names, NONE } from '#lib/core/snapshot-columns.ts';
import { type Column, decodeFile } from '#lib/core/snapshot-file.ts';

/** The fold of a prefix of the ledger, as it was written down; it never changes. Read where its bytes lie, without a copy. */
export interface Snapshot {
  position: number;
  /** The `decision_id` of the entry at its position: another one there, and the ledger is not the snapshot's. */
  head: string;
  /** A fold that goes on from there, and shares the snapshot's columns with every other one. */
  fold(): Fold;
  /** What was kept beside the fold. */
  more: Readonly<Record<string, Column>>;
}

const About = z.strictObject({
  position: z.int().positive(),
  erased_at: z.int().min(0),
  head: z.string(),
  words: z.array(z.string()),
});

type Reader = ReturnType<typeof columnReader>;
type WordOf = <Word extends string>(n: number) => Word | undefined;

/** Throws where the bytes are damaged or of another schema. Items are made from the columns when they are asked for. */
export function decodeSnapshot(bytes: Uint8Array): Snapshot {
  const { about, columns } = decodeFile(SNAPSHOT_SCHEMA, bytes);
  const { position, erased_at, head, words } = About.parse(about);
  const reader = columnReader(columns);
  const names = reader.names('names');
  // The words are of the types that were written: the schema says so.
  const word: WordOf = <Word extends string>(n: number) => words[n] as Word | undefined;

  const items = itemRows(reader, names, word);
  const paths = pathRows(reader, names);
  const [fingerprints, leaners, related] = ['fingerprints', 'leaners', 'related'].map((table) => {
    const sets = reader.lists(`${table}.set`);
    return rowsOf(reader, names, table, (row) => new Set(sets.map(row, (n) => names.at(sets.values[n]!))));
  }) as [Rows<Set<string>>, Rows<Set<string>>, Rows<Set<string>>];
  const [live, points] = ['live', 'points'].map((table) => {
    const values = reader.f64(`${table}.value`);
    return rowsOf(reader, names, table, (row) => values[row]!);
  }) as [Rows<number>, Rows<number>];
  const counted = reader.u8('decisions.counted');
  const decisions = rowsOf(reader, names, 'decisions', (row) => counted[row] === 1);
  const enlivened = enlivenedRows(reader, names);

  return {
    position,
    head,
    fold: () => ({
      position,
      erased_at,
      items: overlayTable(items),
      paths: overlayTable(paths),
      fingerprints: overlayTable(fingerprints),
      live: overlayTable(live),
      enlivened: overlaySequence(enlivened),
      leaners: overlayTable(leaners),
      related: overlayTable(related),
      points: overlayTable(points),
      decisions: overlayTable(decisions),
    }),
    more: Object.fromEntries(
      Object.entries(columns).flatMap(([name, column]) =>
        name.startsWith(MORE) ? [[name.slice(MORE.length), column]] : [],
      ),
    ),
  };
}

const optional = (value: number): number | undefined => (Number.isNaN(value) ? undefined : value);

/** A table's rows, by their keys' numbers. */
function rowsOf<Value>(
  reader: Reader,
  names: Names,
  table: string,
  valueAt: (row: number) => Value,
): Rows<Value> {
  return reader.rows(names, reader.u32(`${table}.key`), valueAt);
}

function itemRows(reader: Reader, names: Names, word: WordOf): Rows<ItemState> {
  const u32 = (column: string) => reader.u32(`items.${column}`);
  const f64 = (column: string) => reader.f64(`items.${column}`);
  const lists = (column: string, kind?: 'f64') => reader.lists(`items.${column}`, kind);
  const name = (n: number): string | undefined => (n === NONE ? undefined : names.at(n));
  const [status, reason, lineage] = [u32('status'), u32('reason'), u32('lineage')];
  const [path, fingerprint, needs_review] = [u32('path'), u32('fingerprint'), u32('needs_review')];
  const [attempt, live_pos] = [f64('attempt'), f64('live_pos')];
  const [path_seq, ended_at] = [f64('path_seq'), f64('ended_at')];
  const [grounds, relations, credited] = [lists('grounds'), lists('relations'), lists('credited')];
  const [scopes, payloads] = [lists('scopes'), lists('payloads', 'f64')];
  const decidedAt = decidedRows(reader, names, word);
  const liveAt = payloadRows(reader, word);
  return {
    length: status.length,
    keyAt: (row) => names.at(row),
    rowOf(id) {
      const row = names.indexOf(id);
      return row < status.length ? row : -1;
    },
    valueAt: (row) => ({
      id: names.at(row),
      status: word<ItemState['status']>(status[row]!)!,
      reason: word(reason[row]!),
      attempt: attempt[row]!,
      live_pos: live_pos[row]!,
      grounds: grounds.map(
        row,
        (n) => ({ id: names.at(grounds.values[n]!), type: word(grounds.values[n + 1]!)! }),
        2,
      ),
      relations: relations.map(
        row,
        (n) => ({
          to: names.at(relations.values[n]!),
          type: word(relations.values[n + 1]!)!,
          reverse: word(relations.values[n + 2]!)!,
        }),
        3,
      ),
      credited: new Set(credited.map(row, (n) => names.at(credited.values[n]!))),
      lineage: names.at(lineage[row]!),
      path: name(path[row]!),
      path_seq: optional(path_seq[row]!),
      fingerprint: names.at(fingerprint[row]!),
      scopes: scopes.map(row, (n) => names.at(scopes.values[n]!)),
      live: liveAt(row),
      needs_review: name(needs_review[row]!),
      ended_at: optional(ended_at[row]!),
      decided: decidedAt(row),
      payloads: payloads.map(row, (n) => payloads.values[n]!),
    }),
  };
}

function decidedRows(reader: Reader, names: Names, word: WordOf): (row: number) => Decided | undefined {
  const position = reader.f64('items.decided.position');
  const at = reader.f64('items.decided.at');
  const [basis, model, note] = ['basis', 'model', 'note'].map((each) =>
    reader.u32(`items.decided.${each}`),
  ) as [Uint32Array, Uint32Array, Uint32Array];
  return (row) =>
    Number.isNaN(position[row])
      ? undefined
      : {
          position: position[row]!,
          at: at[row]!,
          basis: word(basis[row]!),
          model: word(model[row]!),
          note: note[row] === NONE ? undefined : names.at(note[row]!),
        };
}

function payloadRows(reader: Reader, word: WordOf): (row: number) => LivePayload | undefined {
  const u32 = (column: string) => reader.u32(`items.live.${column}`);
  const [kind, domain, by_author] = [u32('kind'), u32('domain'), reader.u8('items.live.by_author')];
  const [title, keywords, covers] = [u32('title'), u32('keywords'), u32('covers')];
  const texts = reader.texts('texts');
  const textsFrom = (first: number, count: number) =>
    Array.from({ length: count }, (_, n) => texts.at(first + n));
  return (row) => {
    const first = title[row]!;
    if (first === NONE) return undefined;
    return {
      kind: word<LivePayload['kind']>(kind[row]!)!,
      domain: word(domain[row]!)!,
      title: texts.at(first),
      keywords: textsFrom(first + 1, keywords[row]!),
      keywords_by_author: by_author[row] === 1,
      covers: textsFrom(first + 1 + keywords[row]!, covers[row]!),
    };
  };
}

function pathRows(reader: Reader, names: Names): Rows<PathState> {
  const holder = reader.u32('paths.holder');
  const [maxseq, delseq] = [reader.f64('paths.maxseq'), reader.f64('paths.delseq')];
  const versions = reader.lists('paths.versions');
  return rowsOf(reader, names, 'paths', (row) => ({
    holder: holder[row] === NONE ? undefined : names.at(holder[row]!),
    maxseq: maxseq[row]!,
    delseq: delseq[row]!,
    versions: new Set(versions.map(row, (n) => names.at(versions.values[n]!))),
  }));
}

function enlivenedRows(reader: Reader, names: Names) {
  const position = reader.f64('enlivened.position');
  const id = reader.u32('enlivened.id');
  return {
    length: id.length,
    valueAt: (n: number) => ({ position: position[n]!, id: names.at(id[n]!) }),
  };
}
