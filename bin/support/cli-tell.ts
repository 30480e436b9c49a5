import type { PushedFile, PushFacts } from './cli-facts.ts';
import { whyInWords } from './cli-facts.ts';
import type { LookupAnswer, StatusReply } from './cli-replies.ts';
import {
  counted,
  displayWidth,
  grouped,
  hanging,
  padded,
  printable,
  type Style,
  shortened,
  type Terminal,
} from './terminal.ts';
import { fewRelations, warningInWords } from './words.ts';

const MOST_PATH = 48;
const LEAST_WHY = 30;
const SKIPPED = 10;

/** Tells what came of a folder: a line a file, those that failed last, then the counts. */
export function tellPush(terminal: Terminal, facts: PushFacts): void {
  const { line, style, width } = terminal;
  const { results, kinds, skipped, interrupted, elapsed_ms } = facts;
  tellTable(terminal, results);
  if (skipped.length > 0) tellSkipped(terminal, facts);
  if (results.length > 0) line();
  for (const [kind, count] of Object.entries(kinds)) line(`${grouped(count).padStart(7)}  ${kind}`);
  const done = `${counted(facts.files, 'file')} in ${(elapsed_ms / 1000).toFixed(1)} s.`;
  line();
  if (!interrupted) line(done);
  else for (const each of hanging('', interruption(facts), width, style.yellow)) line(each);
}

function interruption({ files, results }: PushFacts): string {
  const uploaded = results.filter(({ decision }) => decision !== 'failed').length;
  const decided = results.filter(({ decision }) => decision === 'admitted' || decision === 'rejected').length;
  return `Interrupted: ${grouped(uploaded)} of ${counted(files, 'file')} uploaded, ${grouped(decided)} of them seen decided. Those go on by themselves; push again for the rest.`;
}

function tellTable(terminal: Terminal, results: readonly PushedFile[]): void {
  if (results.length === 0) return;
  const { line, style, width } = terminal;
  const named = (result: PushedFile) => printable(result.path || result.origin);
  const verdict = Math.max(...VERDICTS.map((each) => each.length));
  const longest = Math.max('PATH'.length, ...results.map((result) => displayWidth(named(result))));
  const column = Math.min(MOST_PATH, longest, width - verdict - LEAST_WHY - 4);
  line(style.dim(`${padded('DECISION', verdict)}  ${padded('PATH', column)}  WHY`));
  const ordered = [
    ...results.filter(({ decision }) => decision !== 'failed'),
    ...results.filter(({ decision }) => decision === 'failed'),
  ];
  for (const result of ordered) {
    const paint = paintOf(terminal, result);
    const path = named(result);
    const head = `${paint(padded(result.decision, verdict))}  `;
    const indent = ' '.repeat(verdict + 2 + column + 2);
    const [first = '', ...rest] = hanging(indent, printable(whyInWords(inShort(result))), width);
    const why = first.slice(indent.length);
    if (displayWidth(path) <= column) line(`${head}${padded(path, column)}  ${why}`.trimEnd());
    // A path is never cut: it is what one copies.
    else for (const each of [head + path, ...(why === '' ? [] : [indent + why])]) line(each);
    for (const each of rest) line(' '.repeat(indent.length) + each.trimStart());
    for (const warning of new Set(result.warnings.map(warningInWords)))
      for (const each of hanging(`${' '.repeat(verdict + 2)}! `, printable(warning), width, style.yellow))
        line(each);
  }
}

const inShort = (result: PushedFile): PushedFile => ({
  ...result,
  relations: fewRelations(result.path, result.relations, (more) => ` (+${more} more)`),
});

const VERDICTS: readonly PushedFile['decision'][] = [
  'admitted',
  'rejected',
  'unchanged',
  'waiting',
  'failed',
];

function paintOf({ style }: Terminal, { decision }: PushedFile): Style {
  if (decision === 'admitted') return style.green;
  if (decision === 'failed') return style.red;
  return decision === 'unchanged' ? style.dim : style.yellow;
}

function tellSkipped({ line, style, width }: Terminal, { skipped }: PushFacts): void {
  line();
  line(style.dim(`${counted(skipped.length, 'file or folder', 'files and folders')} left alone`));
  for (const { origin, why } of skipped.slice(0, SKIPPED))
    line(style.dim(`  ${shortened(printable(`${origin}: ${why}`), width - 2)}`));
  if (skipped.length > SKIPPED) line(style.dim(`  +${skipped.length - SKIPPED} more`));
}

/** Tells the answer to a question; excerpts as they are, so that code stays code. */
export function tellLookup({ line, style, width }: Terminal, reply: LookupAnswer): void {
  const { level, confidence, documents, message, suppressed, session, stand_ins } = reply;
  const by = stand_ins.length > 0 ? `, by ${stand_ins.join(', ')}` : '';
  const verdict =
    documents.length > 0
      ? style.green(`${level}, confidence ${confidence}`)
      : style.yellow('nothing handed over');
  line(`${verdict}${style.dim(printable(by))}`);
  for (const { id, path, title, section, excerpt, truncated } of documents) {
    line();
    line(style.bold(printable(title || path || id)));
    line(style.dim(`  ${printable(path || id)}${section && ` § ${printable(section)}`}`));
    for (const each of excerpt.trimEnd().split(/\r?\n/)) line(`  ${plain(each)}`.trimEnd());
    if (truncated) line(style.dim('  (there is more of it)'));
  }
  line();
  for (const each of hanging('', printable(message), width)) line(each);
  for (const { id, path, reason } of suppressed)
    line(style.dim(`  held back: ${printable(path || id)} (${printable(reason)})`));
  if (session.searched_domains.length > 0)
    for (const each of hanging(
      'searched in this session: ',
      printable(session.searched_domains.join(', ')),
      width,
      style.dim,
    ))
      line(each);
}

const plain = (text: string): string => printable(text.replaceAll('\t', '    '));

/** Tells one item's status; `relations` with the names of the other ends. */
export function tellStatus(
  { line, style, width }: Terminal,
  reply: StatusReply,
  relations: readonly { type: string; to: string }[],
): void {
  const { id, kind, path, status, decision, model, decided_at, needs_review } = reply;
  const paint =
    status === 'rejected'
      ? style.red
      : status === 'approved' || status === 'checked'
        ? style.green
        : style.yellow;
  const rows: [string, string][] = [
    ['id', id],
    ['kind', kind],
    ...(path === undefined ? [] : [['path', path] as [string, string]]),
    ['status', status],
    ['decision', decision],
    ...(model === undefined ? [] : [['judged by', model] as [string, string]]),
    ...(decided_at === undefined
      ? []
      : [['decided at', new Date(decided_at * 1000).toISOString()] as [string, string]]),
    ...(needs_review === undefined ? [] : [['review', needs_review] as [string, string]]),
    ...relations.map(({ type, to }): [string, string] => ['relation', `${type} ${to}`]),
  ];
  for (const [name, value] of rows)
    for (const each of hanging(
      padded(name, 12),
      printable(value),
      width,
      name === 'status' ? paint : undefined,
    ))
      line(each);
}
