import { readdirSync, readFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, expect, test } from 'vitest';
import {
  createOpenSearchConnection,
  NoAnswer,
  type OpenSearchAnswer,
  type OpenSearchCall,
} from '#lib/adapters/aws/opensearch/client.ts';
import { createOpenSearchIndex } from '#lib/adapters/aws/opensearch/search-index.ts';
import { createMemoryPorts } from '#lib/adapters/memory/memory.ts';
import { createMemorySearchIndex } from '#lib/adapters/memory/search-index.ts';
import {
  STANDIN_EMBEDDER,
  STANDIN_RELEVANCE_FLOOR,
  STANDIN_SIMILARITY_FLOOR,
} from '#lib/adapters/standin/embedder.ts';
import { STANDIN_JUDGE_BUDGET } from '#lib/adapters/standin/judge.ts';
import type { SearchIndex } from '#lib/ports.ts';
import { type AdmitOutcome, admit } from '#lib/usecases/admit.ts';
import { createInstance } from '#lib/usecases/instance.ts';
import { lookup } from '#lib/usecases/lookup.ts';
import { project } from '#lib/usecases/project.ts';
import { recomputeDomain } from '#lib/usecases/recompute-domain.ts';
import { relationsOf } from '#lib/usecases/relations.ts';
import { sweep } from '#lib/usecases/sweep.ts';
import { uploadDocument } from '#lib/usecases/upload-document.ts';
import { serverUrl, uniquePrefix } from '#test/opensearch/server.ts';
import { fakeClock, MINUTE } from '#test/support/clock.ts';
import { curator } from '#test/support/instance.ts';

const dropAtEnd: SearchIndex[] = [];
afterAll(async () => {
  for (const index of dropAtEnd) for (const name of await index.list()) await index.drop(name);
});

/** What happens to a call: its answer as it came, another one, or none. */
type Tamper = (call: OpenSearchCall, answer: () => Promise<OpenSearchAnswer>) => Promise<OpenSearchAnswer>;
const honest: Tamper = (_call, answer) => answer();

/** A knowledge base whose index is the real server's, the rest in memory; stand-in models; the clock as told. */
function knowledgeBase(engine: 'OpenSearch' | 'memory') {
  const clock = fakeClock();
  const wire = { tamper: honest };
  const connection = createOpenSearchConnection({ url: serverUrl(), timeout_ms: 30_000 });
  const server = createOpenSearchIndex({
    connection: (call) => wire.tamper(call, () => connection(call)),
    clock,
    dimensions: STANDIN_EMBEDDER.dimensions,
    replicas: 0,
    prefix: uniquePrefix(),
    refresh: 'true',
  });
  if (engine === 'OpenSearch') dropAtEnd.push(server);
  const index = engine === 'OpenSearch' ? server : createMemorySearchIndex({ clock });
  const memory = createMemoryPorts({ clock });
  const rebased: { W: number; physical: string }[] = [];
  const projections = {
    ...memory.projections,
    async rebase(...args: Parameters<typeof memory.projections.rebase>) {
      const done = await memory.projections.rebase(...args);
      const { W, physical } = (await memory.projections.get(args[0]))!;
      rebased.push({ W, physical });
      return done;
    },
  };
  const ports = { ...memory, projections, index };
  const instance = createInstance(ports, {
    similarity_floor: STANDIN_SIMILARITY_FLOOR,
    relevance_floor: STANDIN_RELEVANCE_FLOOR,
    judge_view_budget: STANDIN_JUDGE_BUDGET,
  });
  const base = {
    index,
    instance,
    clock,
    wire,
    /** What the projection's row named, each time it was given a new index. */
    rebased,
    row: async () => (await projections.get('index'))!,
    upload: (path: string, content: string) =>
      uploadDocument(instance)(curator, { category: dirname(path), filename: basename(path), content }),
    async work() {
      const outcomes: AdmitOutcome[] = [];
      for (let [message] = memory.queue.take(1); message; [message] = memory.queue.take(1)) {
        if (message.type === 'admit') outcomes.push(await admit(instance)(message.item_id));
        else await recomputeDomain(instance)(message.domain_id);
      }
      return outcomes;
    },
    /** A minute later, what the sweep finds and the queue then brings. */
    async later() {
      clock.pass(MINUTE);
      await sweep(instance)();
      clock.pass(MINUTE);
      return base.work();
    },
    async decision(id: string) {
      const { status, decision } = (await memory.items.get(id))!;
      return decision?.reason === undefined ? status : `${status} ${decision.reason}`;
    },
    lookup: async (query: string, domain?: string) =>
      lookup(instance)(curator, { query, ...(domain !== undefined && { domain }) }),
  };
  return base;
}
type Base = ReturnType<typeof knowledgeBase>;

