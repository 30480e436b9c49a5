import { styleText } from 'node:util';
import { markdownTable } from '../../bin/support/markdown-table.ts';
import { isDemanded, type Row } from './admission-rows.ts';
import { columns } from './columns.ts';

/** How many times the lock's rate that many workers must reach on the memory adapters. */
export const DEMANDED = { workers: 64, ratio: 40 } as const;

/** No doubles, nothing lost, and the demanded ratio where it was measured. */
export const passes = (rows: readonly Row[]): boolean => problems(rows).length === 0;

function problems(rows: readonly Row[]): string[] {
  return rows.flatMap((row) => [
    ...(row.doubles > 0 ? [`${nameOf(row)}: ${row.doubles} doubles`] : []),
    ...row.wrong.map((what) => `${nameOf(row)}: ${what}`),
    ...(isDemanded(row) && row.ratio! < DEMANDED.ratio
      ? [`${nameOf(row)}: ${row.ratio!.toFixed(1)} times the lock, at least ${DEMANDED.ratio} are demanded`]
      : []),
  ]);
}

const COLUMNS: readonly [string, (row: Row) => string][] = [
  ['stores', ({ stores, call_ms }) => (call_ms > 0 ? `${stores}, calls of ${call_ms} ms` : stores)],
  ['workers', ({ workers, lock }) => (lock ? `${workers}, one lock` : String(workers))],
  ['items', ({ items, twins }) => (twins ? `${items}, twins` : String(items))],
  ['a second', ({ per_second }) => per_second.toFixed(1)],
  ['× lock', ({ ratio }) => ratio?.toFixed(1) ?? '1'],
  ['judge calls', ({ judge_calls }) => String(judge_calls)],
  ['doubles', ({ doubles }) => String(doubles)],
  ['calls failed', ({ failed_calls }) => String(failed_calls)],
  ['puts lost', ({ lost_puts, items }) => (lost_puts / items).toFixed(2)],
  ['recall ms', ({ stages }) => stages.recall.toFixed(0)],
  ['judge ms', ({ stages }) => stages.judge.toFixed(0)],
  ['append ms', ({ stages }) => stages.append.toFixed(0)],
  ['projection ms', ({ stages }) => stages.projection.toFixed(0)],
  ['calls to decide', ({ calls }) => calls.deciding.toFixed(1)],
  ['calls to project', ({ calls }) => calls.projecting.toFixed(1)],
  ['AWS requests to project', ({ aws_projecting }) => (aws_projecting > 0 ? aws_projecting.toFixed(1) : '')],
  ['vectors read', ({ vectors_read }) => vectors_read.toFixed(0)],
  ['in the index after, ms', ({ indexed_within_ms }) => indexed_within_ms.toFixed(0)],
];

/** Prints the table, for people. */
export function tellAdmission(rows: readonly Row[]): void {
  const cells = [COLUMNS.map(([name]) => name), ...rows.map((row) => COLUMNS.map(([, of]) => of(row)))];
  for (const line of columns(cells)) console.log(line);
  const found = problems(rows);
  for (const problem of found) console.log(styleText('red', problem));
  if (found.length === 0) console.log(styleText('green', '\nNo doubles, nothing lost.'));
}

/** The section of docs/performance.md. */
export function inMarkdown(rows: readonly Row[]): string {
  return [
    '## Admissions: `npm run bench -- admission --write`',
    '',
    'A judge that takes 300 ms; every item has one seeded neighbour, so that the judge is asked. Workers are running functions with a',
    'catalog of their own, in one process. In rows with twins a third of the items have a twin in flight, word for word or reworded, of which',
    `one may be live. The lock is held from recall to the decision in the ledger, as the notes had it. ${DEMANDED.workers} workers in memory must`,
    `reach ${DEMANDED.ratio} times its rate. All means are for one admission; "puts lost" found their position taken; "in the index after" is the`,
    'longest from a decision to where it is found by meaning (R6.9: 5 s).',
    '',
    markdownTable(
      COLUMNS.map(([name]) => name),
      rows.map((row) => COLUMNS.map(([, of]) => of(row))),
      { right: (column) => column > 0 },
    ),
    '',
    ...limits(rows),
  ].join('\n');
}

/** What the figures say of what limits. */
function limits(rows: readonly Row[]): string[] {
  const far = rows.find(({ call_ms, lock, twins }) => call_ms > 0 && !lock && !twins);
  if (!far) return [];
  return [
    `**What limits.** In memory the judge, and the processor. Where a call takes ${far.call_ms} ms, the chain of appends: whoever was overtaken reads`,
    `the new entries, then their vectors, then puts, so that an append follows another after three calls at best. Measured: ${far.per_second.toFixed(1)} a second`,
    `with ${far.workers} workers, ${(far.lost_puts / far.items).toFixed(1)} puts lost for each that won, ${far.stages.append.toFixed(0)} ms of ${total(far).toFixed(0)} ms in the append. Beyond that: a ledger per tenant.`,
    `Projections do not limit: ${far.calls.projecting.toFixed(1)} calls an admission, and what is decided is found by meaning after ${far.indexed_within_ms.toFixed(0)} ms at most.`,
  ];
}

const total = ({ stages }: Row): number => stages.recall + stages.judge + stages.append + stages.projection;

const nameOf = (row: Row): string =>
  COLUMNS.slice(0, 3)
    .map(([, of]) => of(row))
    .join(', ');
