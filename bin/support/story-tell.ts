import { STANDIN_EMBEDDER } from '#lib/adapters/standin/embedder.ts';
import { STANDIN_WRITER } from '#lib/adapters/standin/model.ts';
import { tellAsked } from './ask.ts';
import { sumOf } from './counting-ports.ts';
import type { DecisionFact } from './decisions.ts';
import type { StoresKind } from './demo-stores.ts';
import { tellMap } from './map-fact.ts';
import type { Audience, ReplayFact, StoryFacts, TwinsFact } from './story-run.ts';
import { counted, displayWidth, grouped, hanging, padded, printable, type Terminal } from './terminal.ts';
import { modelsInWords, portsInWords, reasonInWords, requestsInWords, warningInWords } from './words.ts';

const MAP_LINES = 60;

/** Tells the story to people, part by part. */
export function storyTeller(terminal: Terminal, options: { all: boolean }): Audience {
  const { line, style, width } = terminal;
  let path_width = 0;
  const text = (words: string) => {
    for (const each of hanging('   ', words, width)) line(each);
  };
  return {
    start({ stores, documents, longest_path }) {
      path_width = longest_path;
      tellHead(terminal, stores);
      heading(terminal, `1. ${counted(documents, 'runbook')} come in, one after the other`);
      text(
        'Each one is compared with what is stored before it gets in. What is known already is rejected; what adds to it, or contradicts it, stays, and both ends know of each other.',
      );
      line();
    },
    decision: (fact) => tellDecision(terminal, fact, path_width),
    map(map) {
      heading(terminal, '2. The knowledge map, which goes into the prompts of Planner and Executor');
      tellMap(terminal, map, options.all ? Number.POSITIVE_INFINITY : MAP_LINES);
    },
    asked(asked, nth) {
      if (nth === 1) {
        heading(terminal, '3. An agent asks: one session, each domain searched once');
        text('L0 looks for keywords, in memory. L1 searches by meaning and words, and needs an embedding.');
      }
      line();
      const domain =
        'domain' in asked && asked.domain !== undefined ? style.dim(`  domain: ${asked.domain}`) : '';
      line(`   ${style.cyan('?')} ${style.bold(printable(asked.query))}${domain}`);
      tellAsked(terminal, asked);
    },
    n2: (fact) => tellN2(terminal, fact),
    twins: (fact) => tellTwins(terminal, fact),
    end: (totals) => tellEnd(terminal, totals),
  };
}

export function heading({ line, style }: Terminal, title: string): void {
  line();
  line(style.bold(title));
  line();
}

/** On what it runs, what stands in for what included. */
export function tellHead({ line, style, width }: Terminal, stores: StoresKind): void {
  line(
    style.bold('KnowHub: a knowledge base for AI agents that admits nothing twice and tells nothing twice.'),
  );
  line();
  for (const each of hanging('   ', STORES_IN_WORDS[stores], width)) line(each);
  const notice = `The models here are STAND-INS: rules and hashed words, no AI (${STANDIN_WRITER.name}, ${STANDIN_EMBEDDER.name}). They see words, not meanings; a real model judges better.`;
  for (const each of hanging('   ', notice, width, style.yellow)) line(each);
}

const STORES_IN_WORDS: Readonly<Record<StoresKind, string>> = {
  emulated:
    "All of it runs in this one process, and is gone when it ends: production's own adapters for DynamoDB, S3 and SQS, on EMULATORS (dynalite, fauxqs) in a throw-away folder. In place of OpenSearch a STAND-IN: exact cosine and BM25 in memory. The demo itself works the queues off, where on AWS Lambda does.",
  memory:
    'All of it runs in this one process, in memory, and is gone when it ends: STAND-INS for the stores, queues and search index of AWS (--stores emulated takes the adapters of production, on emulators).',
};

/** One decision: verdict, path and reason, then what else there is to say of it. */
export function tellDecision({ line, style, width }: Terminal, fact: DecisionFact, path_width: number): void {
  const verdict = padded(fact.decision, 'admitted'.length);
  const coloured = (fact.decision === 'admitted' ? style.green : style.red)(verdict);
  const indent = ' '.repeat(3 + verdict.length + 2);
  const path = printable(fact.path);
  const reason = printable(reasonInWords(fact));
  const column = Math.max(path_width, displayWidth(path));
  const fits = indent.length + column + 2 + displayWidth(reason) <= width;
  line(`   ${coloured}  ${fits ? `${padded(path, column)}  ${reason}` : path}`);
  const say = (head: string, words: string, paint?: (words: string) => string) => {
    for (const each of hanging(indent + head, words, width, paint)) line(each);
  };
  if (!fits) say('', reason);
  for (const { item, helpful } of fact.helped)
    say('+ ', printable(`${item} was helpful: ${helpful}`), style.dim);
  for (const warning of fact.warnings) say('! ', printable(warningInWords(warning)), style.yellow);
  if (fact.generated.length > 0)
    say('* ', `${fact.generated.join(', ')}: written by ${fact.generated_by.join(', ')}`, style.yellow);
}

