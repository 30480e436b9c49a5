import type { Fold, ItemState, Table } from '#lib/core/fold-state.ts';
import { columnWriter, wordList } from '#lib/core/snapshot-columns.ts';
import { type Column, encodeFile } from '#lib/core/snapshot-file.ts';

/**
 * Raise it when the columns change, and whenever the fold does: a snapshot is what the fold of its day made of the
 * entries. A test fails where it was forgotten.
 */
export const SNAPSHOT_SCHEMA = 1;

/** Begins the names of columns that are not the fold's. */
export const MORE = 'more/';

type Writer = ReturnType<typeof columnWriter>;
type NumberOf = (text: string | undefined) => number;

/**
 * The whole fold as bytes. `head`: the `decision_id` of the entry at its position, by which a reader knows the ledger
 * again; `more`: columns to be kept beside the fold's.
 */
export function encodeSnapshot(
  f: Fold,
  head: string,
  more: Readonly<Record<string, Column>> = {},
): Uint8Array<ArrayBuffer> {
  const writer = columnWriter();
  const name = writer.names('names');
  const { words, numberOf: word } = wordList();
  // First of all: an item's row is the number of its id.
  for (const id of f.items.keys()) name(id);
  writeItems(writer, f.items, name, word);
  writePaths(writer, f, name);
  for (const key of ['fingerprints', 'leaners', 'related'] as const) {
    const set = writer.lists(`${key}.set`);
    writeTable(writer, key, f[key], name, (ids) => set([...ids].map(name)));
  }
  for (const key of ['live', 'points'] as const)
    writeTable(writer, key, f[key], name, writer.f64(`${key}.value`));
  const counted = writer.u8('decisions.counted');
  writeTable(writer, 'decisions', f.decisions, name, (did) => counted(did ? 1 : 0));
  writeEnlivened(writer, f, name);
  const about = { position: f.position, erased_at: f.erased_at, head, words };
  const beside = Object.entries(more).map(([key, column]) => [MORE + key, column]);
  const columns = { ...writer.finish(), ...Object.fromEntries(beside) };
  return encodeFile({ schema: SNAPSHOT_SCHEMA, about, columns });
}

function writeTable<Value>(
  writer: Writer,
  table: string,
  from: Table<Value>,
  name: NumberOf,
  add: (value: Value) => void,
): void {
  const key_column = writer.u32(`${table}.key`);
  for (const [key, value] of from) {
    key_column(name(key));
    add(value);
  }
}

function writeItems(writer: Writer, items: Table<ItemState>, name: NumberOf, word: NumberOf): void {
  const u32 = (column: string) => writer.u32(`items.${column}`);
  const f64 = (column: string) => writer.f64(`items.${column}`);
  const lists = (column: string, kind?: 'f64') => writer.lists(`items.${column}`, kind);
  const [status, reason, lineage, path, fingerprint] = [
    u32('status'),
    u32('reason'),
    u32('lineage'),
    u32('path'),
    u32('fingerprint'),
  ];
  const [attempt, live_pos, path_seq, ended_at] = [
    f64('attempt'),
    f64('live_pos'),
    f64('path_seq'),
    f64('ended_at'),
  ];
  const [grounds, relations, credited] = [lists('grounds'), lists('relations'), lists('credited')];
  const [scopes, payloads] = [lists('scopes'), lists('payloads', 'f64')];
  const needs_review = u32('needs_review');
  const [decided_position, decided_at] = [f64('decided.position'), f64('decided.at')];
  const [basis, model, note] = [u32('decided.basis'), u32('decided.model'), u32('decided.note')];
  const [kind, domain, by_author] = [u32('live.kind'), u32('live.domain'), writer.u8('items.live.by_author')];
  const [title, keywords, covers] = [u32('live.title'), u32('live.keywords'), u32('live.covers')];
  const text = writer.texts('texts');

  for (const item of items.values()) {
    status(word(item.status));
    reason(word(item.reason));
    attempt(item.attempt);
    live_pos(item.live_pos);
    grounds(item.grounds.flatMap(({ id, type }) => [name(id), word(type)]));
    relations(item.relations.flatMap(({ to, type, reverse }) => [name(to), word(type), word(reverse)]));
    credited([...item.credited].map(name));
    lineage(name(item.lineage));
    path(name(item.path));
    path_seq(item.path_seq);
    fingerprint(name(item.fingerprint));
    scopes(item.scopes.map(name));
    needs_review(name(item.needs_review));
    ended_at(item.ended_at);
    payloads(item.payloads);

    decided_position(item.decided?.position);
    decided_at(item.decided?.at);
    basis(word(item.decided?.basis));
    model(word(item.decided?.model));
    note(name(item.decided?.note));

    // The title's number; the texts after it are the keywords, then the covers.
    kind(word(item.live?.kind));
    domain(word(item.live?.domain));
    by_author(item.live?.keywords_by_author ? 1 : 0);
    title(item.live && text(item.live.title));
    keywords(item.live?.keywords.length);
    covers(item.live?.covers.length);
    for (const each of item.live?.keywords ?? []) text(each);
    for (const each of item.live?.covers ?? []) text(each);
  }
}

function writePaths(writer: Writer, { paths }: Fold, name: NumberOf): void {
  const holder = writer.u32('paths.holder');
  const maxseq = writer.f64('paths.maxseq');
  const delseq = writer.f64('paths.delseq');
  const versions = writer.lists('paths.versions');
  writeTable(writer, 'paths', paths, name, (path) => {
    holder(name(path.holder));
    maxseq(path.maxseq);
    delseq(path.delseq);
    versions([...path.versions].map(name));
  });
}

function writeEnlivened(writer: Writer, { enlivened }: Fold, name: NumberOf): void {
  const position = writer.f64('enlivened.position');
  const id = writer.u32('enlivened.id');
  for (let n = 0; n < enlivened.length; n++) {
    const each = enlivened.at(n)!;
    position(each.position);
    id(name(each.id));
  }
}
