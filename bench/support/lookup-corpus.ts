import type { Entry } from '#lib/core/entry.ts';
import { PIPELINE } from '#lib/core/entry.ts';
import type { ItemRow } from '#lib/core/item.ts';
import { sha256 } from '#lib/core/normalise.ts';
import type { IndexDocument } from '#lib/core/rows.ts';
import { keywordCorpus } from './keyword-corpus.ts';

/** One document as every store holds it once it is admitted. */
export interface StoredDocument {
  row: ItemRow;
  entry: Entry;
  /** What is embedded of it: one section. */
  text: string;
  index: Omit<IndexDocument, 'task_vector' | 'sections'>;
}

const AT = 1_782_900_000;

/** Documents of one short section each, with the keywords, domains and scopes of `keywordCorpus`; always the same ones. */
export function* lookupCorpus(documents: number): Generator<StoredDocument> {
  for (const { id, keywords, keywords_by_author, domain, scopes, live_pos } of keywordCorpus(documents)) {
    const title = `${keywords[1]} (${keywords[2]})`;
    const covers = [keywords[8]!, keywords[9]!];
    const when_to_retrieve = keywords[9]!;
    // No word stands in all of them: a query would meet every document by it.
    const text = `# ${title}\n\n${keywords[9]}; ${keywords[4]}, ${keywords[8]}, ${keywords[6]}.`;
    const path = `${domain}/${id.slice(-8)}.md`;
    const fingerprint = sha256(id);
    const fields = {
      title,
      summary: keywords[9]!,
      keywords: [...keywords],
      covers,
      when_to_retrieve,
      generated: keywords_by_author ? [] : ['keywords' as const],
      missing: [],
    };
    const common = { scopes: [...scopes], path, path_seq: 1, attempt: 1 };
    const entry: Entry = {
      ...common,
      position: live_pos,
      at: AT,
      by: PIPELINE,
      event: 'admitted',
      item_id: id,
      decision_id: `decision-${live_pos}`,
      fingerprint,
      basis: 'no_candidates',
      relations: [],
      live: { kind: 'document', domain, title, keywords: [...keywords], keywords_by_author, covers },
    };
    const row: ItemRow = {
      ...common,
      id,
      kind: 'document',
      domain,
      task: [title, fields.summary, ...covers, when_to_retrieve].join('\n'),
      message_id: '',
      types: [],
      tags: {},
      tag_keys: [],
      owner: 'bench',
      resource_ids: [],
      source: {},
      metadata: '',
      fields,
      excerpt: text,
      body_hash: fingerprint,
      fingerprint,
      created_at: AT,
      updated_at: AT,
      status: 'approved',
      pos: live_pos,
    };
    const about = [fields.summary, ...covers, when_to_retrieve].join('\n');
    const index = {
      id,
      version: live_pos,
      live: true,
      domain,
      scopes: common.scopes,
      title,
      keywords: [...keywords],
      about,
    };
    yield { row, entry, text, index };
  }
}

/** Questions whose answer is one document, by a code that its author wrote and no other document has. */
export function uniqueQuestions(documents: readonly StoredDocument[], count: number): string[] {
  const holders = new Map<string, number>();
  for (const { row } of documents)
    for (const keyword of row.fields.keywords) holders.set(keyword, (holders.get(keyword) ?? 0) + 1);
  const found = documents.flatMap(({ row: { fields, scopes } }) => {
    const [, , , code] = fields.keywords;
    const own = fields.generated.length === 0 && scopes.length === 0 && holders.get(code!) === 1;
    return own ? [`what does ${code} mean`] : [];
  });
  return spread(found, count);
}

/** Questions in other words than the keywords: only meaning and words answer them. */
export function openQuestions(documents: readonly StoredDocument[], count: number): string[] {
  const open = documents.filter(({ row }) => row.scopes.length === 0);
  return spread(open, count).map(({ row }) => {
    const [subject = '', ...rest] = row.fields.keywords[9]!.split(' ');
    return `what is it with the ${rest.toReversed().join(' and the ')} of this ${subject}`;
  });
}

/** As many of them, from all over. */
const spread = <Each>(all: readonly Each[], count: number): Each[] =>
  Array.from({ length: Math.min(count, all.length) }, (_, n) => all[Math.floor((n * all.length) / count)]!);
