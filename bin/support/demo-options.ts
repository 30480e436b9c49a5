import { parseArgs } from 'node:util';

export interface DemoOptions {
  folder: string | undefined;
  json: boolean;
  all: boolean;
  help: boolean;
}

export const USAGE = `KnowHub demo: knowledge comes in, is judged, and is asked for. One process, no network, nothing stays.

  npm run demo                    tells the story of the runbooks in examples/knowledge/
  npm run demo -- DIR             pushes the Markdown files of DIR, then answers questions that you type

Options
  --all     everything: the whole map, every decision that is not a plain admission
  --json    the same facts as one JSON document, and no story
  --help    this text

Questions (after DIR; also one a line through a pipe)
  WORDS           asks; one session, so each domain is searched once
  @DOMAIN WORDS   names the domain, as an agent would that has read the map
  :new            opens another session
  :q, Ctrl-D      ends

Exit codes: 0 done (files that are blank, not UTF-8 or too large are listed, and no failure);
1 a file could not be read, was not decided or reads back otherwise, or there is no Markdown;
2 wrong options or no such folder; 130 Ctrl-C.

The models are stand-ins: rules and hashed words, no AI.`;

/** The options, or what is wrong with them. */
export function readOptions(given: readonly string[]): DemoOptions | { problem: string } {
  try {
    const { values, positionals } = parseArgs({
      args: [...given],
      allowPositionals: true,
      options: {
        json: { type: 'boolean', default: false },
        all: { type: 'boolean', default: false },
        help: { type: 'boolean', short: 'h', default: false },
      },
    });
    if (positionals.length > 1) return { problem: `one folder at most, not ${positionals.length}` };
    return { folder: positionals[0], ...values };
  } catch (error) {
    return { problem: error instanceof Error ? error.message.split('. ')[0]! : String(error) };
  }
}
