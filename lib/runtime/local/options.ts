import { parseArgs } from 'node:util';

export interface LocalOptions {
  /** 0 = any that is free. */
  port: number;
  /** The data folder. */
  data: string;
  opensearch: string | undefined;
  bedrock: boolean;
  models: string | undefined;
}

export const DEFAULT_PORT = 3000;
export const DEFAULT_DATA = '.knowhub';

export const USAGE = `KnowHub on this machine: the whole system in one process, without AWS.

  npm start
  npm start -- [options]

Options
  --port N           port on 127.0.0.1 (default ${DEFAULT_PORT}, or the variable PORT); 0 takes a free one
  --data DIR         folder of the state (default ${DEFAULT_DATA}); it survives restarts and kills
  --opensearch URL   a real OpenSearch with k-NN in place of the one in memory; for this system alone:
                     indices called knowledge-… that are not its own are dropped
  --bedrock          real models of Amazon Bedrock, with the environment's credentials and region
  --models URL       models of an OpenAI-compatible server, e.g. http://127.0.0.1:11434/v1
                     (variables: MODELS_KEY; MODELS_EMBEDDER and MODELS_WRITER name what to take of it)
  --help             this text

Markdown put into DIR/inbox/{category}/ is taken in; what cannot be is moved to DIR/quarantine/, with the reason.
LOG_LEVEL=INFO or DEBUG shows what the functions log (default WARN); SETTINGS='{"similarity_floor": 0.8}' and
the like change what the stack's stage says.

Callers are not authenticated: that is why it answers on 127.0.0.1 only.
Exit codes: 0 stopped by Ctrl-C, SIGTERM or SIGHUP; 1 could not start, or failed; 2 wrong options;
130 stopped before it was up, by a second Ctrl-C, or before what was under way had ended.`;

export type GivenOptions =
  | { kind: 'run'; options: LocalOptions }
  | { kind: 'help' }
  | { kind: 'wrong'; problem: string };

/** The command line's options, or what is wrong with them. */
export function readOptions(
  args: readonly string[],
  environment: { PORT?: string | undefined },
): GivenOptions {
  try {
    const { values } = parseArgs({
      args: [...args],
      options: {
        port: { type: 'string' },
        data: { type: 'string', default: DEFAULT_DATA },
        opensearch: { type: 'string' },
        bedrock: { type: 'boolean', default: false },
        models: { type: 'string' },
        help: { type: 'boolean', short: 'h', default: false },
      },
    });
    if (values.help) return { kind: 'help' };
    const { data, bedrock, opensearch, models } = values;
    if (data === '') return wrong('--data: the name of a folder is missing');
    if (bedrock && models !== undefined) return wrong('--bedrock and --models: one of them, not both');
    for (const [name, url] of Object.entries({ opensearch, models }))
      if (url !== undefined && !isHttp(url)) return wrong(`--${name}: not an http or https URL: ${url}`);
    const given = values.port ?? (environment.PORT || String(DEFAULT_PORT));
    const port = /^\d{1,5}$/.test(given) ? Number(given) : Number.NaN;
    if (!(port <= 65_535))
      return wrong(`${values.port === undefined ? 'PORT' : '--port'}: not a port number: ${given}`);
    return { kind: 'run', options: { port, data, bedrock, opensearch, models } };
  } catch (error) {
    return wrong(error instanceof Error ? error.message.split('. ')[0]! : String(error));
  }
}

const wrong = (problem: string): GivenOptions => ({ kind: 'wrong', problem });

/** Whether it is an address that `fetch` takes. */
export const isHttp = (text: string): boolean => /^https?:$/.test(URL.parse(text)?.protocol ?? '');
