import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { INTERRUPTED, withOptions } from '../bin/support/command.ts';
import { startEmulatedStores } from '../bin/support/emulated-stores.ts';
import { writeSection } from '../bin/support/write-section.ts';
import { measureCatalog } from './support/catalog-size.ts';
import { measureL0 } from './support/l0-cpu.ts';
import { overBudget } from './support/lookup-budgets.ts';
import { runLookups } from './support/lookup-run.ts';
import { fillStores } from './support/lookup-stores.ts';
import { type AllFacts, lookupTables } from './support/lookup-tell.ts';

const DOCUMENT = join(import.meta.dirname, '../docs/performance.md');
const DOCUMENTS = [1000, 100_000];
const CALLS = 200;

const HELP = `Usage: npm run bench -- lookup [--documents N,N...] [--calls N] [--json] [--write]

Times lookups on the local run's stores (the adapters of production on dynalite and fauxqs, in this process): stopped by
their domain, stopped by their keyword, by a unique keyword (L0), by meaning (L1). Counts their requests and round trips
beside the budgets of the design. The index in memory and the hashing embedder are stand-ins, and their share is told.
Then the CPU of L0 beside a plain scan of the same keywords, and what the catalog takes to load.

  --documents N,N   sizes of the knowledge base, default ${DOCUMENTS.join(',')}: the large one takes some minutes to fill
  --calls N         calls of each kind, default ${CALLS}
  --json            all of it as JSON
  --write           renews the section "lookup" of docs/performance.md

Exit codes: 0 all budgets are kept; 1 one is not, or it failed; 2 wrong use; 130 Ctrl-C.`;

/** Times and counts lookups. Resolves with the exit code. */
export async function lookup(args: readonly string[]): Promise<number> {
  return withOptions(readOptions(args), HELP, timed);
}

async function timed(options: Options): Promise<number> {
  // What the stores leave on the disk goes with the process.
  const interrupted = () => process.exit(INTERRUPTED);
  const signals = ['SIGINT', 'SIGTERM'] as const;
  for (const name of signals) process.once(name, interrupted);
  try {
    const facts = await measure(options.documents, options.calls);
    const { lookups: all } = facts;
    const text = lookupTables(facts);
    console.log(options.json ? JSON.stringify(facts, null, 2) : text);
    if (options.write) writeSection(DOCUMENT, 'lookup', text);
    const over = all.flatMap(({ measured }) => measured.flatMap(overBudget));
    for (const each of over) console.error(each);
    return over.length > 0 ? 1 : 0;
  } finally {
    for (const name of signals) process.off(name, interrupted);
  }
}

async function measure(sizes: readonly number[], calls: number): Promise<AllFacts> {
  const began = performance.now();
  const all: AllFacts = { keywords: [], catalogs: [], lookups: [] };
  for (const size of sizes) {
    const tell = (phase: string) => {
      const seconds = ((performance.now() - began) / 1000).toFixed(1).padStart(7);
      console.error(`${seconds} s  ${size} documents: ${phase}`);
    };
    tell('L0 beside a plain scan');
    all.keywords.push(measureL0(size));
    tell('the catalog, in processes of its own');
    all.catalogs.push(await measureCatalog(size));
    // Each size has stores of its own: what one leaves in memory would slow the next.
    const stores = await startEmulatedStores();
    try {
      all.lookups.push(await runLookups(await fillStores(stores, size, tell), calls, tell));
    } finally {
      await stores.close();
    }
  }
  return all;
}

interface Options {
  documents: number[];
  calls: number;
  json: boolean;
  write: boolean;
  help: boolean;
}

/** The options, or what is wrong with them. */
function readOptions(args: readonly string[]): Options | string {
  try {
    const { values } = parseArgs({
      args: [...args],
      options: {
        documents: { type: 'string', default: DOCUMENTS.join(',') },
        calls: { type: 'string', default: String(CALLS) },
        json: { type: 'boolean', default: false },
        write: { type: 'boolean', default: false },
        help: { type: 'boolean', short: 'h', default: false },
      },
    });
    const documents = values.documents.split(',');
    const strange = documents.find((each) => !/^[1-9]\d{2,5}$/.test(each));
    if (strange !== undefined) return `--documents: "${strange}" is no number from 100 to 999999`;
    if (!/^[1-9]\d{0,3}$/.test(values.calls)) return `--calls: "${values.calls}" is no number from 1 to 9999`;
    return { ...values, documents: documents.map(Number), calls: Number(values.calls) };
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}
