import { styleText } from 'node:util';
import { columns } from './columns.ts';
import type { IngestFacts } from './ingest-run.ts';

/** What Lambda and S3 do by themselves on AWS, and the local run in their place. */
const INFRASTRUCTURE: ReadonlySet<string> = new Set([
  'SQS ReceiveMessage',
  'SQS DeleteMessageBatch',
  'S3 ListObjectsV2 inbox/',
]);
const SHOWN = { violations: 50, logged: 10, refused: 20 };

/** Prints what was found, for people. */
export function tellIngest(facts: IngestFacts): void {
  const { files, refused, phases, pushes, shown, violations, logged } = facts;
  console.log(`${files} files, ${refused.length} refused:`);
  list(
    refused.map(({ origin, why }) => `${origin}: ${why}`),
    SHOWN.refused,
  );
  console.log(
    `\nKilled after ${facts.acknowledged_at_kill} uploads were answered. The two pushes as the CLI told them:`,
  );
  for (const { code, took_ms, kinds } of pushes)
    console.log(`  exit ${code} after ${seconds(took_ms)}: ${counts(kinds)}`);
  console.log('\nDecisions that stand:');
  table(Object.entries(facts.kinds).map(([kind, count]) => [kind, whole(count)]));
  console.log(
    `  (${shown.live} live, ${shown.rejected} rejected, ${shown.relations} relations, ${shown.domains} domains; ${facts.ledger_entries} ledger entries)`,
  );
  console.log('\nTime:');
  table(phases.map(({ name, ms }) => [name, seconds(ms)]));
  const { uploaded, decided } = facts.files_per_second;
  console.log(
    `  ${uploaded.toFixed(1)} files a second uploaded; ${decided.toFixed(1)} decided, kill and restart included`,
  );
  tellUsed(facts);
  console.log(`\nLogged: ${logged.length} lines`);
  list(logged, SHOWN.logged);
  if (facts.data !== undefined) console.log(`\nThe data folder is left: ${facts.data}`);
  if (violations.length === 0) console.log(styleText('green', '\nInvariants 1 to 8 hold.'));
  else console.log(styleText('red', `\n${violations.length} violations:`));
  list(violations, SHOWN.violations);
}

function tellUsed({ used, files }: IngestFacts): void {
  const lives = used.flatMap(({ requests }) => Object.entries(requests));
  const by_service = Map.groupBy(Object.entries(totals(lives.map(([, own]) => own))), ([request]) =>
    serviceOf(request),
  );
  console.log('\nRequests to AWS, both lives together:');
  for (const [service, operations] of by_service) {
    const sum = sumOf(operations.map(([, count]) => count));
    const most = operations.sort(([, a], [, b]) => b - a);
    console.log(`  ${service}: ${whole(sum)} (${(sum / files).toFixed(1)} a file)`);
    console.log(
      `    ${most.map(([name, count]) => `${name.split(' ').slice(1).join(' ')} ${whole(count)}`).join(', ')}`,
    );
  }
  console.log('\nOf these, by who asked; calls, and requests a call:');
  const calls_of_api = totals(used.map(({ calls }) => calls));
  const by_asker = Map.groupBy(lives, ([asker]) => asker);
  table(
    [...by_asker].map(([asker, each]) => {
      const own = Object.entries(totals(each.map(([, requests]) => requests)));
      const sum = sumOf(own.flatMap(([request, count]) => (INFRASTRUCTURE.has(request) ? [] : [count])));
      const calls = calls_of_api[asker];
      return [
        asker,
        whole(sum),
        ...(calls === undefined ? ['', ''] : [whole(calls), (sum / calls).toFixed(1)]),
      ];
    }),
  );
  const calls = totals(used.map(({ model_calls }) => model_calls));
  const tokens = totals(used.map(({ model_tokens }) => model_tokens));
  console.log('\nModel calls (stand-ins), and tokens as estimated:');
  table(Object.entries(calls).map(([kind, count]) => [kind, whole(count), whole(tokens[kind] ?? 0)]));
  const faults = totals(used.map((each) => each.faults));
  console.log(`\nFaults by the metrics: ${counts(faults) || 'none'}`);
  for (const [n, { memory }] of used.entries())
    console.log(
      `Memory at the ${n === 0 ? 'kill' : 'end'}: ${megabytes(memory.rss)} resident, ${megabytes(memory.heap)} heap`,
    );
}

function totals(records: readonly Readonly<Record<string, number>>[]): Record<string, number> {
  const sums: Record<string, number> = {};
  for (const [name, count] of records.flatMap((record) => Object.entries(record)))
    sums[name] = (sums[name] ?? 0) + count;
  return sums;
}

const serviceOf = (request: string): string =>
  INFRASTRUCTURE.has(request) ? 'done by AWS itself' : request.split(' ')[0]!;

const sumOf = (values: readonly number[]): number => values.reduce((sum, value) => sum + value, 0);

function table(rows: readonly (readonly string[])[]): void {
  for (const line of columns(rows)) console.log(`  ${line}`);
}

function list(lines: readonly string[], most: number): void {
  for (const line of lines.slice(0, most)) console.log(`  ${line.slice(0, 400)}`);
  if (lines.length > most) console.log(`  … and ${lines.length - most} more`);
}

const counts = (kinds: Readonly<Record<string, number>>): string =>
  Object.entries(kinds)
    .map(([kind, count]) => `${count} ${kind}`)
    .join(', ');
const whole = (count: number): string => count.toLocaleString('en');
const seconds = (ms: number): string => `${(ms / 1000).toFixed(1)} s`;
const megabytes = (bytes: number): string => `${Math.round(bytes / 1024 / 1024)} MB`;
