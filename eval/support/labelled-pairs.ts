import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import * as z from 'zod';

/** What the sets' labels come to, in the order of the tables; `covers`: superset or duplicate, the label does not say which. */
export const RELATIONS = [
  'duplicate',
  'subset',
  'superset',
  'conflict',
  'covers',
  'complement',
  'none',
] as const;
export type TrueRelation = (typeof RELATIONS)[number];

export interface Text {
  task: string;
  content: string;
}

/** A newcomer, a stored text, and how the first relates to the second according to somebody else. */
export interface LabelledPair {
  id: string;
  set: string;
  language: string;
  /** `sentence`: both are one sentence. `section`: parts of a document, under their headings. */
  kind: 'sentence' | 'section';
  /** The set's own word for the relation. */
  label: string;
  relation: TrueRelation;
  new: Text;
  stored: Text;
}

/** The sets of sentences, each with the one task that its sentences serve as entries. */
const SENTENCES: Readonly<Record<string, string>> = {
  en_sick_full: 'What is seen in the picture',
  zh_ocnli_dev: '所说的情况',
  zh_pawsx_dev: '百科条目中的一句陈述',
};

/** The same questions in two languages, by translators; each beside another one's translation is a pair that has nothing to do with it. */
const TRANSLATED = 'xquad_questions_en_zh';
const TRANSLATIONS = { en: 'en_xquad', zh: 'xl_xquad_zhq_endoc', task: 'A question about a text' };
/** How far the other question stands: its neighbours are about the same text. */
const ELSEWHERE = 301;

const SECTIONS = ['en_rev_powershell_docs', 'zh_rev_tidb_docs', 'zh_tidb_siblings_and_random'];

/** Names of all sets, in the order of the tables. */
export const SETS: readonly string[] = [...Object.keys(SENTENCES), TRANSLATED, ...SECTIONS];

/** Other labels are left out: one annotator against the other, or both at once. */
const RELATION_OF: Readonly<Record<string, TrueRelation>> = {
  duplicate: 'duplicate',
  subset: 'subset',
  superset: 'superset',
  conflict: 'conflict',
  covers: 'covers',
  sibling_weak_complement: 'complement',
  none: 'none',
  neutral: 'none',
  not_duplicate: 'none',
};

const SentencePair = z.object({
  id: z.string(),
  lang: z.string(),
  a: z.string(),
  b: z.string(),
  rel: z.string(),
});
const SectionPair = z.object({
  id: z.string(),
  lang: z.string(),
  rel: z.string(),
  stored: z.string(),
  new: z.string(),
  heading: z.string().optional(),
  heading_stored: z.string().optional(),
  heading_new: z.string().optional(),
});

/**
 * The pairs of one set of `pairs/`, `doc-relations/` or `retrieval/` (their SOURCE.md), read "newcomer relative to stored": `a`
 * relative to `b`, the newer revision relative to the older one. Throws where the file cannot be read.
 */
export function readPairs(data: string, set: string): LabelledPair[] {
  if (set === TRANSLATED) return translatedPairs(data);
  const task = SENTENCES[set];
  const folder = task === undefined ? 'doc-relations' : 'pairs';
  return linesOf(join(data, folder, `${set}.jsonl`)).flatMap((line) => {
    const pair =
      task === undefined
        ? sectionPair(SectionPair.parse(line))
        : sentencePair(SentencePair.parse(line), task);
    const relation = RELATION_OF[pair.label];
    return relation === undefined ? [] : [{ ...pair, set, relation }];
  });
}

const linesOf = (file: string): unknown[] =>
  readFileSync(file, 'utf8')
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line));

const Question = z.object({ _id: z.string(), text: z.string() });

function translatedPairs(data: string): LabelledPair[] {
  const questions = (set: string) =>
    linesOf(join(data, 'retrieval', set, 'queries.jsonl')).map((line) => Question.parse(line));
  const translated = new Map(questions(TRANSLATIONS.zh).map(({ _id, text }) => [_id, text]));
  const both = questions(TRANSLATIONS.en).filter(({ _id }) => translated.has(_id));
  const text = (content: string): Text => ({ task: TRANSLATIONS.task, content });
  return both.flatMap(({ _id, text: question }, n) => {
    const pair = { set: TRANSLATED, language: 'en-zh', kind: 'sentence', new: text(question) } as const;
    const other = both[(n + ELSEWHERE) % both.length]!._id;
    return [
      { ...pair, id: _id, label: 'duplicate', relation: 'duplicate', stored: text(translated.get(_id)!) },
      { ...pair, id: `${_id}-other`, label: 'none', relation: 'none', stored: text(translated.get(other)!) },
    ];
  });
}

type Unlabelled = Omit<LabelledPair, 'set' | 'relation'>;

const sentencePair = ({ id, lang, a, b, rel }: z.infer<typeof SentencePair>, task: string): Unlabelled => ({
  id,
  language: lang,
  kind: 'sentence',
  label: rel,
  new: { task, content: a },
  stored: { task, content: b },
});

const sectionPair = (line: z.infer<typeof SectionPair>): Unlabelled => ({
  id: line.id,
  language: line.lang,
  kind: 'section',
  label: line.rel,
  new: { task: line.heading ?? line.heading_new ?? '', content: line.new },
  stored: { task: line.heading ?? line.heading_stored ?? '', content: line.stored },
});
