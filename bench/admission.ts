import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { interruptible, withOptions } from '../bin/support/command.ts';
import { writeSection } from '../bin/support/write-section.ts';
import { type AdmissionOptions, runAdmissionBench, type Stores } from './support/admission-rows.ts';
import { DEMANDED, inMarkdown, passes, tellAdmission } from './support/admission-tell.ts';

const DOCUMENT = join(import.meta.dirname, '../docs/performance.md');
const WORKERS = [1, 4, 16, DEMANDED.workers];

const HELP = `Usage: npm run bench -- admission [--workers N,N] [--stores memory|dynalite|both] [--items N] [--write] [--json]

Admissions per second with a judge that takes 300 ms, by workers that each are a running function: a catalog of its own,
one item at a time, the stores shared. Every item has one seeded neighbour, so that the judge is asked; in the second run
of each a third of the items are twins of others in flight. Beside it the same work behind one global lock around
recall, judge and append, in the same run. One more row has calls to stores that take 5 ms, as on AWS: it shows what the
chain of appends limits.

  --workers   how many workers, default ${WORKERS.join(',')}
  --stores    memory adapters, the adapters of production on dynalite and fauxqs, or both (default)
  --items N   items for each worker, default 10
  --write     renews the section "admission" of docs/performance.md
  --json      all of it as JSON

Exit codes: 0 no doubles, nothing lost, and with ${DEMANDED.workers} workers in memory at least ${DEMANDED.ratio} times the lock (the best of up to
three runs: a busy machine has no such rate); 1 otherwise; 2 wrong use; 130 Ctrl-C.`;

/** Throughput of admissions beside one global lock. Resolves with the exit code. */
export async function admission(args: readonly string[]): Promise<number> {
  return withOptions(readOptions(args), HELP, (options) =>
    interruptible(async (signal) => {
      const rows = await runAdmissionBench(options, signal);
      if (options.json) console.log(JSON.stringify(rows, null, 2));
      else tellAdmission(rows);
      if (options.write) writeSection(DOCUMENT, 'admission', inMarkdown(rows));
      return passes(rows) ? 0 : 1;
    }),
  );
}

type Options = AdmissionOptions & { write: boolean; json: boolean; help: boolean };

/** The options, or what is wrong with them. */
function readOptions(args: readonly string[]): Options | string {
  try {
    const { values } = parseArgs({
      args: [...args],
      options: {
        workers: { type: 'string', default: WORKERS.join(',') },
        stores: { type: 'string', default: 'both' },
        items: { type: 'string', default: '10' },
        write: { type: 'boolean', default: false },
        json: { type: 'boolean', default: false },
        help: { type: 'boolean', short: 'h', default: false },
      },
    });
    const { workers, stores, items, ...flags } = values;
    if (!/^[1-9]\d{0,2}(,[1-9]\d{0,2})*$/.test(workers))
      return `--workers: must be whole numbers from 1 to 999, as in 1,4,16: "${workers}"`;
    if (!/^[1-9]\d{0,3}$/.test(items)) return `--items: "${items}" is no number of items`;
    if (stores !== 'memory' && stores !== 'dynalite' && stores !== 'both')
      return `--stores: "${stores}" is none of memory, dynalite, both`;
    const kinds: Stores[] = stores === 'both' ? ['memory', 'dynalite'] : [stores];
    return { workers: workers.split(',').map(Number), stores: kinds, items: Number(items), ...flags };
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}
