import { deciding, highestFloor, isAcross, keeps, type Measured, toBeSeen } from './floor-counts.ts';
import { atFloor, decidingTable, floorsFor, reachTable, thresholdTable } from './floor-tables.ts';
import type { JudgedCase } from './judge-cases.ts';
import { per, table } from './markdown.ts';
import type { TwinCount } from './twin-pools.ts';
import type { Scored } from './verdicts.ts';

/** Everything that one run without `--judge` measured. */
export interface FloorFacts {
  embedder: string;
  stand_in: boolean;
  /** The command that measured it. */
  command: string;
  sample: number | undefined;
  /** The floor that KnowHub ships for this embedder, and whether it was measured before. */
  floor: number;
  measured: Measured[];
  /** Each newcomer against everything that is stored. */
  base: TwinCount[];
  /** Each newcomer against 50 siblings of one task. */
  siblings: TwinCount[];
}

/** Whether the shipped floor loses at most 1 % of the true duplicates of every set that decides. */
export const holds = (facts: Pick<FloorFacts, 'measured' | 'floor' | 'stand_in'>): boolean =>
  duplicatesOf(facts).every((one) => keeps(one, facts.floor));

/** The stand-in sees words: two languages have none in common. */
const duplicatesOf = ({ measured, stand_in }: Pick<FloorFacts, 'measured' | 'stand_in'>) =>
  deciding(measured, !stand_in);

const READINGS = `Task: *sentence* = the sentence; *entry* = the section's heading; *document* = title, summary, covers and
when_to_retrieve, the title being the heading and the rest written by the stand-in's rules; *summary* = that summary alone, as if
two authors had chosen titles that have nothing in common.`;

const sampled = (sample: number | undefined): string =>
  sample === undefined
    ? 'All pairs.'
    : `A sample: ${sample} pairs of each relation and set, ${3 * sample} of duplicates where there are as many; always the same ones.`;

const shown = (floor: number | undefined): string => floor?.toFixed(2) ?? 'anything: no set has enough pairs';
const alsoSeen = (floor: number | undefined): string =>
  floor === 0 ? 'no floor is low enough' : `it may be at most ${shown(floor)}`;

/** The section about one embedder. */
export function tellFloors(facts: FloorFacts): string {
  const { embedder, stand_in, command, sample, floor, measured, base } = facts;
  const floors = floorsFor(measured, floor);
  const duplicates = duplicatesOf(facts);
  const comparable = measured.filter((one) => !stand_in || !isAcross(one));
  const highest = highestFloor(duplicates);
  const seen = highestFloor([...duplicates, ...toBeSeen(measured)]);
  return `## What reaches the judge: ${embedder}${stand_in ? ' (stand-in: hashed words, no model)' : ''}

\`${command}\`. ${sampled(sample)} ${READINGS}

**The rule.** A floor may be at most **${shown(highest)}**: the highest hundredth at which 99 % of the true duplicates of *every* set and
reading reach the judge${stand_in ? ' (translations aside: it sees words, and two languages have none in common)' : ''}. To let 95 % of the subsets, supersets and conflicts of every set and reading through as
well, ${alsoSeen(seen)}. Shipped: **${floor.toFixed(2)}**.

${decidingTable(duplicates, floor)}

At ${floor.toFixed(2)}, all sets${stand_in ? ' but the translations' : ''} together: ${atFloor(comparable, floor)}. What is \`none\` there goes to the judge for nothing.

Pairs that reach the judge at each floor, in % (\`none\`: for nothing; \`covers\`: superset or duplicate, the label does not say which;
\`complement\`: sections of one page):

${reachTable(measured, floors)}

Why a judge is there: newcomers that a threshold alone would reject although they hold something new (superset, conflict,
complement, none):

${thresholdTable(measured, floors)}${base.length > 0 ? `\n\n${tellBase(base)}` : ''}`;
}

const tellBase = (base: readonly TwinCount[]): string =>
  `Each section against all stored ones of its set, as recall finds them: the 50 nearest tasks, the floor, then 10 by task and
content. The true counterpart is among the 10:

${twinTable(base)}`;

/** The section about siblings of one task, which is the same for every embedder. */
export const tellSiblings = ({ command, siblings }: Pick<FloorFacts, 'command' | 'siblings'>): string =>
  `## Among 50 siblings of one task

\`${command}\`. Each newcomer against 50 stored texts under one and the same task, its counterpart and the 49 that stand nearest to it
in the set: all task vectors are equal, so only the contents can tell. The counterpart is among the 10 that the judge sees:

${twinTable(siblings)}

What shares no words with its counterpart, a contradiction in wholly other ones (zh_ocnli_dev) or a translation, may be missed among
50 siblings of one and the same task; under tasks of their own the embedder tells them apart.`;

const twinTable = (rows: readonly TwinCount[]): string =>
  table(
    ['set', 'task', 'relation', 'stored', 'newcomers', 'by task alone, %', 'as KnowHub ranks, %', 'first, %'],
    rows.map(({ set, pool, relation, size, newcomers, by_task, ranked, first }) => [
      set,
      pool,
      relation,
      size,
      newcomers,
      ...[by_task, ranked, first].map((count) => per(count, newcomers)),
    ]),
  );

/** Everything that one run with `--judge` measured. */
export interface JudgeFacts {
  judge: string;
  stand_in: boolean;
  command: string;
  sample: number;
  cases: JudgedCase[];
  scored: Scored[];
}

const SAID = ['duplicate', 'subset', 'superset', 'conflict', 'complement', 'none', 'coined', 'unreadable'];

/** The section about one judge. */
export function tellVerdicts({ judge, stand_in, command, sample, cases, scored }: JudgeFacts): string {
  const sum = (of: (row: Scored) => number) => scored.reduce((total, row) => total + of(row), 0);
  const pairs = sum((row) => row.pairs);
  return `## Verdicts: ${judge}${stand_in ? ' (stand-in: rules, no model)' : ''}

\`${command}\`. Cases of \`cases/admission.json\`: **${cases.filter(({ right }) => right).length} of ${cases.length}** right.

${table(
  ['case', 'right', 'said', 'decision', 'calls', ''],
  cases.map(({ id, relations, said, rejected, calls, right }) => [
    id,
    relations.join(' or ') || 'not compared',
    said,
    rejected ? 'rejected' : 'approved',
    calls,
    right ? 'right' : '**wrong**',
  ]),
)}

${sample} pairs of each relation, from its sets in turn, always the same ones; each pair by itself. Sentences of one set are given one
task. Right verdicts: ${per(
    sum((row) => row.right),
    pairs,
  )} % of ${pairs}. The costly error, **wrongly rejected**: ${sum((row) => row.wrongly_rejected)}. Stored twice: ${sum((row) => row.admitted_twice)}. Model calls: ${sum((row) => row.calls)}.

${table(
  ['label', 'set', 'pairs', ...SAID, 'right, %', 'wrongly rejected', 'stored twice'],
  scored.map((row) => [
    row.label,
    row.set,
    row.pairs,
    ...SAID.map((type) => row.said[type] ?? 0),
    per(row.right, row.pairs),
    row.wrongly_rejected,
    row.admitted_twice,
  ]),
)}`;
}
