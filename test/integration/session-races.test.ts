import { expect, test } from 'vitest';
import { sessionKey } from '#lib/core/session.ts';
import type { Sessions } from '#lib/ports.ts';
import { createInstance } from '#lib/usecases/instance.ts';
import { createLookupWorld, type LookupWorld } from '#test/support/lookup-fixture.ts';
import { ask, caller } from '#test/support/pool-world.ts';

const clock = { now: () => 1_800_000_000_000, sleep: async () => undefined };

/** Nobody claims before that many calls have read the session: all but one choose from what is over. */
function readTogether(sessions: Sessions, calls: number): Sessions {
  const all = Promise.withResolvers<void>();
  let reads = 0;
  return {
    claim: sessions.claim,
    forget: sessions.forget,
    async get(key) {
      const row = await sessions.get(key);
      reads += 1;
      if (reads === calls) all.resolve();
      if (reads <= calls) await all.promise;
      return row;
    },
  };
}

/** The calls, side by side in one session, each by a function of its own. The first of them wins every race. */
function race({ ports }: LookupWorld, inputs: readonly object[], searches_per_domain = 1) {
  const sessions = readTogether(ports.sessions, inputs.length);
  return Promise.all(
    inputs.map((input) =>
      ask(createInstance({ ...ports, sessions }, { searches_per_domain }), { session_id: 's', ...input }),
    ),
  );
}

async function pools(names: readonly string[], domain = 'infra') {
  const world = await createLookupWorld({ ports: { clock } });
  const ids: string[] = [];
  for (const name of names)
    ids.push(
      await world.store({
        path: `${domain}/${name}.md`,
        keywords: ['pool'],
        body: `# ${name}\n\nThe pool ${name}.`,
      }),
    );
  return { ...world, ids };
}

const rowOf = ({ ports }: LookupWorld) => ports.sessions.get(sessionKey(caller.principal, 's'));

test('R6.5 R6.6 the loser of a race for a domain reads again, is stopped, and is told what the winner was given', async () => {
  const world = await pools(['one']);
  const [id] = world.ids;
  const [won, lost] = await race(world, [
    { query: 'pool', domain: 'infra', request_id: 'winner00' },
    { query: 'pool', domain: 'infra', request_id: 'loser000' },
  ]);
  expect(won!.documents.map((document) => document.id)).toEqual([id]);
  expect(lost).toEqual({
    request_id: 'loser000',
    level: 'L0',
    confidence: 'none',
    documents: [],
    message:
      'The domain "infra" was searched already in this session. It gave: infra/one.md (one). Other words will not help: work from what you have.',
    suppressed: [{ id, path: 'infra/one.md', reason: 'already_returned' }],
    session: { searched_domains: ['infra'], returned: [id] },
    took_ms: 0,
  });
  expect(await rowOf(world)).toMatchObject({
    searches: { infra: 1 },
    fruitless: {},
    answers: [{ request_id: 'winner00' }],
  });
});

test('R6.5 where the domain allows another search the loser of a race gets the next best, none of them twice', async () => {
  const world = await pools(['a', 'b', 'c', 'd', 'e']);
  const query = { query: 'pool', domain: 'infra' };
  const [won, lost] = await race(world, [query, query], 2);
  const given = [won!, lost!].map(({ documents }) => documents.map(({ id }) => id));
  expect(given.map((ids) => ids.length)).toEqual([3, 2]);
  expect(given.flat().toSorted()).toEqual(world.ids.toSorted());
  expect(lost!.suppressed.map(({ id }) => id).toSorted()).toEqual(given[0]!.toSorted());
  expect(lost!.session.returned).toEqual(given.flat());
});

