import { table } from './markdown.ts';
import type { FloorRow, Foreign, Side } from './relevance-floors.ts';
import { byRule, lostBy, MOST_LOST, servedBy } from './relevance-floors.ts';
import type { SetRanks, Summary } from './retrieval-measure.ts';
import type { Fusion, LeftOut } from './weight-check.ts';

export interface SetFacts {
  set: string;
  documents: number;
  queries: number;
  /** What of the documents' frontmatter is stored, in words. */
  carried: string;
  shipped: Summary;
  /** Of keyword sets: the same without L0, so that only L1 answers. */
  without_l0: Summary | undefined;
  bm25: Summary;
  vectors: Summary;
}

export interface RankingFacts {
  embedder: string;
  stand_in: boolean;
  command: string;
  sample: number | undefined;
  sets: SetFacts[];
  weights: { fusion: Fusion; mean: number }[];
  left_out: LeftOut[];
  shipped_fusion: Fusion;
}

/** R@1 that the mean over the sets must reach with a real embedder, with L1 alone (issue 6). */
export const MEAN_BAR = 0.8;

/** What of the bars is missed, in words; nothing with a sample, which is a look and no measurement. */
export function missed({ stand_in, sample, sets }: RankingFacts): string[] {
  if (sample !== undefined) return [];
  const below = sets.flatMap(({ set, shipped, bm25, vectors }) => {
    const bar = stand_in ? bm25.r1 : Math.max(bm25.r1, vectors.r1);
    return shipped.r1 < bar - 1e-9 ? [`${set}: ${digits(shipped.r1)} is below ${digits(bar)}`] : [];
  });
  const mean = meanR1(sets, l1Of);
  const low = !stand_in && sets.length > 1 && mean < MEAN_BAR;
  return low ? [...below, `the mean R@1 of L1 is ${digits(mean)}, below ${MEAN_BAR}`] : below;
}

const digits = (share: number): string => share.toFixed(3).replace(/^0/, '');
const cell = ({ r1, r5, mrr }: Summary): string => [r1, r5, mrr].map(digits).join(' / ');
const l1Of = ({ shipped, without_l0 }: SetFacts): Summary => without_l0 ?? shipped;
const meanR1 = (sets: readonly SetFacts[], of: (set: SetFacts) => Summary): number =>
  sets.reduce((sum, set) => sum + of(set).r1, 0) / Math.max(1, sets.length);

const meanCell = (sets: readonly SetFacts[], of: (set: SetFacts) => Summary): string => {
  const mean = (key: keyof Summary) =>
    sets.reduce((sum, set) => sum + of(set)[key], 0) / Math.max(1, sets.length);
  return cell({ r1: mean('r1'), r5: mean('r5'), mrr: mean('mrr') });
};

const heading = (title: string, command: string, note: string): string =>
  `## ${title}\n\n\`\`\`sh\n${command} --write\n\`\`\`\n\n${note}`;

const by = (embedder: string, stand_in: boolean): string =>
  stand_in ? `${embedder}, a stand-in (hashed words, no meanings)` : embedder;

