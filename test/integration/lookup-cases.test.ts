import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import * as z from 'zod';
import type { LookupReply } from '#lib/core/lookup-reply.ts';
import { sessionKey } from '#lib/core/session.ts';
import { endSession } from '#lib/usecases/end-session.ts';
import { lookup } from '#lib/usecases/lookup.ts';
import { createLookupWorld, type LookupWorld } from '#test/support/lookup-fixture.ts';

const Step = z.strictObject({
  query: z.string(),
  session: z.string().optional(),
  domain: z.string().optional(),
  scopes: z.array(z.string()).optional(),
  level: z.string().optional(),
  level_not: z.string().optional(),
  confidence: z.string().optional(),
  returns: z.array(z.string()).optional(),
  returns_first: z.array(z.string()).optional(),
  message_names: z.array(z.string()).optional(),
  suppressed: z.array(z.unknown()).optional(),
  embeddings: z.number().optional(),
  aws_calls: z.number().optional(),
  error: z.string().optional(),
  why: z.string().optional(),
});
const Case = z.strictObject({
  id: z.string(),
  proves: z.string(),
  why: z.string().optional(),
  documents: z
    .array(
      z.strictObject({
        path: z.string(),
        keywords: z.array(z.string()),
        scopes: z.array(z.string()).optional(),
      }),
    )
    .optional(),
  steps: z.array(Step).optional(),
  cap: z.number().optional(),
  parallel: z.number().optional(),
  query: z.string().optional(),
  level: z.string().optional(),
});
type Step = z.infer<typeof Step>;

const file = new URL('../../../shared/cases/lookup.json', import.meta.url);
const cases = z.array(Case).parse(JSON.parse(readFileSync(file, 'utf8')));

const caller = (scopes: string[] = [], principal = 'agent:executor') => ({ principal, scopes });
const paths = (reply: LookupReply) => reply.documents.map(({ path }) => path);

async function check({ instance, counts }: LookupWorld, step: Step): Promise<void> {
  counts.reset();
  const { query, domain } = step;
  const call = lookup(instance)(caller(step.scopes), {
    query,
    ...(domain !== undefined && { domain }),
    ...(step.session !== undefined && { session_id: step.session }),
  });
  if (step.error !== undefined) {
    await expect(call).rejects.toMatchObject({ code: 'invalid_input', field: step.error });
    return;
  }
  const reply = await call;
  const expected = {
    ...(step.level !== undefined && { level: step.level }),
    ...(step.confidence !== undefined && { confidence: step.confidence }),
    ...(step.suppressed !== undefined && { suppressed: step.suppressed }),
  };
  expect(reply, query).toMatchObject(expected);
  if (step.level_not !== undefined) expect(reply.level, query).not.toBe(step.level_not);
  if (step.returns !== undefined) expect(paths(reply), query).toEqual(step.returns);
  if (step.returns_first !== undefined)
    expect(paths(reply).slice(0, step.returns_first.length), query).toEqual(step.returns_first);
  for (const name of step.message_names ?? []) expect(reply.message).toContain(name);
  if (step.embeddings !== undefined) expect(counts.of('model.embed'), query).toBe(step.embeddings);
  if (step.aws_calls !== undefined) expect(counts.stores(), query).toBe(step.aws_calls);
}

const scripted = cases.filter(({ documents }) => documents !== undefined);

test('R6.2 R6.5 R6.6 R6.8 the scripted cases are those with documents', () => {
  expect(scripted.map(({ id }) => id)).toEqual(['L1', 'L2', 'L3', 'L4', 'L7', 'L10', 'L13']);
});

test.each(scripted)('$proves $id of lookup.json, step by step', async (scenario) => {
  const world = await createLookupWorld({ settings: { searches_per_domain: scenario.cap ?? 1 } });
  for (const document of scenario.documents!)
    await world.store({
      path: document.path,
      keywords: document.keywords,
      ...(document.scopes && { scopes: document.scopes }),
    });
  const { query, level } = scenario;
  const steps = scenario.steps ?? [{ query: query!, level: level! }];
  for (const step of steps) await check(world, step);
});

