import { sumOf } from './counting-ports.ts';
import { type DecisionFact, kindOfDecision } from './decisions.ts';
import type { FolderFacts } from './folder-run.ts';
import { tellMap } from './map-fact.ts';
import type { Folder } from './push-folder.ts';
import { heading, tellDecision } from './story-tell.ts';
import {
  counted,
  displayWidth,
  grouped,
  hanging,
  padded,
  printable,
  shortened,
  type Terminal,
} from './terminal.ts';
import { fewRelations, modelsInWords, portsInWords, requestsInWords, warningInWords } from './words.ts';

const LISTED = 30;
const MAP_LINES = 30;
/** Columns for a path beside its reason, and for a reason beside a path. */
const PATH = 50;
const REASON = 36;

/** Says what will be pushed. */
export function tellFolder(terminal: Terminal, folder: string, { files, skipped }: Folder): void {
  heading(terminal, `1. ${counted(files.length, 'file')} of ${printable(folder)}`);
  const how =
    'The first folder is the category, deeper ones become part of the file name. Each file is compared with what is stored before it gets in.';
  for (const each of hanging('   ', how, terminal.width)) terminal.line(each);
  if (skipped.length > 0) list(terminal, 'skipped', skipped, LISTED / 3);
}

/** Tells what came of it. */
export function tellFolderFacts(terminal: Terminal, facts: FolderFacts, options: { all: boolean }): void {
  const { line, style, width } = terminal;
  const most = options.all ? Number.POSITIVE_INFINITY : LISTED;
  if (facts.refused.length > 0) list(terminal, 'refused', facts.refused, most);
  if (facts.failed.length > 0) list(terminal, 'FAILED', facts.failed, most);
  heading(terminal, '2. Decisions');
  for (const [kind, count] of Object.entries(facts.kinds)) line(`   ${grouped(count).padStart(7)}  ${kind}`);
  tellFields(terminal, facts.decisions);
  tellWarnings(terminal, facts.decisions);
  tellRelated(terminal, facts.decisions, most);
  heading(terminal, '3. The knowledge map');
  tellMap(terminal, facts.map, options.all ? Number.POSITIVE_INFINITY : MAP_LINES);
  heading(terminal, '4. What it cost');
  const requests = sumOf(facts.counts.aws) > 0 ? [requestsInWords(facts.counts.aws)] : [];
  for (const words of [portsInWords(facts.counts), ...requests, modelsInWords(facts.counts)])
    for (const each of hanging('   ', words, width)) line(each);
  const { read_back, same } = facts.bodies;
  const verdict = same === read_back ? style.green : style.red;
  line(
    `   ${verdict(`${grouped(same)} of ${grouped(read_back)} stored bodies read back byte for byte as their files.`)}`,
  );
  line(`   ${(facts.elapsed_ms / 1000).toFixed(1)} s`);
}

function list(
  { line, style, width }: Terminal,
  title: string,
  rows: readonly { origin: string; why: string }[],
  most: number,
): void {
  line();
  line(`   ${style.yellow(`${grouped(rows.length)} ${title}`)}`);
  const shown = rows.slice(0, most);
  const longest = Math.max(...shown.map(({ origin }) => displayWidth(printable(origin))));
  const column = Math.min(width - REASON, longest);
  for (const { origin, why } of shown) {
    const head = `     ${padded(shortened(printable(origin), column), column)}  `;
    for (const each of hanging(head, printable(why), width)) line(each);
  }
  if (rows.length > most) line(`     +${rows.length - most} more`);
}

function tellFields({ line, style, width }: Terminal, decisions: readonly DecisionFact[]): void {
  const bare = decisions.filter(({ generated }) => generated.length > 0);
  if (bare.length === 0) return;
  const by = [...new Set(bare.flatMap(({ generated_by }) => generated_by))].join(', ');
  const words = `${counted(bare.length, 'file')} lacked frontmatter fields; ${by || 'a model'} wrote them.`;
  line();
  for (const each of hanging('   * ', words, width, style.yellow)) line(each);
}

function tellWarnings({ line, style }: Terminal, decisions: readonly DecisionFact[]): void {
  const counts = new Map<string, number>();
  for (const { warnings } of decisions)
    for (const words of new Set(warnings.map((warning) => warningInWords(warning))))
      counts.set(words, (counts.get(words) ?? 0) + 1);
  if (counts.size === 0) return;
  line();
  for (const [words, count] of [...counts].sort(([, m], [, n]) => n - m))
    line(style.yellow(`   ! ${counted(count, 'file')}: ${printable(words)}`));
}

/** All that is not a plain admission. */
function tellRelated(terminal: Terminal, decisions: readonly DecisionFact[], most: number): void {
  const related = decisions.filter((fact) => kindOfDecision(fact) !== 'admitted');
  if (related.length === 0) return;
  const { line } = terminal;
  line();
  const shown = related.slice(0, most);
  const column = Math.min(PATH, Math.max(...shown.map(({ path }) => displayWidth(printable(path)))));
  for (const fact of shown) tellDecision(terminal, inShort(fact), column);
  if (related.length > shown.length) line(`   +${related.length - shown.length} more (--all shows them)`);
}

/** The decision alone. */
function inShort(fact: DecisionFact): DecisionFact {
  const relations = fewRelations(fact.path, fact.relations, (more) => ` (+${more} more relations)`);
  return { ...fact, relations, helped: [], warnings: [], generated: [] };
}
