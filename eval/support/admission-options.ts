import { parseArgs } from 'node:util';
import { isHttp } from '#lib/runtime/local/options.ts';
import {
  EMBEDDER_FLAGS,
  type EmbedderFlags,
  type Embeddings,
  embeddingsOf,
  noNumber,
} from './embedder-options.ts';
import { SETS } from './labelled-pairs.ts';

export interface AdmissionOptions {
  help: boolean;
  json: boolean;
  /** Renews the sections of docs/evaluation.md. */
  write: boolean;
  data: string;
  cases: string;
  sets: readonly string[];
  /** At most so many pairs a relation of each set; `undefined`: all. */
  sample: number | undefined;
  embeddings: Embeddings;
  /** Verdicts are scored, too. */
  judge: boolean;
  /** Who judges. */
  writer: 'stand-in' | { models: string; name: string } | { bedrock: string };
}

export const HELP = `Usage: npm run eval -- admission [options]

On public texts with labels made by others: how many true duplicates, subsets, supersets and conflicts reach the judge
at each similarity floor, how many pairs go to it for nothing, and how many a threshold alone would have wrongly
rejected; then whether the true counterpart is among the 10 candidates, also among 50 siblings of one task.

  --embedder stand-in     hashed words: no key, no download (the default)
  --embeddings URL        an OpenAI-compatible server's embedder, e.g. http://127.0.0.1:8000/v1; its answers are kept in
                          ~/.cache/knowhub/embeddings (variable: MODELS_KEY)
    --model NAME          which one (multilingual-e5-small)
    --dimensions N        of its vectors (384)
  --judge                 scores verdicts instead: on cases/admission.json, and on 100 pairs of each relation
    --models URL          an OpenAI-compatible server's model judges; --writer NAME says which (variable: MODELS_KEY)
    --bedrock             a model of Amazon Bedrock judges; --writer NAME says which (amazon.nova-pro-v1:0)
                          without either: the stand-in's rules
  --sets A,B              some of ${SETS.join(', ')}
  --sample N              N pairs of each relation and set, 3 N of duplicates; with --judge N of each relation (100)
  --data DIR              where pairs/ and doc-relations/ lie (../shared/data); cases/ lies beside it
  --write                 renews the sections of docs/evaluation.md
  --json                  all of it as JSON
  --help                  this text

Exit codes: 0 measured; 1 the embedder's floor loses more than 1 % of the true duplicates of a set, or it failed;
2 wrong use; 130 Ctrl-C.`;

/** The command line's options, or what is wrong with them. */
export function readOptions(args: readonly string[], shared: string): AdmissionOptions | string {
  try {
    const { values } = parseArgs({
      args: [...args],
      options: {
        help: { type: 'boolean', short: 'h', default: false },
        json: { type: 'boolean', default: false },
        write: { type: 'boolean', default: false },
        judge: { type: 'boolean', default: false },
        bedrock: { type: 'boolean', default: false },
        data: { type: 'string', default: `${shared}/data` },
        sets: { type: 'string', default: SETS.join() },
        sample: { type: 'string' },
        ...EMBEDDER_FLAGS,
        models: { type: 'string' },
        writer: { type: 'string' },
      },
    });
    const { help, json, write, judge, data, sample } = values;
    const sets = values.sets.split(',').map((set) => set.trim());
    const unknown = sets.find((set) => !SETS.includes(set));
    if (unknown !== undefined) return `--sets: "${unknown}" is none of ${SETS.join(', ')}`;
    const problem = noNumber({ sample, dimensions: values.dimensions });
    if (problem !== undefined) return problem;
    const embeddings = embeddingsOf(values);
    if (typeof embeddings === 'string') return embeddings;
    const writer = writerOf(values);
    if (writer === undefined)
      return '--models URL with --writer NAME, or --bedrock: one of them, and only with --judge';
    if (writer !== 'stand-in' && 'models' in writer && !isHttp(writer.models))
      return `--models: not an http or https URL: ${writer.models}`;
    return {
      ...{ help, json, write, judge, data, sets, embeddings, writer },
      cases: `${data}/../cases/admission.json`,
      sample: sample === undefined ? undefined : Number(sample),
    };
  } catch (error) {
    return error instanceof Error ? error.message.split('. ')[0]! : String(error);
  }
}

interface Given extends EmbedderFlags {
  judge: boolean;
  bedrock: boolean;
  models?: string | undefined;
  writer?: string | undefined;
}

function writerOf({ judge, bedrock, models, writer }: Given): AdmissionOptions['writer'] | undefined {
  if (!judge && (bedrock || models !== undefined || writer !== undefined)) return undefined;
  if (bedrock) return models === undefined ? { bedrock: writer ?? 'amazon.nova-pro-v1:0' } : undefined;
  if (models !== undefined) return writer === undefined ? undefined : { models, name: writer };
  return writer === undefined ? 'stand-in' : undefined;
}
