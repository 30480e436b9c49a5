import { expect, test } from 'vitest';
import { IndexUnavailable, ModelUnavailable, Partial, Unclear } from '#lib/core/errors.ts';
import { sessionKey } from '#lib/core/session.ts';
import type { Ports } from '#lib/ports.ts';
import { endSession } from '#lib/usecases/end-session.ts';
import { createInstance, type Instance } from '#lib/usecases/instance.ts';
import { lookup } from '#lib/usecases/lookup.ts';
import { createLookupWorld, type LookupWorld } from '#test/support/lookup-fixture.ts';

const caller = { principal: 'agent:executor', scopes: [] as string[] };
const ask = (instance: Instance, input: object, scopes: string[] = []) =>
  lookup(instance)({ ...caller, scopes }, input);

/** The same stores, with some ports answering otherwise. */
const with_ports = ({ ports }: LookupWorld, other: globalThis.Partial<Ports>) =>
  createInstance({ ...ports, ...other });

const POOL = {
  path: 'infra/pool.md',
  title: 'Connection pool',
  keywords: ['pool'],
  covers: ['pool sizing'],
  when_to_retrieve: 'When connections run out.',
  body: '# Connection pool\n\nAbout pools.\n\n## Size\n\nTwice the number of processor cores.\n',
};

async function poolWorld(options: Parameters<typeof createLookupWorld>[0] = {}) {
  const world = await createLookupWorld(options);
  return { ...world, id: await world.store(POOL) };
}

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
  expect([counts.stores(), counts.models()]).toEqual([4, 0]);
  expect(
    ['ledger.readAfter', 'sessions.get', 'items.getMany', 'sessions.claim'].map((call) => counts.of(call)),
  ).toEqual([1, 1, 1, 1]);
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
    const instance = with_ports(world, other(world));
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

test('R6.7 a session is forgotten its time after the last use', async () => {
  let now = 1_800_000_000_000;
  const clock = { now: () => now, sleep: async () => undefined };
  const { instance } = await poolWorld({ ports: { clock }, settings: { session_ttl_s: 100 } });
  const input = { query: 'pool', session_id: 's', domain: 'infra' };
  expect((await ask(instance, input)).documents).toHaveLength(1);
  now += 99_000;
  expect((await ask(instance, input)).documents).toHaveLength(0);
  now += 1_000;
  expect((await ask(instance, input)).documents).toHaveLength(1);
});

test('R6.7 a session is ended by its caller; unknown ones are none, blank ones are refused', async () => {
  const { instance } = await poolWorld();
  const input = { query: 'pool', session_id: 's', domain: 'infra' };
  await ask(instance, input);
  await endSession(instance)(caller, { session_id: 's' });
  await endSession(instance)(caller, { session_id: 'never-opened' });
  expect((await ask(instance, input)).documents).toHaveLength(1);
  await expect(endSession(instance)(caller, { session_id: '' })).rejects.toMatchObject({
    field: 'session_id',
  });
});

test('R6.1 a request id that was used for another question is refused', async () => {
  const { instance } = await poolWorld();
  const first = { query: 'pool', session_id: 's', request_id: 'abcd1234' };
  await ask(instance, first);
  await expect(ask(instance, { ...first, query: 'dns' })).rejects.toMatchObject({ code: 'conflict' });
  await expect(ask(instance, { ...first, domain: 'infra' })).rejects.toMatchObject({ code: 'conflict' });
});

test('R6.1 a fruitless answer is repeated, and counted once', async () => {
  const { instance } = await poolWorld();
  const input = { query: 'violin', session_id: 's', request_id: 'abcd1234' };
  const [first, again] = [await ask(instance, input), await ask(instance, input)];
  expect({ ...again, took_ms: 0, stand_ins: [] }).toEqual({ ...first, took_ms: 0, stand_ins: [] });
  const row = await instance.sessions.get(sessionKey(caller.principal, 's'));
  expect(row?.fruitless).toEqual({ '*': 1 });
});

test.each(['before', 'after'])(
  'R6.5 a claim whose answer is lost %s it took hold is answered once',
  async (when) => {
    const world = await poolWorld();
    let lost = 0;
    const instance = with_ports(world, {
      sessions: {
        ...world.ports.sessions,
        get: world.ports.sessions.get,
        claim: async (key, claim) => {
          if (lost++ > 0) return world.ports.sessions.claim(key, claim);
          if (when === 'after') await world.ports.sessions.claim(key, claim);
          throw new Unclear('no answer');
        },
      },
    });
    const reply = await ask(instance, { query: 'pool', session_id: 's', domain: 'infra' });
    expect(reply.documents.map(({ path }) => path)).toEqual(['infra/pool.md']);
    const row = await instance.sessions.get(sessionKey(caller.principal, 's'));
    expect(row).toMatchObject({ searches: { infra: 1 }, returned: [{ path: 'infra/pool.md' }] });
    expect(row?.answers).toHaveLength(1);
  },
);

test('R6.5 a session that stays out of reach hands nothing over', async () => {
  const world = await poolWorld({ ports: { clock: { now: () => 1e12, sleep: async () => undefined } } });
  const { sessions } = world.ports;
  const instance = with_ports(world, {
    sessions: { get: sessions.get, forget: sessions.forget, claim: async () => false },
  });
  await expect(ask(instance, { query: 'pool', session_id: 's' })).rejects.toBeInstanceOf(Unclear);
});

test('R3.6 R6.1 a repeated answer leaves out what was removed since', async () => {
  const { instance, remove, id } = await poolWorld();
  const input = { query: 'pool', session_id: 's', request_id: 'abcd1234' };
  await ask(instance, input);
  await remove(id);
  const again = await ask(instance, input);
  expect(again).toMatchObject({ documents: [], confidence: 'none', session: { returned: [] } });
  expect(JSON.stringify(again)).not.toContain('pool.md');
});

test('R6.8 a session opened with more scopes names nothing of them to a call with fewer, in a cold function too', async () => {
  const world = await createLookupWorld();
  await world.store({
    path: 'vault/codes.md',
    title: 'Launch codes',
    keywords: ['codes'],
    scopes: ['org:a'],
  });
  const input = { query: 'codes', session_id: 's', request_id: 'abcd1234' };
  expect((await ask(world.instance, input, ['org:a'])).documents).toHaveLength(1);
  for (const instance of [world.instance, world.another()]) {
    for (const call of [input, { query: 'codes', session_id: 's' }])
      expect(JSON.stringify(await ask(instance, call))).not.toMatch(/vault|codes|Launch/);
    const stopped = await ask(instance, { query: 'x', session_id: 's', domain: 'vault' });
    expect(JSON.stringify(stopped)).not.toMatch(/codes|Launch/);
  }
  const cold = await ask(world.another(), { query: 'x', session_id: 's', domain: 'vault' }, ['org:a']);
  expect(cold.message).toContain('vault/codes.md (Launch codes)');
  expect(cold.suppressed).toMatchObject([{ path: 'vault/codes.md', reason: 'already_returned' }]);
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
