import { createInterface, type Interface } from 'node:readline';
import { listDomains } from '#lib/usecases/list-domains.ts';
import { AGENT, type AskedFact, asking, type RefusedFact } from './ask.ts';
import type { LocalSystem } from './local-instance.ts';

/** A pipe that nobody writes into must not keep the demo waiting for ever. */
const FIRST_LINE_MS = 2000;

export interface Listener {
  answer(fact: AskedFact | RefusedFact): void;
  note(words: string): void;
}

/**
 * Answers the lines that come in, each a question; all in one session, so that a domain is searched once. `:q` ends,
 * `:new` opens another session, `@DOMAIN question` names the domain as an agent would.
 */
export async function answerLines(
  system: LocalSystem,
  lines: AsyncIterable<string>,
  listener: Listener,
): Promise<void> {
  const domains = (await listDomains(system.instance)(AGENT)).map(({ domain_id }) => domain_id);
  let session = 1;
  let ask = asking(system, `session-${session}`);
  for await (const typed of lines) {
    const line = typed.trim();
    if (line === ':q') return;
    if (line === ':new') {
      session += 1;
      ask = asking(system, `session-${session}`);
      listener.note('A new session: nothing was searched yet.');
    } else if (line.startsWith('@')) {
      const domain = domains
        .filter((each) => line.startsWith(`@${each} `))
        .reduce((longest, each) => (each.length > longest.length ? each : longest), '');
      if (domain === '') listener.note(`No such domain. There are: ${domains.join(', ')}.`);
      else listener.answer(await ask(line.slice(domain.length + 1).trim(), domain));
    } else if (line !== '') listener.answer(await ask(line));
  }
}

/** Lines typed at a terminal, behind a prompt. Ctrl-D ends them. */
export async function* typedLines(interrupted: () => void): AsyncGenerator<string> {
  const lines = createInterface({ input: process.stdin, output: process.stdout, prompt: '? ' });
  // In raw mode Ctrl-C is a key, and no signal.
  lines.on('SIGINT', interrupted);
  lines.prompt();
  for await (const line of lines) {
    yield line;
    lines.prompt();
  }
}

/** Lines of a pipe or a file; none if the first one does not come soon. */
export async function* pipedLines(): AsyncGenerator<string> {
  const lines: Interface = createInterface({ input: process.stdin, terminal: false });
  const patience = setTimeout(() => lines.close(), FIRST_LINE_MS);
  for await (const line of lines) {
    clearTimeout(patience);
    yield line;
  }
  clearTimeout(patience);
  process.stdin.destroy();
}
