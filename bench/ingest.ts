import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { interruptible, withOptions } from '../bin/support/command.ts';
import { type IngestOptions, runIngest } from './support/ingest-run.ts';
import { tellIngest } from './support/ingest-tell.ts';

const SHARED = join(import.meta.dirname, '../../shared/data');
const FOLDERS = ['markdown', 'zh-runbooks'].map((name) => join(SHARED, name));

const HELP = `Usage: npm run bench -- ingest [--files N] [--from DIR...] [--keep] [--json]

Pushes real files by the CLI into a local run of its own, kills that (SIGKILL) when half of them are answered, starts it
again on the same data, pushes again, waits until nothing moves, and checks the invariants 1 to 8 of cases/crash.md: by
the API, and in the stores against the fold replayed from position 1. Tells the times, the requests to AWS by service,
and the model calls by kind.

  --from DIR  a folder instead of ../shared/data/markdown and ../shared/data/zh-runbooks; may be given more than once
  --files N   the first N files only
  --keep      leaves the data folder, and says where it is
  --json      all of it as JSON

Exit codes: 0 all invariants hold; 1 one does not, or it failed; 2 wrong use; 130 Ctrl-C.`;

/** 525 real files, and a kill in the middle. Resolves with the exit code. */
export async function ingest(args: readonly string[]): Promise<number> {
  return withOptions(await readOptions(args), HELP, (options) =>
    interruptible(async (signal) => {
      const began = performance.now();
      const facts = await runIngest(options, signal, (phase) =>
        console.error(`${((performance.now() - began) / 1000).toFixed(1).padStart(7)} s  ${phase}`),
      );
      if (options.json) console.log(JSON.stringify(facts, null, 2));
      else tellIngest(facts);
      return facts.violations.length > 0 ? 1 : 0;
    }),
  );
}

/** The options, or what is wrong with them. */
async function readOptions(
  args: readonly string[],
): Promise<(IngestOptions & { json: boolean; help: boolean }) | string> {
  try {
    const { values } = parseArgs({
      args: [...args],
      options: {
        from: { type: 'string', multiple: true },
        files: { type: 'string' },
        keep: { type: 'boolean', default: false },
        json: { type: 'boolean', default: false },
        help: { type: 'boolean', short: 'h', default: false },
      },
    });
    const { from: folders = FOLDERS, files, ...flags } = values;
    if (files !== undefined && !/^[1-9]\d{0,5}$/.test(files))
      return `--files: "${files}" is no number of files`;
    for (const folder of folders) {
      const found = await stat(folder).catch(() => undefined);
      if (!found?.isDirectory()) return `--from: ${folder} is no folder`;
    }
    return { folders, files: files === undefined ? undefined : Number(files), ...flags };
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}
