import fc from 'fast-check';
import { expect, test } from 'vitest';
import { gatePorts } from '#lib/adapters/memory/gate.ts';
import { Unclear } from '#lib/core/errors.ts';
import { sessionKey } from '#lib/core/session.ts';
import type { Ports } from '#lib/ports.ts';
import { createInstance } from '#lib/usecases/instance.ts';
import { lookup } from '#lib/usecases/lookup.ts';
import { createLookupWorld } from '#test/support/lookup-fixture.ts';

const clock = { now: () => 1_800_000_000_000, sleep: async () => undefined };

const Fault = fc.constantFrom('none', 'none', 'none', 'lost before', 'lost after');
type Fault = 'none' | 'lost before' | 'lost after';

/** Makes every call through a port, and brings its answer, when the scheduler says; loses some answers to claims. */
function disturbed(ports: Ports, scheduler: fc.Scheduler, faults: readonly Fault[]): Ports {
  let claims = 0;
  return gatePorts(ports, async ({ port, method }, perform) => {
    if (port === 'clock') return perform();
    await scheduler.schedule(Promise.resolve());
    const fault = method === 'claim' ? faults[claims++ % faults.length] : 'none';
    if (fault === 'lost before') throw new Unclear('no answer');
    const answer = await perform();
    if (fault === 'lost after') throw new Unclear('no answer');
    await scheduler.schedule(Promise.resolve());
    return answer;
  });
}

const Call = fc.record({
  query: fc.constantFrom('pool', 'dns', 'errors in api', 'pool in infra', 'violin', 'opera', 'zebra'),
  domain: fc.constantFrom(undefined, 'infra', 'api'),
  principal: fc.constantFrom('p', 'p', 'q'),
  session: fc.constantFrom('one', 'one', 'two'),
  /** The running function that serves it: each has a catalog of its own. */
  server: fc.nat(2),
  twin: fc.nat(15),
});

test('R6.5 R6.6 R6.7 of 16 lookups at once, in any order, no item comes twice in a session and no domain passes its limits', async () => {
  const { ports, store } = await createLookupWorld({ ports: { clock } });
  for (const domain of ['infra', 'api'])
    for (const name of ['pool', 'dns', 'errors'])
      await store({
        path: `${domain}/${name}.md`,
        keywords: [name],
        body: `# ${name}\n\n${name} in ${domain}.`,
      });
  let runs = 0;
  await fc.assert(
    fc.asyncProperty(
      fc.scheduler(),
      fc.array(Call, { minLength: 16, maxLength: 16 }),
      fc.array(Fault, { minLength: 7, maxLength: 7 }),
      fc.constantFrom(1, 2),
      fc.constantFrom(1, 3),
      async (scheduler, calls, faults, searches_per_domain, fruitless_limit) => {
        const run = runs++;
        const gated = disturbed(ports, scheduler, faults);
        const servers = [0, 1, 2].map(() => createInstance(gated, { searches_per_domain, fruitless_limit }));
        // A twin repeats another call, request id included: a client that lost the first answer.
        const asked = calls.map(({ twin }, n) => {
          const at = n >= 12 ? twin % 12 : n;
          return { ...calls[at]!, server: calls[n]!.server, request_id: `request${at}` };
        });
        const ownerOf = ({ principal, session }: (typeof asked)[number]) => `${principal} ${session}`;
        const running = asked.map(({ query, domain, principal, session, server, request_id }) =>
          lookup(servers[server]!)(
            { principal, scopes: [] },
            { query, session_id: `${session}${run}`, request_id, ...(domain && { domain }) },
          ),
        );
        const replies = await scheduler.waitFor(Promise.all(running));

        for (const owner of new Set(asked.map(ownerOf))) {
          const [principal = '', session = ''] = owner.split(' ');
          const by_request = new Map<string, string[]>();
          for (const [n, { request_id, documents }] of replies.entries()) {
            if (ownerOf(asked[n]!) !== owner) continue;
            const ids = documents.map(({ id }) => id);
            expect(by_request.get(request_id) ?? ids).toEqual(ids);
            by_request.set(request_id, ids);
          }
          const handed = [...by_request.values()].flat();
          expect(new Set(handed).size).toBe(handed.length);
          const row = await ports.sessions.get(sessionKey(principal, `${session}${run}`));
          expect(row?.returned.map(({ id }) => id).sort() ?? []).toEqual(handed.toSorted());
          const successes = Object.values(row?.searches ?? {});
          for (const count of successes) expect(count).toBeLessThanOrEqual(searches_per_domain);
          for (const count of Object.values(row?.fruitless ?? {}))
            expect(count).toBeLessThanOrEqual(fruitless_limit);
          const answered = row?.answers.map((answer) => answer.request_id) ?? [];
          expect(new Set(answered).size).toBe(answered.length);
          const served = [...by_request.values()].filter((ids) => ids.length > 0).length;
          expect(successes.reduce((sum, count) => sum + count, 0)).toBe(served);
        }
      },
    ),
    { numRuns: 150 },
  );
});
