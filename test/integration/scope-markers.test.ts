import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { Caller } from '#lib/core/caller.ts';
import { KnowHubError } from '#lib/core/errors.ts';
import { agentPrompt } from '#lib/usecases/agent-prompt.ts';
import { getDocument } from '#lib/usecases/get-document.ts';
import { getItem } from '#lib/usecases/get-item.ts';
import { createInstance, type Instance } from '#lib/usecases/instance.ts';
import { itemStatus } from '#lib/usecases/item-status.ts';
import { knowledgeMap } from '#lib/usecases/knowledge-map.ts';
import { listDocuments } from '#lib/usecases/list-documents.ts';
import { listDomains } from '#lib/usecases/list-domains.ts';
import { listItems } from '#lib/usecases/list-items.ts';
import { listRelations } from '#lib/usecases/list-relations.ts';
import { lookup } from '#lib/usecases/lookup.ts';
import { searchItems } from '#lib/usecases/search-items.ts';
import { createLookupWorld } from '#test/support/lookup-fixture.ts';

const clock = { now: () => 1_800_000_000_000, sleep: async () => undefined };

/** Who may see what carries the marker. */
const MARKED = { zqalpha: ['a'], zqbeta: ['b'], zqboth: ['a', 'b'] } as const;
type Marker = keyof typeof MARKED;
const MARKERS = Object.keys(MARKED) as Marker[];
const SECRET_PATHS = MARKERS.flatMap((m) => [`${m}domain/${m}file.md`, `common/${m}file.md`]);

/** Every field of a scoped document is marked; one of each lies in a domain of its own, one among public ones. */
async function markedWorld() {
  const world = await createLookupWorld({ ports: { clock } });
  for (const name of ['pool', 'dns'])
    await world.store({
      path: `common/${name}.md`,
      keywords: ['shared', name],
      covers: ['a shared cover'],
      when_to_retrieve: 'when shared',
      body: `# A shared heading\n\nThe shared text of ${name}.`,
    });
  for (const marker of MARKERS)
    for (const domain of [`${marker}domain`, 'common'])
      await world.store({
        path: `${domain}/${marker}file.md`,
        title: `${marker}title`,
        keywords: ['shared', `${marker}keyword`],
        covers: [`${marker}cover`],
        when_to_retrieve: `when ${marker}when`,
        body: `# ${marker}heading\n\nThe shared text, ${marker}body.`,
        scopes: [...MARKED[marker]],
        owner: `${marker}owner`,
      });
  const entry = { title: 'zqalphatask', body: 'The shared text of zqalphaentry.', scopes: ['a'] };
  await world.store({ ...entry, owner: 'zqalphaowner' });
  // What is related to a public item, and what has a text, is not told by that either.
  const rows = await world.ports.ledger.readAfter(0, 99);
  const [open] = rows;
  for (const { item_id, position, scopes } of rows.slice(2))
    await world.ports.relations.put({
      from: item_id,
      to: open!.item_id,
      type: scopes.includes('a') && scopes.includes('b') ? 'zqboth_type' : `complement`,
      reverse: 'complement',
      pos: position,
    });
  for (const marker of MARKERS) {
    const domain_id = `${marker}domain`;
    await world.ports.domains.markDirty(domain_id, 1, clock.now());
    const claim = { token: 't', at: clock.now() };
    await world.ports.domains.claim(domain_id, claim, 0, Number.MAX_SAFE_INTEGER);
    const text = { description: `${marker}text`, when_to_retrieve: `${marker}when`, model: 'm' };
    await world.ports.domains.save(domain_id, 't', { ...text, computed_position: 99, updated_at: 0 });
  }
  return { ...world, ids: rows.map(({ item_id }) => item_id) };
}

const word = fc.constantFrom(
  ...['shared', 'pool', 'dns', 'violin', 'text', 'heading'],
  ...MARKERS.flatMap((m) => [`${m}keyword`, `${m}title`, `${m}body`, `${m}cover`, `${m}heading`]),
);
const session_id = fc.constantFrom(undefined, 's', 't');
const domain = fc.constantFrom(undefined, undefined, 'common', ...MARKERS.map((m) => `${m}domain`));

const Step = fc.record({
  scopes: fc.subarray(['a', 'b']),
  cold: fc.boolean(),
  does: fc.oneof(
    {
      weight: 6,
      arbitrary: fc.record({
        what: fc.constant('lookup' as const),
        query: fc.array(word, { minLength: 1, maxLength: 2 }).map((words) => words.join(' ')),
        session_id,
        domain,
        request_id: fc.constantFrom(undefined, undefined, 'r1', 'r2'),
      }),
    },
    { weight: 3, arbitrary: fc.constant({ what: 'again' as const }) },
    fc.record({ what: fc.constant('search' as const), query: word, domain }),
    fc.record({ what: fc.constantFrom('planner' as const, 'executor' as const), session_id }),
    fc.record({ what: fc.constant('document' as const), path: fc.constantFrom(...SECRET_PATHS) }),
    fc.record({ what: fc.constantFrom('item' as const, 'status' as const), nth: fc.nat(8) }),
    fc.record({
      what: fc.constantFrom(
        'map' as const,
        'domains' as const,
        'documents' as const,
        'items' as const,
        'relations' as const,
      ),
    }),
  ),
});
type Does = typeof Step extends fc.Arbitrary<infer S> ? (S extends { does: infer D } ? D : never) : never;

