import { fuse } from '#lib/core/fusion.ts';
import type { Model } from '#lib/ports.ts';
import type { Instance } from '#lib/usecases/instance.ts';
import { type Source, summariseDomain } from '#lib/usecases/summarise-domain.ts';
import { describe } from '#lib/usecases/write-fields.ts';
import { table } from './markdown.ts';
import type { Running } from './measure-cosines.ts';
import { evidenceFor, rankOf, trustOf } from './retrieval-measure.ts';
import { type RetrievalDocument, type RetrievalSet, spread } from './retrieval-sets.ts';
import { createRetrievalWorld, type RetrievalWorld, type Stored } from './retrieval-world.ts';
import { stillWanted } from './still-wanted.ts';

/** Whose fields the map's text is made from. */
export const FIELDS = ['none', "authors'", 'generated'] as const;
export type FieldsOf = (typeof FIELDS)[number];

export interface RoutingRow {
  set: string;
  domains: number;
  /** Share of the questions that lead to the right domain, by whose fields; `undefined`: the corpus has none. */
  right: Record<FieldsOf, number | undefined>;
}

export interface RoutingFacts {
  embedder: string;
  stand_in: boolean;
  writer: string;
  questions: number;
  /** Each corpus one domain. */
  corpora: RoutingRow[];
  /** Each folder, file, category or article one domain, of all corpora together. */
  groups: RoutingRow[];
}

/** Questions of a set. */
const QUESTIONS = 150;
const PATIENCE_MS = 60_000;

interface Described {
  title: string;
  covers: readonly string[];
  summary: string;
  when_to_retrieve: string;
}

interface Entry extends RetrievalDocument {
  corpus: string;
}

type DomainOf = (document: Entry) => string;
type Describe = (document: Entry) => Promise<Described>;

/** How often the domain whose text matches a question best is the right one (R5.3, R5.4). */
export async function measureRouting(
  embedder: Pick<Model, 'embedder' | 'embed'>,
  sets: readonly RetrievalSet[],
  running: Running,
): Promise<RoutingFacts> {
  const entries = [...new Map(sets.map((set) => [set.corpus, set])).values()].flatMap(
    ({ corpus, documents }) => documents.map((document) => ({ ...document, corpus })),
  );
  const writer = await createRetrievalWorld(embedder, [], running);
  const corpora = [...new Set(entries.map(({ corpus }) => corpus))];
  // A name of ours must not give the answer away.
  const byCorpus: DomainOf = ({ corpus }) => `domain-${corpora.indexOf(corpus) + 1}`;
  const byGroup: DomainOf = ({ corpus, group }) => (group === '' ? corpus : group);
  const generated = once(generatedBy(writer.instance, running));
  return {
    ...{ embedder: embedder.embedder.name, stand_in: embedder.embedder.stand_in },
    ...{ writer: writer.instance.model.writer.name, questions: QUESTIONS },
    corpora: await rowsOf(byCorpus),
    groups: await rowsOf(byGroup),
  };

  async function rowsOf(domainOf: DomainOf): Promise<RoutingRow[]> {
    const open = (describing: Describe | undefined) =>
      domainWorld(embedder, writer.instance, entries, domainOf, describing, running);
    const worlds = {
      none: await open(undefined),
      by_labels: await open(async (entry) => authored(entry, 'keywords')),
      by_summary: await open(async (entry) => authored(entry, 'summary')),
      generated: await open(generated),
    };
    const rows: RoutingRow[] = [];
    for (const set of sets) {
      const of_set = entries.filter(({ corpus }) => corpus === set.corpus);
      const right = new Map(of_set.map((entry) => [entry.id, domainOf(entry)]));
      const share = (world: RetrievalWorld) => routedRight(world, set, right, running);
      const has_fields = of_set.some(({ keywords, labels }) => keywords.length + labels.length > 0);
      rows.push({
        set: set.name,
        domains: new Set(right.values()).size,
        right: {
          none: await share(worlds.none),
          "authors'": has_fields
            ? await share(set.by_keyword ? worlds.by_summary : worlds.by_labels)
            : undefined,
          generated: await share(worlds.generated),
        },
      });
    }
    return rows;
  }
}

/** The author's own, without the field that the questions were taken from. */
const authored = (entry: Entry, kept: 'keywords' | 'summary'): Described => ({
  title: entry.title,
  covers: kept === 'keywords' ? [...entry.labels, ...entry.keywords] : entry.labels,
  summary: kept === 'summary' ? entry.summary : '',
  when_to_retrieve: '',
});

const generatedBy =
  (instance: Instance, { signal, tell }: Running): Describe =>
  async ({ id, title, text, corpus }) => {
    await stillWanted(signal);
    tell(`fields of ${corpus} are generated: ${id}`);
    const given = title === '' ? {} : { title };
    const fields = await describe(instance, { path: `${corpus}/${id}.md`, body: text, authored: given });
    return fields;
  };

