import type { KeywordColumns } from '#lib/core/keyword-columns.ts';
import { type KeywordIndex, keywordColumns, keywordIndexOf } from '#lib/core/keyword-index.ts';
import type { Column } from '#lib/core/snapshot-file.ts';

const encoder = new TextEncoder();
const decoder = new TextDecoder('utf-8', { ignoreBOM: true });

/** The whole index as columns for a snapshot: its two texts become bytes. */
export function keywordsToColumns(index: KeywordIndex): Record<string, Column> {
  const { ids, groups, ...columns } = keywordColumns(index);
  return { ...columns, ids: encoder.encode(ids), groups: encoder.encode(groups) };
}

/** A reader of an index from such columns, which stay as they are; throws where one is missing. */
export function keywordsFromColumns(columns: Readonly<Record<string, Column>>): () => KeywordIndex {
  const take = <Kind extends Column>(
    name: keyof KeywordColumns,
    kind: abstract new (...args: never[]) => Kind,
  ) => {
    const column = columns[name];
    if (!(column instanceof kind)) throw new Error(`the keywords' column ${name} is missing`);
    return column;
  };
  const [u8, u16, u32] = [Uint8Array, Uint16Array, Uint32Array];
  const whole: KeywordColumns = {
    text: take('text', u16),
    starts: take('starts', u32),
    findable: take('findable', u8),
    suffix_keyword: take('suffix_keyword', u32),
    suffix_at: take('suffix_at', u16),
    posting_starts: take('posting_starts', u32),
    posting_item: take('posting_item', u32),
    ids: decoder.decode(take('ids', u8)),
    id_starts: take('id_starts', u32),
    by_id: take('by_id', u32),
    live_pos: take('live_pos', u32),
    by_author: take('by_author', u8),
    group: take('group', u32),
    groups: decoder.decode(take('groups', u8)),
  };
  return () => keywordIndexOf(whole);
}
