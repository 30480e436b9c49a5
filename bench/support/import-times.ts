import { execFileSync } from 'node:child_process';

/** Told from within, so that the start of the process is no part of it. */
const MEASURE =
  'const from = performance.now(); await import(process.argv[1]); console.log(performance.now() - from);';

/** How long a fresh process takes to import each module, in ms, `runs` times; in turns, so that load falls on all alike. */
export function importTimes(files: readonly string[], runs: number): Map<string, number[]> {
  const times = new Map<string, number[]>(files.map((file) => [file, []]));
  for (let run = 0; run < runs; run += 1)
    for (const [file, measured] of times) {
      const told = execFileSync(process.execPath, ['--input-type=module', '--eval', MEASURE, file], {
        encoding: 'utf8',
      });
      measured.push(Number(told));
    }
  return times;
}

/** The middle one; of an even number the upper of the two. */
export const median = (values: readonly number[]): number =>
  values.toSorted((one, other) => one - other)[Math.floor(values.length / 2)] ?? Number.NaN;