/** The section of the rankings. */
export function tellRanking(facts: RankingFacts): string {
  const { embedder, stand_in, command, sets, left_out, weights, shipped_fusion } = facts;
  const rows = sets.map((set) => [
    set.set,
    `${set.documents}, ${set.queries}`,
    set.carried,
    cell(set.shipped),
    set.without_l0 ? cell(set.without_l0) : 'the same',
    cell(set.bm25),
    cell(set.vectors),
  ]);
  const problems = missed(facts);
  const bar = stand_in ? 'BM25 alone' : 'the better of the two alone';
  return [
    heading(
      `Retrieval: ${by(embedder, stand_in)}`,
      command,
      `R@1 / R@5 / MRR@10. "As shipped" is the product's own lookup without a session, relevance floor included (\`top_k\` 10 instead of 3, for R@5 and MRR alone); the two sides are the same index asked for one side.${
        facts.sample === undefined ? '' : ` At most ${facts.sample} queries a set.`
      }`,
    ),
    table(
      [
        'set',
        'documents, queries',
        'documents carry',
        'as shipped',
        'without L0',
        'BM25 alone',
        'vectors alone',
      ],
      [...rows, ['mean', '', '', ...[shippedOf, l1Of, bm25Of, vectorsOf].map((of) => meanCell(sets, of))]],
    ),
    problems.length === 0
      ? `As shipped is at least as good as ${bar} on every set${stand_in ? '' : `, and L1 alone has a mean R@1 of ${digits(meanR1(sets, l1Of))} (bar: ${MEAN_BAR})`}.`
      : `Missed: ${problems.join('; ')}.`,
    `Fusion: vectors ${shipped_fusion.weight}, BM25 the rest, ${
      shipped_fusion.damping === 'none'
        ? 'as it is'
        : "times the share of the query's telling words that its best text has"
    }. Mean R@1 by weight, no relevance floor, no L0:`,
    table(
      ['vectors count', ...weightsOf(weights).map(String)],
      (['by words', 'none'] as const).map((damping) => [
        damping === 'none' ? 'BM25 as it is' : 'BM25 by what words can tell',
        ...weights.filter(({ fusion }) => fusion.damping === damping).map(({ mean }) => digits(mean)),
      ]),
    ),
    'Is that luck? Each set with the fusion that is best on the others:',
    table(
      ['left out', 'best on the others', 'R@1 there', 'best possible there'],
      left_out.map(({ set, chosen, r1, best }) => [
        set,
        `${chosen.weight}, ${chosen.damping === 'none' ? 'as it is' : 'by words'}`,
        digits(r1),
        digits(best),
      ]),
    ),
  ].join('\n\n');
}

const shippedOf = ({ shipped }: SetFacts): Summary => shipped;
const bm25Of = ({ bm25 }: SetFacts): Summary => bm25;
const vectorsOf = ({ vectors }: SetFacts): Summary => vectors;
const weightsOf = (weights: RankingFacts['weights']): number[] => [
  ...new Set(weights.map(({ fusion }) => fusion.weight)),
];

export interface FloorFacts {
  embedder: string;
  stand_in: boolean;
  command: string;
  sample: number | undefined;
  /** In force, for two texts of one language and of two. */
  floors: Record<Side, number>;
  same: FloorRow[];
  across: FloorRow[];
  sets: { name: string; first: SetRanks['first'] }[];
  foreign: Foreign[];
}

const percent = (share: number): string => (100 * share).toFixed(1);

/** The part of the relevance-floor section that is this embedder's. */
export function tellFloors({
  embedder,
  stand_in,
  command,
  sample,
  floors,
  same,
  across,
  sets,
  foreign,
}: FloorFacts): string {
  const floorTable = (rows: readonly FloorRow[], side: Side) =>
    table(
      ['floor', 'right answers lost, % of the worst set', 'set', 'unanswerable served, %'],
      rows.map(({ floor, lost, lost_of, served }) => [
        floor === floors[side] ? `**${floor}**` : `${floor}`,
        percent(lost),
        lost_of,
        percent(served),
      ]),
    );
  const rule = (rows: readonly FloorRow[]) => byRule(rows) ?? 'none';
  const pairs = foreign.map(({ set, corpus, served }) => [set, corpus, percent(servedBy(served, floors))]);
  return [
    heading(
      `Relevance floor: ${by(embedder, stand_in)}`,
      command,
      `Rule: the highest floor in steps of 0.01 that takes away at most ${100 * MOST_LOST} % of the right first answers of any set, the other floor in force. An answer is also given without it where a hit has the query's words. "Unanswerable": questions (not keywords) of one set put to the documents of another corpus; what is served then is called \`low\` unless words and meaning agree.${
        sample === undefined ? '' : ` At most ${sample} queries a set, evenly spread.`
      }`,
    ),
    `Query and section in one language: in force ${floors.same}, by the rule ${rule(same)}.`,
    floorTable(same, 'same'),
    `In two languages (a query of three telling words and more): in force ${floors.across}, by the rule ${rule(across)}.`,
    floorTable(across, 'across'),
    'With both in force:',
    table(
      ['set', 'right answers lost, %'],
      sets.map(({ name, first }) => [name, percent(lostBy(first, floors))]),
    ),
    table(['questions of', 'put to documents of', 'served, %'], pairs),
  ].join('\n\n');
}