/** `again` is the last lookup once more, for a client that lost its answer. */
const repeated = (steps: readonly { does: Does }[], n: number): Does =>
  steps.slice(0, n).findLast(({ does }) => does.what === 'lookup')?.does ?? { what: 'map' };

function carryOut(
  instance: Instance,
  caller: Caller,
  ids: readonly string[],
  does: Exclude<Does, { what: 'again' }>,
): Promise<unknown> {
  switch (does.what) {
    case 'lookup': {
      const { what: _, ...asked } = does;
      const input = Object.entries(asked).filter(([, value]) => value !== undefined);
      return lookup(instance)(caller, Object.fromEntries(input));
    }
    case 'search':
      return searchItems(instance)(caller, { q: does.query, domain: does.domain, limit: 20 });
    case 'planner':
    case 'executor':
      return agentPrompt(instance)(does.what, caller, does.session_id);
    case 'document':
      return getDocument(instance)(caller, does.path);
    case 'item':
      return getItem(instance)(caller, ids[does.nth % ids.length]!);
    case 'status':
      return itemStatus(instance)(caller, ids[does.nth % ids.length]!);
    case 'map':
      return knowledgeMap(instance)(caller);
    case 'domains':
      return listDomains(instance)(caller);
    case 'documents':
      return listDocuments(instance)(caller, { limit: 50 });
    case 'items':
      return listItems(instance)(caller, { limit: 50 });
    case 'relations':
      return listRelations(instance)(caller);
  }
}

/** What the caller wrote itself comes back in some replies: the domain it asked for, the path it wanted. */
function without(reply: string, does: Does): string {
  const own = ['domain' in does ? does.domain : undefined, 'path' in does ? does.path : undefined];
  return own.reduce<string>((text, each) => (each === undefined ? text : text.replaceAll(each, '')), reply);
}

test('R6.8 R5.3 R5.4 nothing out of scope is in any field of any reply, map or prompt, whatever was asked before in the session', async () => {
  const { ports, ids } = await markedWorld();
  let runs = 0;
  const seen = new Set<Marker>();
  await fc.assert(
    fc.asyncProperty(fc.array(Step, { minLength: 1, maxLength: 14 }), fc.nat(2), async (steps, extra) => {
      const principal = `p${runs++}`;
      const settings = { searches_per_domain: 1 + extra };
      const warm = createInstance(ports, settings);
      for (const [n, { scopes, cold, does: told }] of steps.entries()) {
        const does = told.what === 'again' ? repeated(steps, n) : told;
        if (does.what === 'again') continue;
        const instance = cold ? createInstance(ports, settings) : warm;
        const reply = await carryOut(instance, { principal, scopes }, ids, does).catch((error: unknown) => {
          if (!(error instanceof KnowHubError)) throw error;
          expect(['conflict', 'not_found']).toContain(error.code);
          return { code: error.code, message: error.message };
        });
        const text = without(JSON.stringify(reply), does);
        for (const marker of MARKERS) {
          if (MARKED[marker].some((scope) => scopes.includes(scope))) {
            if (text.includes(marker)) seen.add(marker);
          } else expect(text, `${does.what} by ${scopes}`).not.toContain(marker);
        }
      }
    }),
    { numRuns: 250 },
  );
  expect([...seen].sort()).toEqual(MARKERS.toSorted());
});

test('R6.8 every field of a scoped document is there for who may see it: the markers are where they are looked for', async () => {
  const { instance, ids } = await markedWorld();
  const alpha = { principal: 'p', scopes: ['a'] };
  const found = await lookup(instance)(alpha, { query: 'zqalphakeyword', domain: 'zqalphadomain' });
  for (const field of ['domain', 'file', 'title', 'cover', 'when', 'heading', 'body'])
    expect(JSON.stringify(found)).toContain(`zqalpha${field}`);
  const map = await knowledgeMap(instance)(alpha);
  for (const field of ['domain', 'title', 'cover', 'text']) expect(map).toContain(`zqalpha${field}`);
  expect(JSON.stringify(await getItem(instance)(alpha, ids[2]!))).toContain('zqalphaowner');
  expect(JSON.stringify(await listRelations(instance)({ principal: 'p', scopes: ['a', 'b'] }))).toContain(
    'zqboth_type',
  );
});
