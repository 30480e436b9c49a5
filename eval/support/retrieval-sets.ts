import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import * as z from 'zod';

/** A document with the fields that its author wrote, as far as the set has them. */
export interface RetrievalDocument {
  id: string;
  title: string;
  text: string;
  keywords: string[];
  /** Short labels by which its author filed it. */
  labels: string[];
  /** Its author's summary, where a sibling of the set asks by it; else `''`. */
  summary: string;
  /** The group that it belongs to within its corpus: a folder, a file, an article. */
  group: string;
}

export interface RetrievalQuery {
  id: string;
  text: string;
  right: ReadonlySet<string>;
}

export interface RetrievalSet {
  name: string;
  /** Sets over the same documents share it. */
  corpus: string;
  documents: RetrievalDocument[];
  queries: RetrievalQuery[];
  /** Queries are keywords of the documents: L0 answers them, L1 must not have them in its index. */
  by_keyword: boolean;
}

export const SETS = [
  'zh_tidb_faq',
  'zh_javaguide_description',
  'zh_javaguide_keyword',
  'en_postmortems_summary',
  'en_postmortems_keyword',
  'xl_xquad_zhq_endoc',
  'en_xquad',
] as const;

const CORPORA: Readonly<Record<string, string>> = {
  zh_javaguide_description: 'javaguide',
  zh_javaguide_keyword: 'javaguide',
  en_postmortems_summary: 'postmortems',
  en_postmortems_keyword: 'postmortems',
  xl_xquad_zhq_endoc: 'xquad',
  en_xquad: 'xquad',
  zh_tidb_faq: 'tidb',
};

const Labels = z
  .union([z.array(z.string()), z.string().transform((label) => [label])])
  .nullish()
  .transform((labels) => labels ?? []);
const Document = z.object({
  _id: z.string(),
  title: z.string().nullish(),
  text: z.string(),
  keywords: Labels,
  categories: Labels,
  category: Labels,
  tag: Labels,
  path: z.string().optional(),
});
const Query = z.object({ _id: z.string(), text: z.string() });

/** Sets whose queries are the summaries of another's documents. */
const SUMMARIES: Readonly<Record<string, string>> = {
  zh_javaguide_keyword: 'zh_javaguide_description',
  en_postmortems_keyword: 'en_postmortems_summary',
};

const linesOf = (file: string): string[] =>
  readFileSync(file, 'utf8')
    .split('\n')
    .filter((line) => line.trim() !== '');

/** Reads one set in BEIR's layout. At most `sample` of its queries, evenly spread. */
export function readSet(folder: string, name: string, sample?: number): RetrievalSet {
  const parsed = <T>(file: string, schema: z.ZodType<T>) =>
    linesOf(join(folder, name, file)).map((line) => schema.parse(JSON.parse(line)));
  const right = new Map<string, Set<string>>();
  for (const [query, document] of relevant(folder, name))
    right.set(query, (right.get(query) ?? new Set()).add(document));
  const summaries = summariesFor(folder, name);
  const queries = parsed('queries.jsonl', Query).flatMap(({ _id, text }) => {
    const answers = right.get(_id);
    return answers ? [{ id: _id, text, right: answers }] : [];
  });
  return {
    name,
    corpus: CORPORA[name] ?? name,
    documents: parsed('corpus.jsonl', Document).map((line) =>
      documentOf(line, summaries.get(line._id) ?? ''),
    ),
    queries: spread(queries, sample ?? queries.length),
    by_keyword: name.endsWith('_keyword'),
  };
}

/** Pairs of query and document. */
const relevant = (folder: string, name: string): [string, string][] =>
  linesOf(join(folder, name, 'qrels.tsv'))
    .slice(1)
    .map((line) => line.split('\t'))
    .filter(([, , score]) => Number(score) > 0)
    .map(([query, document]) => [query!, document!]);

function summariesFor(folder: string, name: string): Map<string, string> {
  const sibling = SUMMARIES[name];
  if (sibling === undefined || !existsSync(join(folder, sibling))) return new Map();
  const texts = new Map(
    linesOf(join(folder, sibling, 'queries.jsonl'))
      .map((line) => Query.parse(JSON.parse(line)))
      .map(({ _id, text }) => [_id, text]),
  );
  return new Map(relevant(folder, sibling).map(([query, document]) => [document, texts.get(query) ?? '']));
}

/** At most `count` of them, evenly spread. */
export function spread<T>(all: readonly T[], count: number): T[] {
  const step = Math.max(1, all.length / count);
  return Array.from({ length: Math.min(all.length, count) }, (_, n) => all[Math.floor(n * step)]!);
}

function documentOf(line: z.infer<typeof Document>, summary: string): RetrievalDocument {
  const { _id, title, text, keywords, categories, category, tag, path } = line;
  const folder = _id.includes('/') ? _id.slice(0, _id.lastIndexOf('/')) : undefined;
  return {
    ...{ id: _id, title: title ?? '', text, keywords, summary },
    labels: [...new Set([...categories, ...category, ...tag])],
    group: path ?? folder ?? categories[0] ?? title ?? '',
  };
}
