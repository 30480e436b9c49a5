import { expect, test } from 'vitest';
import { IndexUnavailable, ModelUnavailable, Partial } from '#lib/core/errors.ts';
import { lookup } from '#lib/usecases/lookup.ts';
import { createLookupWorld, type LookupWorld } from '#test/support/lookup-fixture.ts';
import { ask, caller, POOL, poolWorld, withPorts } from '#test/support/pool-world.ts';

test.each([
  [{}, 'query'],
  [{ query: 7 }, 'query'],
  [{ query: '' }, 'query'],
  [{ query: ' \u200b\n' }, 'query'],
  [{ query: 'x'.repeat(4001) }, 'query'],
  [{ query: 'a\ud800b' }, 'query'],
  [{ query: 'pool', topk: 3 }, 'topk'],
  [{ query: 'pool', session_id: '' }, 'session_id'],
  [{ query: 'pool', session_id: null }, 'session_id'],
  [{ query: 'pool', domain: '' }, 'domain'],
  [{ query: 'pool', domain: '*' }, 'domain'],
  [{ query: 'pool', domain: 'd'.repeat(65) }, 'domain'],
  [{ query: 'pool', scopes: 'org:a' }, 'scopes'],
  [{ query: 'pool', request_id: 'a b' }, 'request_id'],
  ['pool', 'body'],
])('R3.7 R6.2 the input %j is refused for its field %s', async (input, field) => {
  const { instance, counts } = await poolWorld();
  await expect(lookup(instance)(caller, input)).rejects.toMatchObject({ code: 'invalid_input', field });
  expect(counts.stores() + counts.models()).toBe(0);
});

test('R6.1 R6.2 a unique match through an author’s keyword: the whole reply, without a model or the index', async () => {
  const { instance, counts, id } = await poolWorld();
  const reply = await ask(instance, { query: 'pool', session_id: 's', request_id: 'abcd1234' });
  expect(reply).toEqual({
    request_id: 'abcd1234',
    level: 'L0',
    confidence: 'high',
    documents: [
      {
        id,
        kind: 'document',
        path: 'infra/pool.md',
        title: 'Connection pool',
        domain: 'infra',
        covers: ['pool sizing'],
        when_to_retrieve: 'When connections run out.',
        excerpt: POOL.body,
        truncated: false,
        score: 1,
        section: '',
      },
    ],
    message: 'Found 1 document; the domain "infra" counts as searched.',
    suppressed: [],
    session: { searched_domains: ['infra'], returned: [id] },
    took_ms: expect.any(Number),
  });
  // The first call of a function asks for a snapshot of the catalog, too.
  expect([counts.stores(), counts.models()]).toEqual([5, 0]);
  expect(
    ['snapshots.list', 'ledger.readAfter', 'sessions.get', 'items.getMany', 'sessions.claim'].map((call) =>
      counts.of(call),
    ),
  ).toEqual([1, 1, 1, 1, 1]);
});

test('R6.3 R6.4 an L1 hit shows the section that matched, with its heading; one embedding, one search', async () => {
  const { instance, counts, id } = await poolWorld();
  const reply = await ask(instance, { query: 'twice the number of processor cores', request_id: 'r1' });
  expect(reply).toEqual({
    request_id: 'r1',
    level: 'L1',
    confidence: 'high',
    documents: [
      expect.objectContaining({
        id,
        excerpt: 'Connection pool > Size\n\n## Size\n\nTwice the number of processor cores.',
        truncated: false,
        section: 'Connection pool > Size',
      }),
    ],
    message: 'Found 1 document.',
    suppressed: [],
    session: { searched_domains: [], returned: [] },
    took_ms: expect.any(Number),
    stand_ins: ['stand-in-hash-512'],
  });
  expect([counts.of('model.embed'), counts.of('index.search'), counts.of('sessions.get')]).toEqual([1, 1, 0]);
});

test('R6.1 a request id of 8 characters is made where none is given, and is on every log line', async () => {
  const lines: Record<string, unknown>[] = [];
  const write = (_: string, fields: Record<string, unknown> = {}) => lines.push(fields);
  const { instance } = await poolWorld({ ports: { log: { debug: write, info: write, warn: write } } });
  const { request_id } = await ask(instance, { query: 'pool', session_id: 's' });
  expect(request_id).toMatch(/^[0-9a-f]{8}$/);
  expect(lines.length).toBeGreaterThanOrEqual(3);
  for (const line of lines) expect(line).toMatchObject({ request_id });
  expect(lines).toContainEqual(expect.objectContaining({ query: 'pool' }));
  expect(lines).toContainEqual(expect.objectContaining({ matches: 1 }));
  expect(lines).toContainEqual(expect.objectContaining({ took_ms: expect.any(Number) }));
});