test('R6.6 L5 of 20 parallel lookups in one domain and session one returns documents', async () => {
  const { instance, store } = await createLookupWorld();
  for (const name of ['one', 'two', 'three', 'four', 'five'])
    await store({
      path: `infra/${name}.md`,
      keywords: ['pool'],
      body: `# Pool ${name}\n\nThe pool is ${name}.`,
    });
  const replies = await Promise.all(
    Array.from({ length: 20 }, () =>
      lookup(instance)(caller(), { query: 'pool', session_id: 's', domain: 'infra' }),
    ),
  );
  expect(replies.filter(({ documents }) => documents.length > 0)).toHaveLength(1);
  expect(replies.flatMap(paths)).toHaveLength(3);
  expect(new Set(replies.flatMap(paths)).size).toBe(3);
  for (const reply of replies) expect(reply.session.searched_domains).toEqual(['infra']);
});

test.each([
  ['with its domain', 'infra'],
  ['without a domain', undefined],
])('R6.6 L6 a fruitless search %s does not use the domain up; the fourth is stopped', async (_, domain) => {
  const { instance, store, counts } = await createLookupWorld();
  await store({ path: 'infra/pool.md', keywords: ['pool'], body: '# Pool\n\nSize of the pool.' });
  const ask = (query: string, more = {}) =>
    lookup(instance)(caller(), { query, session_id: 's', ...(domain && { domain }), ...more });
  for (const query of ['zebra stripes', 'quantum foam', 'violin strings']) {
    expect(await ask(query)).toMatchObject({
      level: 'none',
      documents: [],
      message: 'Nothing relevant is stored.',
      session: { searched_domains: [] },
    });
  }
  counts.reset();
  const fourth = await ask('opera houses');
  expect(fourth.documents).toEqual([]);
  expect(fourth.message).toMatch(
    domain ? /"infra" was searched too often/ : /Too many searches without a domain/,
  );
  if (domain) expect([counts.stores(), counts.models()]).toEqual([1, 0]);
  const hit = await lookup(instance)(caller(), {
    query: 'pool',
    session_id: domain ? 'another' : 's',
    domain: 'infra',
  });
  expect(paths(hit)).toEqual(['infra/pool.md']);
});

test('R6.6 L6 two fruitless searches leave the domain its successful one', async () => {
  const { instance, store } = await createLookupWorld();
  await store({ path: 'infra/pool.md', keywords: ['pool'], body: '# Pool\n\nSize of the pool.' });
  const ask = (query: string) => lookup(instance)(caller(), { query, session_id: 's', domain: 'infra' });
  await ask('zebra stripes');
  await ask('quantum foam');
  expect(paths(await ask('pool'))).toEqual(['infra/pool.md']);
});

test('R3.6 R6.9 L8 a deleted document is gone from keyword and meaning everywhere; uploaded again it is found once', async () => {
  const world = await createLookupWorld();
  const body = '# Ledger compaction\n\nCompaction of the ledger runs every night at two.';
  const id = await world.store({ path: 'ops/compaction.md', keywords: ['ledger'], body });
  const instances = [world.instance, world.another()];
  const ask = (instance: (typeof instances)[0], query: string) => lookup(instance)(caller(), { query });
  for (const instance of instances) {
    expect(paths(await ask(instance, 'ledger'))).toEqual(['ops/compaction.md']);
    expect(paths(await ask(instance, 'nightly compaction runs every night'))).toEqual(['ops/compaction.md']);
  }
  await world.remove(id);
  for (const instance of instances)
    for (const query of ['ledger', 'nightly compaction runs every night'])
      expect(await ask(instance, query)).toMatchObject({ level: 'none', documents: [] });
  await world.store({ path: 'ops/compaction.md', keywords: ['ledger'], body });
  for (const instance of instances)
    for (const query of ['ledger', 'nightly compaction runs every night'])
      expect(paths(await ask(instance, query))).toEqual(['ops/compaction.md']);
});

test.each([
  [2001, `${'😀'.repeat(2000)}...`, true],
  [2000, '😀'.repeat(2000), false],
])('R6.4 L9 of %i code points of emoji at most 2,000 are shown, no half character', async (n, shown, cut) => {
  const { instance, store } = await createLookupWorld();
  await store({ path: 'a/emoji.md', keywords: ['emoji'], body: '😀'.repeat(n) });
  const reply = await lookup(instance)(caller(), { query: 'emoji' });
  expect(reply.documents).toMatchObject([{ excerpt: shown, truncated: cut, section: '' }]);
  expect(reply.documents[0]!.excerpt.isWellFormed()).toBe(true);
});

