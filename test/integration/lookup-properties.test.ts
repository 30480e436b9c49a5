import fc from 'fast-check';
import { expect, test } from 'vitest';
import { Unclear } from '#lib/core/errors.ts';
import { sessionKey } from '#lib/core/session.ts';
import type { Sessions } from '#lib/ports.ts';
import { createInstance } from '#lib/usecases/instance.ts';
import { lookup } from '#lib/usecases/lookup.ts';
import { createLookupWorld } from '#test/support/lookup-fixture.ts';

const clock = { now: () => 1_800_000_000_000, sleep: async () => undefined };

const Fault = fc.constantFrom('none', 'none', 'none', 'lost before', 'lost after');
type Fault = 'none' | 'lost before' | 'lost after';

/** Answers in an order that the scheduler chooses, and loses some answers to claims. */
function disturbed(sessions: Sessions, scheduler: fc.Scheduler, faults: readonly Fault[]): Sessions {
  let claims = 0;
  const later = async <T>(call: () => Promise<T>): Promise<T> => {
    await scheduler.schedule(Promise.resolve());
    const answer = await call();
    await scheduler.schedule(Promise.resolve());
    return answer;
  };
  return {
    get: (key) => later(() => sessions.get(key)),
    forget: (key) => later(() => sessions.forget(key)),
    claim: (key, claim) =>
      later(async () => {
        const fault = faults[claims++ % faults.length];
        if (fault === 'lost before') throw new Unclear('no answer');
        const granted = await sessions.claim(key, claim);
        if (fault === 'lost after') throw new Unclear('no answer');
        return granted;
      }),
  };
}

test('R6.5 R6.6 of 16 lookups at once, in any order, no item comes twice and no domain succeeds beyond its cap', async () => {
  const { ports, store } = await createLookupWorld({ ports: { clock } });
  for (const domain of ['infra', 'api'])
    for (const name of ['pool', 'dns', 'errors'])
      await store({
        path: `${domain}/${name}.md`,
        keywords: [name],
        body: `# ${name}\n\n${name} in ${domain}.`,
      });
  const Call = fc.record({
    query: fc.constantFrom('pool', 'dns', 'errors in api', 'pool in infra', 'violin'),
    domain: fc.constantFrom(undefined, 'infra', 'api'),
    twin: fc.nat(15),
  });
  let sessions = 0;
  await fc.assert(
    fc.asyncProperty(
      fc.scheduler(),
      fc.array(Call, { minLength: 16, maxLength: 16 }),
      fc.array(Fault, { minLength: 7, maxLength: 7 }),
      fc.constantFrom(1, 2),
      async (scheduler, calls, faults, searches_per_domain) => {
        const session_id = `s${sessions++}`;
        const instance = createInstance(
          { ...ports, sessions: disturbed(ports.sessions, scheduler, faults) },
          { searches_per_domain },
        );
        // A twin repeats another call, request id included: a client that lost the first answer.
        const all = calls.map(({ twin }, n) => {
          const at = n >= 12 ? twin % 12 : n;
          const { query, domain } = calls[at]!;
          return { query, session_id, request_id: `request${at}`, ...(domain && { domain }) };
        });
        const running = Promise.all(
          all.map((input) => lookup(instance)({ principal: 'p', scopes: [] }, input)),
        );
        const replies = await scheduler.waitFor(running);

        const by_request = new Map<string, string[]>();
        for (const { request_id, documents } of replies) {
          const ids = documents.map(({ id }) => id);
          expect(by_request.get(request_id) ?? ids).toEqual(ids);
          by_request.set(request_id, ids);
        }
        const handed = [...by_request.values()].flat();
        expect(new Set(handed).size).toBe(handed.length);
        const row = await ports.sessions.get(sessionKey('p', session_id));
        expect(row?.returned.map(({ id }) => id).sort() ?? []).toEqual(handed.toSorted());
        const successes = Object.values(row?.searches ?? {});
        for (const count of successes) expect(count).toBeLessThanOrEqual(searches_per_domain);
        for (const count of Object.values(row?.fruitless ?? {})) expect(count).toBeLessThanOrEqual(3);
        const served = [...by_request.values()].filter((ids) => ids.length > 0).length;
        expect(successes.reduce((sum, count) => sum + count, 0)).toBe(served);
      },
    ),
    { numRuns: 60 },
  );
});

test('R6.8 nothing out of scope is in any field of any reply, whatever was asked before in the session', async () => {
  const { ports, store, instance } = await createLookupWorld({ ports: { clock } });
  const item = (n: number, scope: string) => ({
    path: `${scope || 'open'}dom/${scope}note${n}.md`,
    title: `${scope} title ${n}`,
    keywords: ['shared', `${scope}word`],
    covers: [`${scope} cover`],
    when_to_retrieve: `${scope} when`,
    body: `# ${scope} heading\n\nshared text of ${scope} number ${n}`,
    scopes: scope ? [scope] : [],
  });
  for (const scope of ['', 'alphasecret', 'betasecret']) for (const n of [1, 2]) await store(item(n, scope));

  const Call = fc.record({
    query: fc.constantFrom('shared', 'alphasecretword', 'betasecret heading', 'text number 2', 'violin'),
    session_id: fc.constantFrom(undefined, 's', 't'),
    domain: fc.constantFrom(undefined, 'opendom'),
    scopes: fc.subarray(['alphasecret', 'betasecret']),
    request_id: fc.constantFrom(undefined, undefined, 'r1', 'r2'),
    cold: fc.boolean(),
  });
  let runs = 0;
  await fc.assert(
    fc.asyncProperty(fc.array(Call, { minLength: 1, maxLength: 12 }), fc.nat(2), async (calls, extra) => {
      const principal = `p${runs++}`;
      const warm = createInstance(ports, { searches_per_domain: 1 + extra });
      for (const { scopes, cold, ...call } of calls) {
        const input = Object.fromEntries(Object.entries(call).filter(([, value]) => value !== undefined));
        const asked = cold ? createInstance(ports, { searches_per_domain: 1 + extra }) : warm;
        const reply = await lookup(asked)({ principal, scopes }, input).catch((error: unknown) => {
          // A request id that was used for another question.
          expect(error).toMatchObject({ code: 'conflict' });
        });
        const text = JSON.stringify(reply ?? '');
        for (const secret of ['alphasecret', 'betasecret'])
          if (!scopes.includes(secret)) expect(text).not.toContain(secret);
      }
    }),
    { numRuns: 150 },
  );
  const seen = await lookup(instance)(
    { principal: 'q', scopes: ['alphasecret'] },
    { query: 'alphasecretword' },
  );
  expect(JSON.stringify(seen)).toContain('alphasecret title 1');
});