test('R6.5 R6.6 searches of two domains race for one item: who loses it gets the rest of its own domain', async () => {
  const world = await createLookupWorld({ ports: { clock } });
  const nearest = await world.store({
    path: 'infra/pool.md',
    keywords: ['pool'],
    body: '# Pool\n\nthe pool',
  });
  const shared = await world.store({
    path: 'api/pool.md',
    keywords: ['pool'],
    body: '# Pool of requests\n\nrequests',
  });
  const rest = await world.store({
    path: 'api/limits.md',
    keywords: ['request limits'],
    body: '# Limits of requests\n\nhow many come in',
  });
  const [won, lost] = await race(world, [
    { query: 'the pool' },
    { query: 'pool of requests, request limits', domain: 'api' },
  ]);
  expect(won!.documents.map(({ id }) => id)).toEqual([nearest, shared]);
  expect(lost!.documents.map(({ id }) => id)).toEqual([rest]);
  expect(lost!.suppressed).toEqual([{ id: shared, path: 'api/pool.md', reason: 'already_returned' }]);
  expect(await rowOf(world)).toMatchObject({ searches: { infra: 1, api: 1 } });
});

test.each([
  ['with its domain', 'infra'],
  ['without a domain', undefined],
])(
  'R6.6 of five fruitless searches at once %s three are counted, the others are stopped',
  async (_, domain) => {
    const world = await pools(['one']);
    const query = { query: 'violin strings', ...(domain && { domain }) };
    const replies = await race(world, [query, query, query, query, query]);
    const stopped = domain
      ? /^The domain "infra" was searched too often without success/
      : /^Too many searches without/;
    expect(replies.map(({ message }) => (stopped.test(message) ? 'stopped' : message)).toSorted()).toEqual([
      ...Array(3).fill('Nothing relevant is stored.'),
      'stopped',
      'stopped',
    ]);
    expect((await rowOf(world))?.fruitless).toEqual({ [domain ?? '*']: 3 });
  },
);

test('R6.1 R6.5 a request that is sent twice at once is served once, and both hear the same answer', async () => {
  const world = await pools(['one', 'two']);
  const query = { query: 'pool', request_id: 'abcd1234' };
  const [first, second] = await race(world, [query, query]);
  const told = ({ stand_ins: _, ...reply }: typeof first & object) => reply;
  expect(told(second!)).toEqual(told(first!));
  expect(first!.documents).toHaveLength(2);
  expect(await rowOf(world)).toMatchObject({ searches: { infra: 1 }, answers: [{ request_id: 'abcd1234' }] });
});

test('R6.1 the last 32 answers are repeated word for word, an older request is a new one', async () => {
  const world = await createLookupWorld({ ports: { clock } });
  for (let n = 0; n < 33; n += 1)
    await world.store({ path: `d${n}/n${n}.md`, keywords: [`WORD_${n}`], body: `# n${n}\n\ntext` });
  const input = (n: number) => ({ query: `WORD_${n}`, session_id: 's', request_id: `request${n}` });
  const told = [];
  for (let n = 0; n < 33; n += 1) told.push(await ask(world.instance, input(n)));
  for (let n = 1; n < 33; n += 1) {
    const again = await ask(world.another(), input(n));
    // What the session has been given meanwhile is told as it stands.
    expect({ ...again, session: 0 }).toEqual({ ...told[n], session: 0 });
  }
  const oldest = await ask(world.instance, input(0));
  expect(oldest).toMatchObject({
    documents: [],
    suppressed: [{ path: 'd0/n0.md', reason: 'already_returned' }],
  });
  expect(oldest.message).toContain('"d0" was searched already');
});

test('R6.6 R6.1 a stop is told in the language of the query, whatever the documents are in', async () => {
  const world = await pools(['one']);
  const messages = [];
  for (const query of ['pool', '连接池大小', 'the pool again', 'how big is the 连接池'])
    messages.push((await ask(world.instance, { query, domain: 'infra', session_id: 's' })).message);
  expect(messages.map((message) => /^[\p{Script=Han}]/u.test(message))).toEqual([false, true, false, false]);
});