function once(describing: Describe): Describe {
  const known = new Map<string, Promise<Described>>();
  return (entry) => {
    const key = `${entry.corpus} ${entry.id}`;
    const described = known.get(key) ?? describing(entry);
    known.set(key, described);
    return described;
  };
}

/** The map as a knowledge base: what it says of each domain, and each document's line, stand for the domain. */
async function domainWorld(
  embedder: Pick<Model, 'embedder' | 'embed'>,
  writer: Instance,
  entries: readonly Entry[],
  domainOf: DomainOf,
  describing: Describe | undefined,
  running: Running,
): Promise<RetrievalWorld> {
  const stored: Stored[] = [];
  const add = (domain: string, title: string, body: string) =>
    stored.push({ ...{ id: domain, title, body }, domain: 'map', l0_keywords: [], covers: [], about: '' });
  for (const [domain, members] of Map.groupBy(entries, domainOf)) {
    const described = await Promise.all(
      members.map(
        describing ?? (async ({ title }) => ({ title, covers: [], summary: '', when_to_retrieve: '' })),
      ),
    );
    add(domain, domain, describing ? await domainText(writer, domain, described) : '');
    const lines = described.map(({ title, covers }) =>
      [title, covers.join(', ')].filter((part) => part !== '').join(': '),
    );
    for (const line of new Set(lines)) if (line !== '') add(domain, '', line);
  }
  return createRetrievalWorld(embedder, stored, running);
}

/** Description and `when_to_retrieve`, written as the product writes them. */
async function domainText(
  writer: Instance,
  domain: string,
  described: readonly Described[],
): Promise<string> {
  const sources: Source[] = described.map(({ title, summary, when_to_retrieve }, n) => ({
    ...{ id: `${n}`, title, summary, when_to_retrieve },
  }));
  const summary = await summariseDomain(writer, domain, sources, writer.clock.now() + PATIENCE_MS);
  return summary.kind === 'written' ? `${summary.description}\n\n${summary.when_to_retrieve}` : '';
}

/** The domain of the text that L1 would rank first: the embedder's cosine and BM25, fused. */
async function routedRight(
  world: RetrievalWorld,
  set: RetrievalSet,
  domain_of: ReadonlyMap<string, string>,
  { signal, tell }: Running,
): Promise<number> {
  const questions = spread(set.queries, QUESTIONS);
  const { vector_weight, search_depth } = world.instance.settings;
  let right = 0;
  for (const [n, question] of questions.entries()) {
    await stillWanted(signal);
    tell(`${set.name}: ${n}/${questions.length} questions routed`);
    const found = await evidenceFor(world, question);
    const fused = fuse(found.near, found.by_text, vector_weight, search_depth, trustOf(world, found));
    const wanted = new Set([...question.right].map((id) => domain_of.get(id)!));
    if (rankOf([world.original.get(fused[0]?.id ?? '') ?? ''], wanted) === 1) right += 1;
  }
  return right / Math.max(1, questions.length);
}

/** The section of the routing texts. */
export function tellRouting(facts: RoutingFacts, command: string): string {
  const share = (value: number | undefined) =>
    value === undefined ? '–' : value.toFixed(3).replace(/^0/, '');
  const rows = (of: readonly RoutingRow[]) =>
    of.map(({ set, domains, right }) => [set, domains, ...FIELDS.map((fields) => share(right[fields]))]);
  const head = [
    'questions of',
    'domains of its documents',
    'titles alone',
    "authors' fields",
    'generated fields',
  ];
  return [
    `## Routing texts: ${facts.embedder}${facts.stand_in ? ', a stand-in' : ''}\n\n\`\`\`sh\n${command} --write\n\`\`\``,
    `How often the domain whose text in the knowledge map matches a question best is the right one: at most ${facts.questions} questions a set, matched as L1 matches (the embedder's cosine and BM25, fused) against each domain's name, \`description\` and \`when_to_retrieve\`, and against each document's line of title and covers; the domain of the best of these texts is taken. No budget cuts them. A real Planner reads the map; this measures what the text tells, not what a model makes of it. Authors' fields: their keywords, categories and tags as covers; for keyword sets their summaries and categories instead. The domains' texts, and all generated fields, are written by ${facts.writer}, a stand-in, through the product's own prompts and checks. – = the corpus has no such fields.`,
    'Each corpus one domain (under names that say nothing):',
    table(head, rows(facts.corpora)),
    'Each folder, file, category or article one domain, those of all corpora together:',
    table(head, rows(facts.groups)),
  ].join('\n\n');
}
