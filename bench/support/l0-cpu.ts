import { keywordColumnsOf } from '#lib/core/keyword-build.ts';
import type { KeywordColumns } from '#lib/core/keyword-columns.ts';
import { findByKeyword, type KeywordIndex, keywordIndexOf, putItem } from '#lib/core/keyword-index.ts';
import { matchKeywords } from '#lib/core/matching.ts';
import { keywordCorpus, keywordQueries } from './keyword-corpus.ts';

/** Milliseconds, each the least of three goes: the thread was left alone then, so that they are CPU. */
export interface Spread {
  /** CPU of the process over all goes, collection of garbage included. */
  mean: number;
  p50: number;
  p99: number;
  max: number;
}

/** What R6.2 costs at so many documents with ten keywords each, in milliseconds. */
export interface L0Cost {
  documents: number;
  queries: number;
  /** Distinct keywords. */
  keywords: number;
  /** Reading every keyword. */
  scan_ms: Spread;
  /** The index as an instance has it: columns from a snapshot, and what went live since. */
  index_ms: Spread;
  build_ms: number;
  /** From columns to an index that answers. */
  load_ms: number;
  /** The dearest of the changes, 1,000 one after the other. */
  put_max_ms: number;
  bytes: number;
}

const QUERIES = 1000;
const SCANS = 20;
const CHANGES = 1000;
/** As many of a domain as a lookup asks for. */
const MOST = 50;

export function measureL0(documents: number): L0Cost {
  const items = [...keywordCorpus(documents)];
  const [build_ms, columns] = timed(() => keywordColumnsOf(items));
  const [load_ms, index] = timed(() => keywordIndexOf(columns));
  const changed = items.slice(0, CHANGES).map((item, n) => ({ ...item, live_pos: documents + n + 1 }));
  const puts = changed.map((item) => timed(() => putItem(index, item))[0]);
  const queries = keywordQueries(QUERIES);
  // The first calls are compiled, and a scan makes the keywords of each item ready when it meets it first.
  for (const query of queries.slice(0, QUERIES / 5)) ask(index, query);
  matchKeywords(items, 'nothing');
  return {
    documents,
    queries: QUERIES,
    keywords: columns.starts.length - 1,
    scan_ms: spreadOf(queries.slice(0, SCANS), (query) => matchKeywords(items, query)),
    index_ms: spreadOf(queries, (query) => ask(index, query)),
    build_ms,
    load_ms,
    put_max_ms: Math.max(...puts),
    bytes: bytesOf(columns),
  };
}

const ask = (index: KeywordIndex, query: string) => findByKeyword(index, query, () => true, MOST);

const GOES = 3;

function spreadOf(queries: readonly string[], answer: (query: string) => unknown): Spread {
  const before = process.cpuUsage();
  const times = queries.map((query) =>
    Math.min(...Array.from({ length: GOES }, () => timed(() => answer(query))[0])),
  );
  const { user, system } = process.cpuUsage(before);
  times.sort((a, b) => a - b);
  const at = (share: number) => times[Math.min(times.length - 1, Math.floor(share * times.length))]!;
  return { mean: (user + system) / 1000 / GOES / queries.length, p50: at(0.5), p99: at(0.99), max: at(1) };
}

function timed<T>(work: () => T): [ms: number, result: T] {
  const before = performance.now();
  const result = work();
  return [performance.now() - before, result];
}

const bytesOf = (columns: KeywordColumns): number =>
  Object.values(columns).reduce(
    (sum, column) => sum + (typeof column === 'string' ? column.length : column.byteLength),
    0,
  );