function tellN2(terminal: Terminal, { with_domain, without_domain }: StoryFacts['n2']): void {
  const { line, width } = terminal;
  heading(terminal, '4. The recorded session of note N2, replayed');
  const intro =
    'An Executor made 20 lookups in one session: 2 or 3 were useful, 11 were stopped after 400 to 500 ms each, and about 10 s were lost. The same 20 queries here, on the two documents of the note, in a knowledge base of their own:';
  for (const each of hanging('   ', intro, width)) line(each);
  line();
  const rows = [
    ['', 'served', 'stopped', 'port calls', 'embeddings', 'stopped calls cost'],
    replayRow('domain named', with_domain),
    replayRow('no domain named', without_domain),
  ];
  const widths = rows[0]!.map((_, at) => Math.max(...rows.map((row) => displayWidth(row[at]!))));
  for (const row of rows) {
    const head = row.slice(0, -1).map((cell, at) => padded(cell, widths[at]!));
    for (const each of hanging(`   ${head.join('  ')}  `, row.at(-1)!, width)) line(each.trimEnd());
  }
  line();
  const handed = with_domain.returned.map(printable).join(' and ');
  for (const each of hanging('   ', `Handed over, once each: ${handed}.`, width)) line(each);
  if (sumOf(with_domain.aws_requests) === 0) return;
  const [named, unnamed] = [with_domain, without_domain].map(({ aws_requests }) =>
    requestsInWords(aws_requests),
  );
  const requests = `Domain named: ${named}. No domain named: ${unnamed}.`;
  for (const each of hanging('   ', requests, width)) line(each);
}

function replayRow(name: string, replay: ReplayFact): string[] {
  const { served, stopped, store_calls, model_calls } = replay;
  return [
    name,
    String(served),
    String(stopped),
    String(store_calls),
    String(model_calls),
    costOfStopped(replay),
  ];
}

/** `18 × 1 read`, or the several prices that were paid. */
function costOfStopped({ calls }: ReplayFact): string {
  const prices = new Map<string, number>();
  for (const { store_calls, model_calls } of calls.filter(({ returned }) => returned.length === 0)) {
    const embedding = model_calls > 0 ? ` + ${counted(model_calls, 'embedding')}` : '';
    const price = `${counted(store_calls, 'call')}${embedding}`;
    prices.set(price, (prices.get(price) ?? 0) + 1);
  }
  return [...prices].map(([price, count]) => `${count} × ${price}`).join(', ');
}

function tellTwins(terminal: Terminal, twins: TwinsFact): void {
  const { line, style, width } = terminal;
  heading(
    terminal,
    `5. ${twins.sent} equal entries at once, judged by ${twins.workers} workers side by side`,
  );
  line(`   each: "${twins.task}"`);
  line();
  const odd = twins.others > 0 ? style.red(`, ${twins.others} something else`) : '';
  line(
    `   ${style.green(`${twins.admitted.length} admitted`)}, ${style.red(`${twins.rejected_as_duplicates} rejected`)} as duplicates of it${odd}`,
  );
  line(`   ${printable(twins.admitted.join(', '))} was helpful: ${twins.helpful}`);
  line(`   ${counted(twins.judge_calls, 'judge call')}: what is identical needs no model`);
  const { ports, aws, embedded_texts } = twins.cost;
  const cost = [
    `${grouped(sumOf(ports))} port calls`,
    ...(sumOf(aws) > 0 ? [requestsInWords(aws)] : []),
    counted(embedded_texts, 'embedding'),
  ];
  for (const each of hanging('   cost     ', cost.join(', '), width, style.dim)) line(each);
}

function tellEnd(terminal: Terminal, { decisions, counts, elapsed_ms }: StoryFacts['totals']): void {
  const { line, width, style } = terminal;
  heading(terminal, 'In all (but for part 4)');
  const kinds = Object.entries(decisions).map(([kind, count]) => `${grouped(count)} ${kind}`);
  const requests = sumOf(counts.aws) > 0 ? [requestsInWords(counts.aws)] : [];
  for (const words of [kinds.join(', '), portsInWords(counts), ...requests, modelsInWords(counts)])
    for (const each of hanging('   ', words, width)) line(each);
  const decided = Object.values(decisions).reduce((sum, count) => sum + count, 0);
  const sums = [
    `${grouped(decided)} decisions`,
    `${grouped(sumOf(counts.ports))} port calls`,
    ...(sumOf(counts.aws) > 0 ? [counted(sumOf(counts.aws), 'AWS request')] : []),
    `${grouped(sumOf(counts.models))} model calls`,
  ];
  const last = `${sums.join(', ')} in ${(elapsed_ms / 1000).toFixed(1)} s.`;
  for (const each of hanging('   ', last, width, style.bold)) line(each);
}
