import { parseArgs } from 'node:util';
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
  /** A server's embedder; `undefined`: the stand-in. */
  embeddings: { url: string; model: string; dimensions: number } | undefined;
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

const POSITIVE = /^[1-9]\d{0,6}$/;

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
        embedder: { type: 'string' },
        embeddings: { type: 'string' },
        model: { type: 'string' },
        dimensions: { type: 'string' },
        models: { type: 'string' },
        writer: { type: 'string' },
      },
    });
    const { help, json, write, judge, data, sample } = values;
    const sets = values.sets.split(',').map((set) => set.trim());
    const unknown = sets.find((set) => !SETS.includes(set));
    if (unknown !== undefined) return `--sets: "${unknown}" is none of ${SETS.join(', ')}`;
    for (const [name, number] of Object.entries({ sample, dimensions: values.dimensions }))
      if (number !== undefined && !POSITIVE.test(number)) return `--${name}: "${number}" is no number`;
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

interface Given {
  embedder?: string | undefined;
  embeddings?: string | undefined;
  model?: string | undefined;
  dimensions?: string | undefined;
  judge: boolean;
  bedrock: boolean;
  models?: string | undefined;
  writer?: string | undefined;
}

function embeddingsOf({
  embedder,
  embeddings,
  model,
  dimensions,
}: Given): AdmissionOptions['embeddings'] | string {
  if (embedder !== undefined && embedder !== 'stand-in' && embedder !== 'standin')
    return `--embedder: "${embedder}" is not known; --embeddings URL takes a server's`;
  if (embeddings === undefined)
    return model !== undefined || dimensions !== undefined
      ? '--model and --dimensions belong to --embeddings URL'
      : undefined;
  if (embedder !== undefined) return '--embedder and --embeddings: one of them, not both';
  if (!isHttp(embeddings)) return `--embeddings: not an http or https URL: ${embeddings}`;
  return { url: embeddings, model: model ?? 'multilingual-e5-small', dimensions: Number(dimensions ?? 384) };
}

function writerOf({ judge, bedrock, models, writer }: Given): AdmissionOptions['writer'] | undefined {
  if (!judge && (bedrock || models !== undefined || writer !== undefined)) return undefined;
  if (bedrock) return models === undefined ? { bedrock: writer ?? 'amazon.nova-pro-v1:0' } : undefined;
  if (models !== undefined) return writer === undefined ? undefined : { models, name: writer };
  return writer === undefined ? 'stand-in' : undefined;
}

const isHttp = (text: string): boolean => /^https?:$/.test(URL.parse(text)?.protocol ?? '');