test('R6.2 L11 a generated keyword alone does not skip L1, nor is it sure', async () => {
  const { instance, store, counts } = await createLookupWorld();
  const body = '# Sharding\n\nHow sharding of tables works.';
  await store({ path: 'db/sharding.md', keywords: ['sharding'], generated: true, body });
  const reply = await lookup(instance)(caller(), { query: 'sharding of tables' });
  expect(reply).toMatchObject({ level: 'L0+L1', confidence: 'low' });
  expect(paths(reply)).toEqual(['db/sharding.md']);
  expect([counts.of('model.embed'), counts.of('index.search')]).toEqual([1, 1]);
});

test.each([
  ['found by keyword', 'pool'],
  ['found by meaning', 'how large may the number of open connections grow'],
])(
  'R6.1 L12 the same request id twice, %s: the same documents, the domain counted once',
  async (_, query) => {
    const { instance, store, another } = await createLookupWorld({ settings: { searches_per_domain: 2 } });
    const body = '# Pool\n\nIntro.\n\n## Size\n\nHow large the number of open connections may grow.';
    await store({ path: 'infra/pool.md', keywords: ['pool'], body });
    const input = { query, session_id: 's', request_id: 'abcd1234' };
    const first = await lookup(instance)(caller(), input);
    const again = await lookup(another())(caller(), input);
    expect(paths(first)).toEqual(['infra/pool.md']);
    const { stand_ins: _first, ...shown } = first;
    const { stand_ins: _again, ...repeated } = again;
    expect({ ...repeated, took_ms: 0 }).toEqual({ ...shown, took_ms: 0 });
    expect(await instance.sessions.get(sessionKey('agent:executor', 's'))).toMatchObject({
      searches: { infra: 1 },
      answers: [{ request_id: 'abcd1234' }],
    });
  },
);

test('R6.6 L14 a call that is nearest to a searched domain is stopped there; no far-off document is served instead', async () => {
  const { instance, store } = await createLookupWorld();
  await store({ path: 'infra/pool.md', body: '# 连接池\n\n连接池大小怎么定：连接池大小等于核数的两倍。' });
  await store({ path: 'api/errors.md', body: '# 错误\n\n接口大小写不对时报错，连接被拒绝。' });
  const ask = (query: string) => lookup(instance)(caller(), { query, session_id: 's' });
  expect(paths(await ask('连接池'))).toContain('infra/pool.md');
  const stopped = await ask('连接池大小');
  expect(stopped.documents).toEqual([]);
  expect(stopped.message).toContain('infra/pool.md');
  expect(stopped.message).toContain('「infra」');
  expect(stopped.session.searched_domains).toEqual(['infra']);
});

test('R6.7 L15 two callers with one session id do not see, use up or delete each other’s session', async () => {
  const { instance, store } = await createLookupWorld();
  await store({ path: 'infra/pool.md', keywords: ['pool'] });
  const ask = (principal: string) =>
    lookup(instance)(caller([], principal), { query: 'pool', session_id: 's', domain: 'infra' });
  expect(paths(await ask('a'))).toEqual(['infra/pool.md']);
  expect(paths(await ask('b'))).toEqual(['infra/pool.md']);
  await endSession(instance)(caller([], 'a'), { session_id: 's' });
  expect(paths(await ask('b'))).toEqual([]);
  expect(paths(await ask('a'))).toEqual(['infra/pool.md']);
});

test('R6.9 L16 an entry removed through one instance is not returned by the other’s next call, though the index has it', async () => {
  const world = await createLookupWorld();
  const id = await world.store({
    title: 'rotate the signing keys',
    body: 'Rotate the signing keys every month.',
  });
  const other = world.another();
  const query = 'rotate signing keys';
  expect((await lookup(other)(caller(), { query })).documents.map((each) => each.id)).toEqual([id]);
  await world.remove(id);
  expect(await world.ports.index.present('knowledge-test', [id])).toMatchObject([{ id, live: true }]);
  expect((await lookup(other)(caller(), { query })).documents).toEqual([]);
});
