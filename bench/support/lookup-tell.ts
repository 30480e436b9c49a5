import { cpus } from 'node:os';
import { markdownTable } from '../../bin/support/markdown-table.ts';
import type { CatalogSize } from './catalog-size.ts';
import type { L0Cost, Spread } from './l0-cpu.ts';
import { BUDGETS, type Budget, NAME_OF_THE_INDEX, used } from './lookup-budgets.ts';
import type { LookupFacts } from './lookup-run.ts';

export interface AllFacts {
  keywords: L0Cost[];
  catalogs: CatalogSize[];
  lookups: LookupFacts[];
}

/** The tables as Markdown: for docs/performance.md, and for whoever reads a terminal. */
export function lookupTables({ keywords, catalogs, lookups: all }: AllFacts): string {
  return [
    `## Lookups`,
    '`npm run bench -- lookup --write`',
    `The local run's stores in one process with the bench (dynalite and fauxqs under the adapters of production), ${processor()}. Calls one after the other; ms, nearest rank; CPU is the mean of the whole process, emulated services included, and the steadier figure on a busy machine. One **read** of one row is what the emulated DynamoDB takes for anything: the baseline. **Stand-ins**: the index is the one in memory, whose vectors are compared one by one with all (brute force; OpenSearch walks a graph), and the embedder hashes words. What the two take of a call stands beside it.`,
    table(
      ['documents', 'call', 'p50', 'p99', 'CPU', 'of p50: index (stand-in)', 'of p50: embedder (stand-in)'],
      all.flatMap(timesOf),
    ),
    ...all.flatMap(sentences),
    `Requests of one call, counted, beside the budgets of the design (section 8). A round trip is a wait for an answer; what is asked meanwhile costs none of its own.`,
    table(
      ['documents', 'call', 'DynamoDB', 'OpenSearch', 'embeddings', 'round trips'],
      all.flatMap(requestsOf),
    ),
    `Once in two seconds a function reads the name of the index (its pointer, then its row): ${NAME_OF_THE_INDEX.DynamoDB} small reads more for that lookup by meaning, beside the embedding. Round trips count the one to the index, too; no call asked anything else of AWS.`,
    '**L0**: the match of a query with all keywords (10 a document), one process, nothing else in it; ms, at most 1 of CPU by the design. The scan reads every keyword.',
    table(
      ['documents', 'match', 'p50', 'p99', 'max', 'mean CPU'],
      keywords.flatMap(({ documents, index_ms, scan_ms }) => [
        [whole(documents), 'the index', ...spread(index_ms)],
        [whole(documents), 'a plain scan', ...spread(scan_ms)],
      ]),
    ),
    ...keywords.map(
      (cost) =>
        `${whole(cost.documents)} documents: ${whole(cost.keywords)} distinct keywords in ${megabytes(cost.bytes)} MB, built in ${ms(cost.build_ms)} ms, ready from a snapshot in ${ms(cost.load_ms)} ms; the dearest of 1,000 changes took ${ms(cost.put_max_ms)} ms.`,
    ),
    '**Catalog**: the snapshot of all that is decided, written and read by processes of their own; the design allows 1 s and 512 MB at 100,000 documents.',
    table(
      [
        'documents',
        'snapshot',
        'MB compressed',
        'written, ms',
        'loaded, ms',
        'loaded, CPU ms',
        'MB of memory',
        'as plain objects, MB of heap',
      ],
      catalogs.map((size) => [
        whole(size.items),
        `schema of its own, zstd`,
        megabytes(size.bytes),
        ms(size.build_ms),
        ms(size.load_ms),
        ms(size.load_cpu_ms),
        whole(size.rss_mb_after_load),
        whole(size.plain_heap_mb),
      ]),
    ),
  ].join('\n\n');
}

function processor(): string {
  const [first] = cpus();
  return `${cpus().length} × ${first?.model.trim() ?? 'unknown processor'}, Node ${process.version}`;
}

function timesOf({ documents, read_p50, read_p99, measured }: LookupFacts): string[][] {
  const count = whole(documents);
  return [
    [count, '(one read of one row)', ms(read_p50), ms(read_p99), '', '', ''],
    ...measured.map(({ kind, p50, p99, cpu_ms, index_p50, embedder_p50, asked }) => {
      const asks = used(asked[0]!);
      return [
        count,
        kind,
        ms(p50),
        ms(p99),
        ms(cpu_ms),
        asks.OpenSearch > 0 ? ms(index_p50) : '–',
        asks.embeddings > 0 ? ms(embedder_p50) : '–',
      ];
    }),
  ];
}

function sentences({ documents, filled_ms, cold_ms, cold_requests, measured }: LookupFacts): string[] {
  const meaning = measured.find(({ kind }) => kind === 'L1');
  const share = meaning ? Math.round((100 * meaning.index_p50) / meaning.p50) : 0;
  const asked = Object.entries(cold_requests).map(([service, count]) => `${whole(count)} to ${service}`);
  return [
    `${whole(documents)} documents: filled in ${(filled_ms / 1000).toFixed(0)} s, rows in batches and index in bulk, past upload and judge; a function that has just started reads what was decided in ${ms(cold_ms)} ms (requests: ${asked.join(', ')}${'S3' in cold_requests ? '' : '; its snapshot from memory, since fauxqs takes no request over 11 MiB'}). Of a lookup by meaning the stand-in index is ${share} %.`,
  ];
}

function requestsOf({ documents, measured }: LookupFacts): string[][] {
  return measured.map(({ kind, asked }) => {
    const asks = used(asked[0]!);
    const cell = (what: keyof Budget) => `${asks[what]} of ${BUDGETS[kind][what]}`;
    return [
      whole(documents),
      kind,
      cell('DynamoDB'),
      cell('OpenSearch'),
      cell('embeddings'),
      cell('round_trips'),
    ];
  });
}

const spread = ({ p50, p99, max, mean }: Spread): string[] =>
  [p50, p99, max, mean].map((time) => time.toFixed(time < 10 ? 3 : 0));
const megabytes = (bytes: number): string => (bytes / 2 ** 20).toFixed(1);
const whole = (count: number): string => count.toLocaleString('en-US');
const ms = (time: number): string => time.toFixed(time < 10 ? 1 : 0);

/** The second column names what was measured, all others are figures. */
const table = (head: readonly string[], rows: readonly (readonly string[])[]): string =>
  markdownTable(head, rows, { right: (column) => column !== 1, padded: true });
