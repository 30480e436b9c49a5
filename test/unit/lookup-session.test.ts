import { expect, test } from 'vitest';
import { Unclear } from '#lib/core/errors.ts';
import { sessionKey } from '#lib/core/session.ts';
import { endSession } from '#lib/usecases/end-session.ts';
import { createLookupWorld } from '#test/support/lookup-fixture.ts';
import { ask, caller, poolWorld, withPorts } from '#test/support/pool-world.ts';

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
    const instance = withPorts(world, {
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
  const instance = withPorts(world, {
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
