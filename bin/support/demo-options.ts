import { parseArgs } from 'node:util';
import { STORES, type StoresKind } from './demo-stores.ts';

export interface DemoOptions {
  folder: string | undefined;
  stores: StoresKind;
  json: boolean;
  all: boolean;
  help: boolean;
}

export const USAGE = `KnowHub demo: knowledge comes in, is judged, and is asked for. One process, no
network beyond it, nothing stays.

  npm run demo                    tells the story of the runbooks in examples/knowledge/
  npm run demo -- DIR             pushes the Markdown files of DIR, then answers questions that you type

Options
  --stores emulated   the adapters of production on emulators of DynamoDB, S3 and SQS, in a throw-away folder;
                      the story's default
  --stores memory     everything in memory, at once; the default with DIR, as there may be many files
  --memory            the same
  --all               everything: the whole map, every decision that is not a plain admission
  --json              the same facts as one JSON document, and no story
  --help              this text

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
        stores: { type: 'string' },
        memory: { type: 'boolean', default: false },
        json: { type: 'boolean', default: false },
        all: { type: 'boolean', default: false },
        help: { type: 'boolean', short: 'h', default: false },
      },
    });
    if (positionals.length > 1) return { problem: `one folder at most, not ${positionals.length}` };
    const { stores: named, memory, ...rest } = values;
    const [folder] = positionals;
    const wanted = memory ? (named ?? 'memory') : named;
    const stores =
      wanted === undefined ? DEFAULT[folder === undefined ? 'story' : 'folder'] : storesOf(wanted);
    if (stores === undefined) return { problem: `--stores: one of ${STORES.join(', ')}, not ${wanted}` };
    if (memory && stores !== 'memory') return { problem: '--memory and --stores emulated: one of them' };
    return { folder, stores, ...rest };
  } catch (error) {
    return { problem: error instanceof Error ? error.message.split('. ')[0]! : String(error) };
  }
}

const DEFAULT: Readonly<Record<'story' | 'folder', StoresKind>> = { story: 'emulated', folder: 'memory' };

const storesOf = (given: string): StoresKind | undefined => STORES.find((each) => each === given);
