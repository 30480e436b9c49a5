import { mkdir, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { interruptible, withOptions } from '../bin/support/command.ts';
import { type Bundle, bundleFunction, FUNCTIONS_FOLDER } from './support/bundle-function.ts';
import { columns } from './support/columns.ts';
import { importTimes, median } from './support/import-times.ts';

/** Design, section 8. */
export const LIMIT = { bytes: 1_000_000, import_ms: 80 };

const RUNS = 9;
const EMPTY = 'empty';

const HELP = `Usage: npm run bench -- bundles [--runs N] [--verbose] [--json]

Bundles each function as the stack does, and prints its size (at most ${LIMIT.bytes} bytes) and how long a
fresh process takes to import it (at most ${LIMIT.import_ms} ms), beside an empty module from the same run.
Times are medians, and the least in brackets: on a busy machine that is the nearer one.

  --runs N    processes for each bundle, default ${RUNS}
  --verbose   the ten largest inputs of each bundle too
  --json      all of it as JSON`;

/** What was measured of one function; times in ms. */
interface Measured extends Bundle {
  import_ms: number;
  least_import_ms: number;
}

/** Sizes and import times of the functions' bundles. Resolves with the exit code: 1 if one is over its size. */
export async function bundles(args: readonly string[]): Promise<number> {
  return withOptions(readOptions(args), HELP, (options) =>
    interruptible((signal) => measured(options, signal)),
  );
}

async function measured(options: Options, signal: AbortSignal): Promise<number> {
  const folder = await mkdtemp(join(tmpdir(), 'knowhub-bundles-'));
  try {
    const { empty, functions } = await measure(folder, options.runs, signal);
    if (options.json) console.log(JSON.stringify({ limit: LIMIT, empty, functions }, null, 2));
    else tell(empty, functions, options.verbose);
    return functions.some(({ bytes }) => bytes > LIMIT.bytes) ? 1 : 0;
  } finally {
    await rm(folder, { recursive: true });
  }
}

async function measure(folder: string, runs: number, signal: AbortSignal) {
  const names = (await readdir(FUNCTIONS_FOLDER)).sort();
  const made: Bundle[] = [];
  for (const name of names) {
    signal.throwIfAborted();
    made.push(await bundleFunction(name, folder));
  }
  await mkdir(join(folder, EMPTY));
  const empty_file = join(folder, EMPTY, 'index.mjs');
  await writeFile(empty_file, 'export const handler = () => undefined;\n');
  const times = await importTimes([empty_file, ...made.map(({ file }) => file)], runs, signal);
  const summary = (file: string) => ({
    import_ms: median(times.get(file)!),
    least_import_ms: Math.min(...times.get(file)!),
  });
  const functions: Measured[] = made.map((bundle) => ({ ...bundle, ...summary(bundle.file) }));
  return { empty: summary(empty_file), functions };
}

function tell(empty: Omit<Measured, keyof Bundle>, functions: readonly Measured[], verbose: boolean): void {
  const ms = (value: number) => value.toFixed(1);
  const timed = (each: Omit<Measured, keyof Bundle>) => `${ms(each.import_ms)} (${ms(each.least_import_ms)})`;
  const rows = [
    ['function', 'bytes', 'of 1 MB', 'import ms', '- empty', '/ empty'],
    [EMPTY, '', '', timed(empty), '', ''],
    ...functions.map((each) => [
      each.name,
      each.bytes.toLocaleString('en'),
      `${((each.bytes / LIMIT.bytes) * 100).toFixed(1)} %`,
      timed(each),
      `+${ms(each.import_ms - empty.import_ms)}`,
      `${(each.import_ms / empty.import_ms).toFixed(0)} x`,
    ]),
  ];
  for (const line of columns(rows)) console.log(line);
  if (!verbose) return;
  for (const { name, inputs } of functions) {
    console.log(`\n${name}`);
    const largest = inputs.slice(0, 10).map(({ path, bytes }) => ['', bytes.toLocaleString('en'), path]);
    for (const line of columns(largest, 2)) console.log(line);
  }
}

interface Options {
  runs: number;
  verbose: boolean;
  json: boolean;
  help: boolean;
}

/** The options, or what is wrong with them. */
function readOptions(args: readonly string[]): Options | string {
  try {
    const { values } = parseArgs({
      args: [...args],
      options: {
        runs: { type: 'string', default: String(RUNS) },
        verbose: { type: 'boolean', default: false },
        json: { type: 'boolean', default: false },
        help: { type: 'boolean', short: 'h', default: false },
      },
    });
    if (!/^[1-9]\d{0,2}$/.test(values.runs)) return `--runs: "${values.runs}" is no number from 1 to 999`;
    return { ...values, runs: Number(values.runs) };
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}
