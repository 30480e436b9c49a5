import { KnowHubError } from '#lib/core/errors.ts';
import type { LookupReply } from '#lib/core/lookup-reply.ts';
import { lookup } from '#lib/usecases/lookup.ts';
import { between, type Counts } from './counting-ports.ts';
import type { LocalSystem } from './local-instance.ts';
import { hanging, printable, shortened, type Terminal } from './terminal.ts';
import { costInWords } from './words.ts';

export const AGENT = { principal: 'agent:executor', scopes: [] as string[] };

/** One question of an agent: what came back, and what it cost. */
export interface AskedFact {
  query: string;
  domain?: string;
  level: LookupReply['level'];
  confidence: LookupReply['confidence'];
  documents: { path: string; title: string; section: string; first_line: string; score: number }[];
  suppressed: { path: string; reason: string }[];
  message: string;
  stand_ins: string[];
  cost: Counts;
}

/** A question that was refused, e.g. an empty one. */
export interface RefusedFact {
  query: string;
  refused: string;
}

/** Asks within one session (R6.5, R6.6); what the caller did wrong is an answer, too. */
export const asking =
  (system: LocalSystem, session_id: string) =>
  async (query: string, domain?: string): Promise<AskedFact | RefusedFact> => {
    const before = system.counts();
    const asked = { query, ...(domain !== undefined && { domain }) };
    try {
      const reply = await lookup(system.instance)(AGENT, { ...asked, session_id });
      return { ...asked, ...shown(reply), cost: between(before, system.counts()) };
    } catch (error) {
      if (error instanceof KnowHubError) return { query, refused: error.message };
      throw error;
    }
  };

const shown = (reply: LookupReply) => ({
  level: reply.level,
  confidence: reply.confidence,
  documents: reply.documents.map(({ path, title, section, excerpt, score }) => ({
    path,
    title,
    section,
    first_line: firstLine(excerpt, section),
    score,
  })),
  suppressed: reply.suppressed.map(({ path, reason }) => ({ path, reason })),
  message: reply.message,
  stand_ins: reply.stand_ins ?? [],
});

/** Of a section that matched, what comes after its own heading. */
function firstLine(excerpt: string, section: string): string {
  const lines = excerpt
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '' && line !== section && !line.startsWith('```'));
  return lines.find((line) => !line.startsWith('#')) ?? lines[0] ?? '';
}

/** Tells one question and its answer. */
export function tellAsked(terminal: Terminal, asked: AskedFact | RefusedFact): void {
  const { line, style, width } = terminal;
  if ('refused' in asked) {
    line(`   ${style.yellow('refused')}  ${printable(asked.refused)}`);
    return;
  }
  const { level, confidence, documents, message, cost, stand_ins } = asked;
  const found = documents.length > 0;
  const by = stand_ins.length > 0 ? `, by ${stand_ins.join(', ')}` : '';
  const verdict = found
    ? style.green(`${level}, confidence ${confidence}`)
    : style.yellow('nothing handed over');
  line(`   ${verdict}${style.dim(by)}`);
  for (const { path, title, section, first_line } of documents) {
    line(`     ${shortened(printable(title), width - 5)}`);
    for (const text of [path, belowTitle(section, title), first_line].filter((each) => each !== ''))
      line(style.dim(`       ${shortened(printable(text), width - 7)}`));
  }
  for (const text of hanging('   message  ', printable(message), width)) line(text);
  for (const text of hanging('   cost     ', costInWords(cost), width, style.dim)) line(text);
}

/** The heading path of a section; its first heading is often the title again. */
function belowTitle(section: string, title: string): string {
  const below =
    section === title ? '' : section.startsWith(`${title} > `) ? section.slice(title.length + 3) : section;
  return below === '' ? '' : `§ ${below}`;
}