const root = fileURLToPath(new URL('../../examples/knowledge/', import.meta.url));
const examples = readdirSync(root, { recursive: true, encoding: 'utf8' })
  .filter((path) => path.endsWith('.md'))
  .sort()
  .map((path) => ({ path, content: readFileSync(join(root, path), 'utf8') }));

const QUESTIONS: [query: string, domain?: string][] = [
  ['my refund has not arrived on the card'],
  ['drain a node before kernel maintenance', 'infrastructure'],
  ['consumers of the topic fall behind', 'infrastructure'],
  ['signature of the webhook does not match', 'api'],
  ['连接泄漏的堆栈在日志哪里看'],
  ['数据库连接不够用', 'infrastructure'],
  ['recipe for apple pie'],
];

/** Uploads the examples one after the other; decisions and relations by path, and what the questions find. */
async function story(base: Base) {
  const paths = new Map<string, string>();
  for (const { path, content } of examples) {
    paths.set((await base.upload(path, content)).id, path);
    await base.work();
  }
  const decisions: Record<string, unknown> = {};
  for (const [id, path] of paths) {
    const relations = await relationsOf(base.instance)(curator, id);
    decisions[path] = [
      await base.decision(id),
      ...relations.map(({ type, target }) => `${type} ${paths.get(target)}`).sort(),
    ];
  }
  const answers: Record<string, [level: string, best: string | undefined]> = {};
  for (const [query, domain] of QUESTIONS) {
    const { level, documents } = await base.lookup(query, domain);
    answers[query] = [level, documents[0] && `${documents[0].path} § ${documents[0].section}`];
  }
  return { decisions, answers };
}

test('R4.1 R4.2 R6.3 the examples are judged and found as with the index in memory', async () => {
  const real = await story(knowledgeBase('OpenSearch'));
  expect(real).toEqual(await story(knowledgeBase('memory')));
  // And not because nothing happened.
  const decisions = JSON.stringify(real.decisions);
  for (const word of ['approved', 'rejected known', 'conflict ', 'superset ', 'complement '])
    expect(decisions).toContain(word);
  const levels = Object.values(real.answers).map(([level]) => level);
  expect(levels).toEqual(['L1', 'L1', 'L1', 'L1', 'L1', 'L1', 'none']);
});

const pool = examples.find(({ path }) => path.endsWith('10-mysql-connection-pool.md'))!;
/** The same in other words: only the judge can tell, and only if recall finds the first. */
const TWIN = pool.content.replace('# ', '# About ');
const rates = examples.find(({ path }) => path.endsWith('10-rate-limits.md'))!;

/** A base that holds one example. */
async function poolBase() {
  const base = knowledgeBase('OpenSearch');
  const { id } = await base.upload('infrastructure/pool.md', pool.content);
  await base.work();
  expect(await base.decision(id)).toBe('approved');
  return { ...base, id };
}

test('R4.8 an index that is deleted under the feet is made again under a new name, from the first entry on', async () => {
  const base = await poolBase();
  const before = await base.row();
  await base.index.drop(before.physical);
  await expect(base.lookup('连接泄漏的堆栈在日志哪里看')).rejects.toMatchObject({
    code: 'index_unavailable',
  });
  const twin = await base.upload('infrastructure/twin.md', TWIN);
  expect(await base.work()).toEqual([
    { kind: 'waits', why: expect.stringContaining('index_not_found'), next_at: expect.any(Number) },
  ]);
  expect(await base.decision(twin.id)).toBe('pending');
  expect(await base.index.exists(before.physical)).toBe(false);

  await project(base.instance)('index');
  const after = await base.row();
  expect(after.physical).not.toBe(before.physical);
  expect(base.rebased).toEqual([
    { W: 0, physical: before.physical },
    { W: 0, physical: after.physical },
  ]);
  expect(after.W).toBe(before.W);
  expect(await base.index.list()).toEqual([after.physical]);
  expect(await base.index.present(after.physical, [base.id])).toEqual([
    { id: base.id, version: 1, live: true },
  ]);
  expect((await base.lookup('连接泄漏的堆栈在日志哪里看')).documents.map(({ id }) => id)).toEqual([base.id]);

  await base.later();
  expect(await base.decision(twin.id)).toBe('rejected known');
});

