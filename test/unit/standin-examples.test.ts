import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { STANDIN_SIMILARITY_FLOOR } from '#lib/adapters/standin/embedder.ts';
import { createStandinModel } from '#lib/adapters/standin/model.ts';
import { writeFrontmatter } from '#lib/adapters/standin/writers.ts';
import { parseFrontmatter } from '#lib/core/frontmatter.ts';
import { documentTask, type JudgeView, judgeView } from '#lib/core/judge-view.ts';
import { judge } from '#lib/usecases/judge.ts';
import { FrontmatterOutput } from '#prompts/frontmatter.ts';

const root = fileURLToPath(new URL('../../examples/knowledge/', import.meta.url));

interface Example {
  path: string;
  view: JudgeView;
  vector: number[];
  warnings: string[];
  fields: FrontmatterOutput;
}

const model = createStandinModel();

/** All examples as the pipeline sees them, in the order in which they are pushed. */
const examples: Example[] = await Promise.all(
  readdirSync(root, { recursive: true, encoding: 'utf8' })
    .filter((path) => path.endsWith('.md'))
    .sort()
    .map(async (path) => {
      const { fields: read, body, warnings } = parseFrontmatter(readFileSync(join(root, path), 'utf8'));
      const known = FrontmatterOutput.partial()
        .strip()
        .parse(read ?? {});
      const fields = writeFrontmatter({ path, body, authored: known, missing: [] });
      const task = documentTask(fields);
      const [vector] = await model.embed([task], 'passage');
      const view = judgeView({ kind: 'document', task, title: fields.title, body });
      return { path, view, vector: vector!, warnings, fields };
    }),
);

const cosine = (a: readonly number[], b: readonly number[]) =>
  a.reduce((sum, value, at) => sum + value * b[at]!, 0);

/** The relations of each example to the ones admitted before it, as far as they pass the floor. */
async function relationsInOrder(floor: number): Promise<string[]> {
  const found: string[] = [];
  const admitted: Example[] = [];
  for (const newcomer of examples) {
    const near = admitted.filter((old) => cosine(newcomer.vector, old.vector) >= floor);
    const outcome = await judge(model)(
      newcomer.view,
      near.map((old) => ({ id: old.path, ...old.view })),
    );
    if (outcome.kind !== 'verdict') throw new Error(outcome.problem);
    if (outcome.decision === 'approved') admitted.push(newcomer);
    found.push(
      ...outcome.relations.map(({ to, type }) => `${newcomer.path} ${type} ${to} ${outcome.decision}`),
    );
  }
  return found;
}

test('R4.2 the examples tell each relation once, and nothing else is related', async () => {
  const told = await relationsInOrder(STANDIN_SIMILARITY_FLOOR);
  expect(told).toEqual([
    'api/40-gateway-tls-renewal.md duplicate api/30-renew-gateway-certificate.md rejected',
    'infrastructure/20-mysql-connection-pool-brief.md subset infrastructure/10-mysql-connection-pool.md rejected',
    'infrastructure/50-mysql-connection-pool-peak.md conflict infrastructure/10-mysql-connection-pool.md approved',
    'infrastructure/70-kafka-consumer-lag-full.md superset infrastructure/30-kafka-consumer-lag.md approved',
    'payment/30-payment-timeout-database.md complement payment/10-payment-timeout.md approved',
  ]);
  // The floor only saves work: without it the judge says the same.
  expect(await relationsInOrder(-1)).toEqual(told);
});

test('R4.1 of examples of different domains only three pairs that share words lie above the stand-in’s floor', () => {
  const near = examples.flatMap((a, at) =>
    examples
      .slice(0, at)
      .filter((b) => a.path.split('/')[0] !== b.path.split('/')[0])
      .filter((b) => cosine(a.vector, b.vector) >= STANDIN_SIMILARITY_FLOOR)
      .map((b) => [a.path, b.path]),
  );
  const restart = 'payment/40-restart-payment-gateway.md';
  expect(near).toEqual([
    [restart, 'api/30-renew-gateway-certificate.md'],
    [restart, 'api/40-gateway-tls-renewal.md'],
    [restart, 'infrastructure/40-drain-kubernetes-node.md'],
  ]);
});

test('R3.3 one example has broken frontmatter that is read with warnings, one has none', () => {
  const odd = examples.filter((example) => example.warnings.length > 0);
  expect(odd.map(({ path, warnings, fields }) => ({ path, warnings, title: fields.title }))).toEqual([
    {
      path: 'api/50-webhook-signatures.md',
      warnings: ['recovered:title', 'duplicate_key:summary'],
      title: 'Webhook signatures: verify and rotate the secret',
    },
  ]);
  const bare = examples.find((example) => example.path === 'infrastructure/60-redis-failover.md');
  expect(bare?.fields).toMatchObject({
    title: 'Redis 主从切换手册',
    covers: ['判断是否需要手工切换', '手工切换', '切换之后'],
  });
});
