import { expect, test } from 'vitest';
import type { SessionClaim, SessionRow } from '#lib/core/rows.ts';
import type { Sessions } from '#lib/ports.ts';

let keys = 0;

/** Every promise of the port (protocol, "Sessions"; R6.5-R6.7). `make` opens the store; keys are unique. */
export function sessionsContract(store: string, make: () => Promise<Sessions>): void {
  const behaves = (behaviour: string, check: (sessions: Sessions, key: string) => Promise<void>) =>
    test(`${store}: ${behaviour}`, async () => {
      const sessions = await make();
      const key = `contract-${Date.now().toString(36)}-${++keys}`;
      await check(sessions, key);
      await sessions.forget(key);
    });

  behaves('a session that nobody opened is not there', async (sessions, key) => {
    expect(await sessions.get(key)).toBeUndefined();
  });

  behaves('the first claim opens the session', async (sessions, key) => {
    const opened = claim('r1', { success: 'infra', domains: ['infra'], returned: [item('a', 'infra')] });
    expect(await sessions.claim(key, opened)).toBe(true);
    expect(await sessions.get(key)).toEqual<SessionRow>({
      key,
      searches: { infra: 1 },
      fruitless: {},
      returned: [item('a', 'infra')],
      answers: [{ request_id: 'r1', reply: '{"of":"r1"}' }],
      expires_at: 5000,
    });
  });

  behaves('a claim that is refused changes nothing', async (sessions, key) => {
    await sessions.claim(key, claim('r1', { success: 'infra', domains: ['infra'] }));
    const before = await sessions.get(key);
    expect(await sessions.claim(key, claim('r2', { success: 'infra', domains: ['infra'] }))).toBe(false);
    expect(await sessions.get(key)).toEqual(before);
  });

  behaves('a request id has one answer', async (sessions, key) => {
    expect(await sessions.claim(key, claim('r1', { fruitless: 'infra' }))).toBe(true);
    expect(await sessions.claim(key, claim('r1', { fruitless: 'infra' }))).toBe(false);
    expect(await sessions.get(key)).toMatchObject({ fruitless: { infra: 1 } });
  });

  behaves('an item is returned once', async (sessions, key) => {
    const first = claim('r1', { success: 'a', domains: ['a'], returned: [item('x', 'a'), item('y', 'a')] });
    expect(await sessions.claim(key, first)).toBe(true);
    const again = claim('r2', { success: 'b', domains: ['b'], returned: [item('z', 'b'), item('y', 'b')] });
    expect(await sessions.claim(key, again)).toBe(false);
    const other = claim('r3', { success: 'b', domains: ['b'], returned: [item('z', 'b')] });
    expect(await sessions.claim(key, other)).toBe(true);
    expect((await sessions.get(key))?.returned.map(({ id }) => id)).toEqual(['x', 'y', 'z']);
  });

  behaves('no domain of the search or of its items passes the cap', async (sessions, key) => {
    for (const n of [1, 2])
      expect(await sessions.claim(key, claim(`r${n}`, { success: 'a', domains: ['a'], cap: 2 }))).toBe(true);
    expect(await sessions.claim(key, claim('r3', { success: 'a', domains: ['a'], cap: 2 }))).toBe(false);
    expect(await sessions.claim(key, claim('r4', { success: 'b', domains: ['b', 'a'], cap: 2 }))).toBe(false);
    expect(await sessions.claim(key, claim('r5', { fruitless: 'a', domains: ['a'], cap: 2 }))).toBe(false);
    expect(await sessions.claim(key, claim('r6', { success: 'b', domains: ['b'], cap: 2 }))).toBe(true);
    expect(await sessions.get(key)).toMatchObject({ searches: { a: 2, b: 1 }, fruitless: {} });
  });

  behaves('after the fruitless searches no search of the domain is granted', async (sessions, key) => {
    for (const n of [1, 2, 3])
      expect(await sessions.claim(key, claim(`r${n}`, { fruitless: 'a', domains: ['a'] }))).toBe(true);
    expect(await sessions.claim(key, claim('r4', { fruitless: 'a', domains: ['a'] }))).toBe(false);
    expect(await sessions.claim(key, claim('r5', { success: 'a', domains: ['a'] }))).toBe(false);
    expect(await sessions.claim(key, claim('r6', { fruitless: '*' }))).toBe(true);
    const handing_over_of_a = claim('r8', { success: 'b', domains: ['b', 'a'], returned: [item('x', 'a')] });
    expect(await sessions.claim(key, handing_over_of_a)).toBe(false);
    expect(await sessions.claim(key, claim('r7', { success: 'b', domains: ['b'] }))).toBe(true);
  });

  behaves('a domain may have any name', async (sessions, key) => {
    const names = ['constructor', '__proto__', '支付', 'a.b#c', 'x y', '*'];
    for (const [n, name] of names.entries())
      expect(await sessions.claim(key, claim(`r${n}`, { success: name, domains: [name] }))).toBe(true);
    expect(Object.keys((await sessions.get(key))!.searches).sort()).toEqual(names.toSorted());
    expect(await sessions.claim(key, claim('again', { success: '__proto__', domains: ['__proto__'] }))).toBe(
      false,
    );
  });

  behaves('the last 32 answers are kept, what was returned is kept', async (sessions, key) => {
    for (let n = 0; n < 33; n++)
      await sessions.claim(
        key,
        claim(`r${n}`, { success: `d${n}`, domains: [`d${n}`], returned: [item(`i${n}`, `d${n}`)] }),
      );
    const row = (await sessions.get(key))!;
    expect(row.answers.map(({ request_id }) => request_id)).toEqual(
      Array.from({ length: 32 }, (_, n) => `r${n + 1}`),
    );
    expect(row.returned).toHaveLength(33);
  });

  behaves('each claim moves the expiry; an expired session counts as absent', async (sessions, key) => {
    await sessions.claim(key, claim('r1', { success: 'a', domains: ['a'], returned: [item('x', 'a')] }));
    await sessions.claim(key, claim('r2', { fruitless: 'b', now: 2000, expires_at: 6000 }));
    expect((await sessions.get(key))?.expires_at).toBe(6000);
    const blocked = claim('r1', { success: 'a', domains: ['a'], returned: [item('x', 'a')], now: 5999 });
    expect(await sessions.claim(key, blocked)).toBe(false);
    expect(await sessions.claim(key, { ...blocked, now: 6000, expires_at: 9000 })).toBe(true);
    expect(await sessions.get(key)).toMatchObject({
      searches: { a: 1 },
      fruitless: {},
      returned: [item('x', 'a')],
      answers: [{ request_id: 'r1' }],
      expires_at: 9000,
    });
  });

  behaves(
    'a forgotten session is not there; forgetting is repeatable and touches no other',
    async (sessions, key) => {
      await sessions.claim(key, claim('r1', { fruitless: 'a' }));
      await sessions.claim(`${key}-other`, claim('r1', { fruitless: 'a' }));
      await sessions.forget(key);
      await sessions.forget(key);
      expect(await sessions.get(key)).toBeUndefined();
      expect(await sessions.get(`${key}-other`)).toMatchObject({ fruitless: { a: 1 } });
      await sessions.forget(`${key}-other`);
    },
  );

  behaves('of many claims at once on one domain exactly one is granted', async (sessions, key) => {
    const granted = await Promise.all(
      Array.from({ length: 16 }, (_, n) =>
        sessions.claim(key, claim(`r${n}`, { success: 'a', domains: ['a'], returned: [item(`i${n}`, 'a')] })),
      ),
    );
    expect(granted.filter(Boolean)).toHaveLength(1);
    expect((await sessions.get(key))?.returned).toHaveLength(1);
  });

  behaves('claims at once that do not touch each other end with what each wrote', async (sessions, key) => {
    const waiting = new Set(Array.from({ length: 8 }, (_, n) => n));
    while (waiting.size > 0) {
      const round = await Promise.all(
        [...waiting].map(async (n) => ({
          n,
          granted: await sessions.claim(
            key,
            claim(`r${n}`, { success: `d${n}`, domains: [`d${n}`], returned: [item(`i${n}`, `d${n}`)] }),
          ),
        })),
      );
      // A store may refuse one that lost a race; it must grant some.
      expect(round.some(({ granted }) => granted)).toBe(true);
      for (const { n, granted } of round) if (granted) waiting.delete(n);
    }
    const row = (await sessions.get(key))!;
    expect(row.returned.map(({ id }) => id).sort()).toEqual(Array.from({ length: 8 }, (_, n) => `i${n}`));
    expect(Object.values(row.searches)).toEqual(Array.from({ length: 8 }, () => 1));
  });
}

const item = (id: string, domain: string) => ({
  id,
  path: `${domain}/${id}.md`,
  title: `Title of ${id}`,
  domain,
  request_id: 'r',
});

const claim = (request_id: string, more: Partial<SessionClaim> = {}): SessionClaim => ({
  request_id,
  returned: [],
  domains: [],
  cap: 1,
  fruitless_limit: 3,
  reply: JSON.stringify({ of: request_id }),
  now: 1000,
  expires_at: 5000,
  ...more,
});
