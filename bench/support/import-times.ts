import { execFile } from 'node:child_process';
import { promisify } from 'node:util';

/** Told from within, so that the start of the process is no part of it. */
const MEASURE =
  'const from = performance.now(); await import(process.argv[1]); console.log(performance.now() - from);';

/** How long a fresh process takes to import each module, in ms, `runs` times; in turns, so that load falls on all alike. */
export async function importTimes(
  files: readonly string[],
  runs: number,
  signal?: AbortSignal,
): Promise<Map<string, number[]>> {
  const times = new Map<string, number[]>(files.map((file) => [file, []]));
  for (let run = 0; run < runs; run += 1)
    for (const [file, measured] of times) {
      const args = ['--input-type=module', '--eval', MEASURE, file];
      const { stdout } = await promisify(execFile)(process.execPath, args, { signal });
      measured.push(Number(stdout));
    }
  return times;
}

/** The middle one; of an even number the upper of the two. */
export const median = (values: readonly number[]): number =>
  values.toSorted((one, other) => one - other)[Math.floor(values.length / 2)] ?? Number.NaN;