const CUTS: [string, Tamper][] = [
  [
    'a shard failed',
    cut((whole) => ({ ...whole, _shards: { total: 1, successful: 0, skipped: 0, failed: 1 } })),
  ],
  ['timed out', cut((whole) => ({ ...whole, timed_out: true }))],
  ['without hits', cut((whole) => ({ ...whole, hits: undefined }))],
  [
    'no answer',
    async ({ path }) => {
      throw new NoAnswer(`${path} timed out`, true);
    },
  ],
];

/** Changes each search's answer, in a multi-search too. */
function cut(change: (whole: object) => object): Tamper {
  return async ({ path }, answer) => {
    const { status, body } = await answer();
    if (path.endsWith('/_search')) return { status, body: change(body as object) };
    if (!path.endsWith('/_msearch')) return { status, body };
    const { responses } = body as { responses: object[] };
    return { status, body: { responses: responses.map(change) } };
  };
}

test.each(CUTS)('R4.1 R6.3 an answer in part admits nothing and tells nothing: %s', async (_why, tamper) => {
  const base = await poolBase();
  const twin = await base.upload('infrastructure/twin.md', TWIN);
  const other = await base.upload('api/rates.md', rates.content);
  base.wire.tamper = tamper;
  expect((await base.work()).map(({ kind }) => kind)).toEqual(['waits', 'waits']);
  expect([await base.decision(twin.id), await base.decision(other.id)]).toEqual(['pending', 'pending']);
  await expect(base.lookup('连接泄漏的堆栈在日志哪里看')).rejects.toMatchObject({
    code: expect.stringMatching(/^(partial|index_unavailable)$/),
  });

  base.wire.tamper = honest;
  await base.later();
  expect([await base.decision(twin.id), await base.decision(other.id)]).toEqual([
    'rejected known',
    'approved',
  ]);
});

test('R4.8 a bulk whose answer is lost is carried on by the next pass, and can be found then', async () => {
  const base = await poolBase();
  let lost = 0;
  base.wire.tamper = async ({ path }, answer) => {
    const done = await answer();
    if (!path.endsWith('/_bulk') || lost > 0) return done;
    lost += 1;
    throw new NoAnswer('reset', true);
  };
  const W = (await base.row()).W;
  const { id } = await base.upload('api/rates.md', rates.content);
  await base.work();
  expect(await base.decision(id)).toBe('approved');
  expect((await base.row()).W).toBe(W);
  await base.later();
  const row = await base.row();
  expect({ W: row.W, parked: row.parked }).toEqual({ W: W + 1, parked: [] });
  expect(await base.index.present(row.physical, [id])).toEqual([{ id, version: W + 1, live: true }]);
});

test('R4.8 R6.2 while the engine is away uploads and keywords work, admissions wait and go on by themselves', async () => {
  const base = await poolBase();
  base.wire.tamper = async ({ path }) => {
    throw new NoAnswer(`${path} refused`, false);
  };
  const { id, status } = await base.upload('api/rates.md', rates.content);
  expect(status).toBe('pending');
  expect((await base.work()).map(({ kind }) => kind)).toEqual(['waits']);
  const { level, documents } = await base.lookup('连接池');
  expect([level, ...documents.map((found) => found.id)]).toEqual(['L0', base.id]);
  await expect(base.lookup('连接泄漏的堆栈在日志哪里看')).rejects.toMatchObject({
    code: 'index_unavailable',
  });

  base.wire.tamper = honest;
  await base.later();
  expect(await base.decision(id)).toBe('approved');
});
