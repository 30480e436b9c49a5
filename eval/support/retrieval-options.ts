import { parseArgs } from 'node:util';
import { EMBEDDER_FLAGS, type Embeddings, embeddingsOf, noNumber } from './embedder-options.ts';
import { SETS } from './retrieval-sets.ts';

export interface RetrievalOptions {
  help: boolean;
  json: boolean;
  /** Renews the sections of docs/evaluation.md. */
  write: boolean;
  data: string;
  sets: readonly string[];
  /** At most so many queries of a set, evenly spread; `undefined`: all. */
  sample: number | undefined;
  embeddings: Embeddings;
  /** Which parts are measured. */
  parts: readonly Part[];
}

export const PARTS = ['ranking', 'floor', 'routing'] as const;
export type Part = (typeof PARTS)[number];

export const HELP = `Usage: npm run eval -- retrieval [options]

On public questions with labels made by others: R@1, R@5 and MRR@10 of the product's own lookup beside BM25 alone and
vectors alone; what each relevance floor loses, and what it serves of questions that cannot be answered; how often the
routing texts of the knowledge map lead to the right domain.

  --embedder stand-in     hashed words: no key, no download (the default)
  --embeddings URL        an OpenAI-compatible server's embedder, e.g. http://127.0.0.1:8000/v1; its answers are kept in
                          ~/.cache/knowhub/embeddings, so that a run that was stopped goes on (variable: MODELS_KEY)
    --model NAME          which one (multilingual-e5-small)
    --dimensions N        of its vectors (384)
  --sets A,B              some of ${SETS.join(', ')}
  --sample N              at most N queries of a set, evenly spread
  --only A,B              some of ${PARTS.join(', ')}
  --data DIR              where retrieval/ lies (../shared/data)
  --write                 renews the sections of docs/evaluation.md
  --json                  all of it as JSON
  --help                  this text

Exit codes: 0 measured, and every bar of the table is reached; 1 one is missed, or it failed; 2 wrong use; 130 Ctrl-C.`;

/** The command line's options, or what is wrong with them. */
export function readOptions(args: readonly string[], data: string): RetrievalOptions | string {
  try {
    const { values } = parseArgs({
      args: [...args],
      options: {
        help: { type: 'boolean', short: 'h', default: false },
        json: { type: 'boolean', default: false },
        write: { type: 'boolean', default: false },
        data: { type: 'string', default: data },
        sets: { type: 'string', default: SETS.join() },
        only: { type: 'string', default: PARTS.join() },
        sample: { type: 'string' },
        ...EMBEDDER_FLAGS,
      },
    });
    const { help, json, write, sample, dimensions } = values;
    const parts = listOf('only', values.only, PARTS);
    if (typeof parts === 'string') return parts;
    // A folder of one's own may hold other sets.
    const sets = values.data === data ? listOf('sets', values.sets, SETS) : values.sets.split(',');
    if (typeof sets === 'string') return sets;
    const problem = noNumber({ sample, dimensions });
    if (problem !== undefined) return problem;
    const embeddings = embeddingsOf(values);
    if (typeof embeddings === 'string') return embeddings;
    return {
      ...{ help, json, write, data: values.data, sets, parts, embeddings },
      sample: sample === undefined ? undefined : Number(sample),
    };
  } catch (error) {
    return error instanceof Error ? error.message.split('. ')[0]! : String(error);
  }
}

function listOf<Name extends string>(option: string, given: string, known: readonly Name[]): Name[] | string {
  const names = given.split(',').map((name) => name.trim());
  const unknown = names.find((name) => !known.some((each) => each === name));
  if (unknown !== undefined) return `--${option}: "${unknown}" is none of ${known.join(', ')}`;
  return known.filter((name) => names.includes(name));
}