test('R6.8 an entry is found by meaning like a document; it has no path', async () => {
  const { instance, store } = await createLookupWorld();
  const id = await store({ title: 'rotate the signing keys', body: 'Rotate the signing keys every month.' });
  const { documents } = await ask(instance, { query: 'rotate signing keys' });
  expect(documents).toMatchObject([{ id, kind: 'entry', path: '', domain: 'general' }]);
});

test('R6.3 what is far off in meaning and shares no telling word is no match', async () => {
  const { instance } = await poolWorld();
  expect(await ask(instance, { query: 'how is the violin tuned' })).toMatchObject({
    level: 'none',
    confidence: 'none',
    documents: [],
    message: 'Nothing relevant is stored.',
  });
});

test('R6.2 several keyword matches leave open which is meant: L1 orders them, confidence is low', async () => {
  const { instance, store } = await poolWorld();
  await store({ path: 'infra/threads.md', keywords: ['pool'], body: '# Threads\n\nThread pool starvation.' });
  const reply = await ask(instance, { query: 'thread pool starvation' });
  expect(reply).toMatchObject({ level: 'L0+L1', confidence: 'low' });
  expect(reply.documents.map(({ path, score }) => [path, score])).toEqual([
    ['infra/threads.md', 1],
    ['infra/pool.md', 1],
  ]);
});

const missing = async () => {
  throw new IndexUnavailable('gone');
};
const cut = async () => {
  throw new Partial('a shard is missing');
};
const down = async () => {
  throw new ModelUnavailable('throttled');
};

test.each([
  [
    'the index is missing',
    'index_unavailable',
    ({ ports }: LookupWorld) => ({ index: { ...ports.index, search: missing } }),
  ],
  [
    'the index answers in part',
    'partial',
    ({ ports }: LookupWorld) => ({ index: { ...ports.index, search: cut } }),
  ],
  [
    'no index was made',
    'index_unavailable',
    ({ ports }: LookupWorld) => ({
      projections: { ...ports.projections, get: async () => undefined },
    }),
  ],
  [
    'the model is down',
    'model_unavailable',
    ({ ports }: LookupWorld) => ({
      model: { ...ports.model, embed: down },
    }),
  ],
])(
  'R6.3 when %s lookups by keyword go on and say so; without a keyword the error is thrown',
  async (_, code, other) => {
    const world = await poolWorld();
    await world.store({ path: 'infra/threads.md', keywords: ['pool'] });
    const instance = withPorts(world, other(world));
    const reply = await ask(instance, { query: 'pool' });
    expect(reply).toMatchObject({ level: 'L0', confidence: 'low' });
    expect(reply.documents.map(({ path }) => path)).toEqual(['infra/pool.md', 'infra/threads.md']);
    expect(reply.message).toContain('keyword matches only');
    expect(reply).not.toHaveProperty('stand_ins');
    await expect(ask(instance, { query: 'twice the cores' })).rejects.toMatchObject({ code });
  },
);

test('R6.9 a new item is found by keyword before the index has it', async () => {
  const { instance, store } = await createLookupWorld();
  await store({ ...POOL, unindexed: true });
  expect(await ask(instance, { query: 'pool' })).toMatchObject({ level: 'L0', confidence: 'high' });
});

test('R6.6 a domain in which the caller may find nothing costs no embedding', async () => {
  const { instance, counts } = await poolWorld();
  expect((await ask(instance, { query: 'twice the cores', domain: 'nowhere' })).documents).toEqual([]);
  expect(counts.models()).toBe(0);
});

test('R6.2 the domain asked for is where uniqueness is counted', async () => {
  const { instance, store, counts } = await poolWorld();
  await store({ path: 'code/threads.md', keywords: ['pool'] });
  expect(await ask(instance, { query: 'pool', domain: 'code' })).toMatchObject({
    level: 'L0',
    confidence: 'high',
    documents: [{ path: 'code/threads.md' }],
  });
  expect(counts.models()).toBe(0);
});

test('R6.6 a domain that holds nothing for the caller is told apart from a question without an answer', async () => {
  const { instance } = await poolWorld();
  const { level, documents, message } = await ask(instance, { query: 'pool', domain: 'infrastructure' });
  expect({ level, documents, message }).toEqual({
    level: 'none',
    documents: [],
    message:
      'The domain "infrastructure" holds nothing that you may see: take a domain from the knowledge map.',
  });
});
