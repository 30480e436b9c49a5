import { fork } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { zstdCompressSync, zstdDecompressSync } from 'node:zlib';
import { decodeSnapshot } from '#lib/core/catalog-snapshot.ts';
import { encodeSnapshot } from '#lib/core/catalog-snapshot-write.ts';
import type { Entry } from '#lib/core/entry.ts';
import { step } from '#lib/core/fold.ts';
import { emptyFold } from '#lib/core/fold-state.ts';
import { emptyKeywordIndex, findByKeyword, putItem } from '#lib/core/keyword-index.ts';
import { keywordsFromColumns, keywordsToColumns } from '#lib/core/keyword-snapshot.ts';

/** What a catalog of so many live documents with 10 keywords each costs (design, section 8). Times in
 * milliseconds; of the processor those that do not depend on what else runs there. */
export interface CatalogSize {
  items: number;
  /** Writing the snapshot, compression included. */
  build_ms: number;
  build_cpu_ms: number;
  /** Of the compressed snapshot. */
  bytes: number;
  raw_bytes: number;
  /** From the compressed bytes in memory to a fold that answers. */
  load_ms: number;
  load_cpu_ms: number;
  /** Of a process that did nothing but load it, in MB (2^20 bytes), and of one that then read every item. */
  rss_mb_after_load: number;
  rss_mb_after_reading_all: number;
  /** One pass over all items. */
  read_all_ms: number;
  /** Heap of the same fold as plain objects. */
  plain_heap_mb: number;
}

const KEYWORDS = 10;
const MB = 2 ** 20;
const mb = (bytes: number): number => Math.round(bytes / MB);

/** Measured in processes of their own: one that folds the ledger and writes the snapshot, one that loads it. */
export async function measureCatalog(items: number): Promise<CatalogSize> {
  const folder = mkdtempSync(join(tmpdir(), 'knowhub-catalog-'));
  try {
    const file = join(folder, 'snapshot');
    const built = await inChild('build', file, items);
    const loaded = await inChild('load', file, items, built.raw_bytes);
    return { items, ...built, ...loaded } as CatalogSize;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

type Part = Partial<CatalogSize>;

const inChild = (task: 'build' | 'load', file: string, items: number, raw_bytes = 0): Promise<Part> =>
  new Promise((resolve, reject) => {
    const child = fork(import.meta.filename, [task, file, String(items), String(raw_bytes)], {
      execArgv: ['--expose-gc'],
    });
    child.on('message', (part) => resolve(part as Part));
    child.on('error', reject);
    child.on('exit', (code) => code !== 0 && reject(new Error(`the ${task} ended with ${code}`)));
  });

function build(file: string, items: number): Part {
  collectGarbage();
  const before = process.memoryUsage().heapUsed;
  const f = emptyFold();
  for (let n = 1; n <= items; n += 1) step(f, structuredClone(documentEntry(n)));
  collectGarbage();
  const plain_heap_mb = mb(process.memoryUsage().heapUsed - before);
  const keywords = emptyKeywordIndex();
  for (const { id, scopes, live_pos, live } of f.items.values())
    putItem(keywords, { id, scopes, live_pos, ...live! });
  const took = stopwatch();
  const raw = encodeSnapshot(f, `decision-${items}`, keywordsToColumns(keywords));
  const bytes = zstdCompressSync(raw);
  const { ms: build_ms, cpu_ms: build_cpu_ms } = took();
  writeFileSync(file, bytes);
  return { build_ms, build_cpu_ms, bytes: bytes.length, raw_bytes: raw.length, plain_heap_mb };
}

function load(file: string, items: number, raw_bytes: number): Part {
  const took = stopwatch();
  const snapshot = decodeSnapshot(zstdDecompressSync(readFileSync(file), { chunkSize: raw_bytes + 64 }));
  const f = snapshot.fold();
  const keywords = keywordsFromColumns(snapshot.more)();
  if (f.items.get(documentEntry(items).item_id)?.live?.keywords.length !== KEYWORDS)
    throw new Error('it is not the catalog that was written');
  const wanted = f.items.get(documentEntry(items).item_id)!.live!.keywords[0]!;
  if (!findByKeyword(keywords, wanted, () => true).some(({ id }) => id === documentEntry(items).item_id))
    throw new Error('its keywords are not those that were written');
  const { ms: load_ms, cpu_ms: load_cpu_ms } = took();
  const rss_mb_after_load = mb(process.memoryUsage().rss);
  const took_reading = stopwatch();
  let read = 0;
  for (const { live } of f.items.values()) read += live?.keywords.length ?? 0;
  if (read !== items * KEYWORDS) throw new Error(`${read} keywords were read`);
  const read_all_ms = took_reading().ms;
  return {
    load_ms,
    load_cpu_ms,
    rss_mb_after_load,
    read_all_ms,
    rss_mb_after_reading_all: mb(process.memoryUsage().rss),
  };
}

function stopwatch(): () => { ms: number; cpu_ms: number } {
  const started = performance.now();
  const used = process.cpuUsage();
  return () => {
    const { user, system } = process.cpuUsage(used);
    return { ms: Math.round(performance.now() - started), cpu_ms: Math.round((user + system) / 1000) };
  };
}

function collectGarbage(): void {
  globalThis.gc?.();
}

const WORDS =
  'payment refund invoice ledger oscillator kubernetes 支付 退款 latency throughput budget rollback シャード';

/** The nth of a ledger of admissions: a document with a path, a title, 10 keywords and 3 covers. */
function documentEntry(n: number): Entry {
  const words = WORDS.split(' ');
  const word = (k: number) => words[(n * 7 + k * 3) % words.length]!;
  const digits = n.toString(16).padStart(8, '0');
  const id = `knowledge-20260317-143022-${digits}`;
  return {
    position: n,
    at: 1_773_757_822 + n,
    by: 'pipeline',
    event: 'admitted',
    item_id: id,
    attempt: 1,
    decision_id: digits.repeat(2),
    path: `category-${n % 50}/${word(1)}-${word(2)}-${n}.md`,
    path_seq: 1,
    relations:
      n % 3 === 0
        ? [
            {
              to: `knowledge-20260317-143022-${(n >> 1).toString(16).padStart(8, '0')}`,
              type: 'complement',
              reverse: 'complement',
            },
          ]
        : [],
    fingerprint: digits.repeat(8),
    scopes: n % 10 === 0 ? ['team:a'] : [],
    basis: 'judge',
    model: 'a-model',
    live: {
      kind: 'document',
      domain: `category-${n % 50}`,
      title: `How to ${word(3)} the ${word(4)} of ${word(5)} ${n}`,
      keywords: Array.from(
        { length: KEYWORDS },
        (_, k) => `${word(k)} ${word(k + 5)} ${(n * 31 + k) % 99_991}`,
      ),
      keywords_by_author: true,
      covers: [word(6), word(7), `${word(8)} ${word(9)}`],
    },
  };
}

if (process.send && process.argv[1] === import.meta.filename) {
  const [task, file, items, raw_bytes] = process.argv.slice(2) as [string, string, string, string];
  process.send(task === 'build' ? build(file, Number(items)) : load(file, Number(items), Number(raw_bytes)));
} else if (process.argv[1] === import.meta.filename)
  console.log(await measureCatalog(Number(process.argv[2] ?? 100_000)));
