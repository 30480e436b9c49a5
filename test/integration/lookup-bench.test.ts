import { expect, test } from 'vitest';
import { BUDGETS, overBudget, used } from '../../bench/support/lookup-budgets.ts';
import { KINDS, type LookupFacts, runLookups } from '../../bench/support/lookup-run.ts';
import { fillStores } from '../../bench/support/lookup-stores.ts';
import { lookupTables } from '../../bench/support/lookup-tell.ts';
import { startEmulatedStores } from '../../bin/support/emulated-stores.ts';

test('FIGURES design 8: on stores that were filled in bulk every kind of lookup keeps its budget of requests and round trips', async () => {
  const stores = await startEmulatedStores();
  try {
    const told: string[] = [];
    const filled = await fillStores(stores, 120, (phase) => told.push(phase));
    const facts = await runLookups(filled, 4, (phase) => told.push(phase));
    expect(facts.measured.map(({ kind, calls }) => [kind, calls])).toEqual(KINDS.map((kind) => [kind, 4]));
    expect(facts.measured.flatMap(overBudget)).toEqual([]);
    for (const { kind, asked } of facts.measured)
      if (kind !== 'L1') expect(asked.map(used), kind).toEqual([BUDGETS[kind]]);
    expect(lookupTables({ keywords: [], catalogs: [], lookups: [facts] })).toContain('| L0, unique ');
    expect(told).toContain('4 calls: L1');
  } finally {
    await stores.close();
  }
});

test('FIGURES design 8: a call that asks more than its budget is named', () => {
  const asked = { requests: { DynamoDB: 2, SQS: 1 }, round_trips: 1, embeddings: 1, calls: 7 };
  const measured: LookupFacts['measured'][number] = {
    kind: 'stopped by its domain',
    calls: 7,
    p50: 1,
    p99: 1,
    cpu_ms: 1,
    index_p50: 0,
    embedder_p50: 0,
    asked: [asked],
  };
  expect(overBudget(measured)).toEqual(
    ['DynamoDB', 'embeddings', 'SQS'].map(
      (what) => `stopped by its domain: ${what} over its budget in 7 calls`,
    ),
  );
});
