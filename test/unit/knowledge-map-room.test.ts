import { expect, test } from 'vitest';
import { parse } from 'yaml';
import { foldOf } from '#lib/core/fold.ts';
import { knowledgeMap, type MapDomain, mapDomains } from '#lib/core/knowledge-map.ts';
import { QUARTERS, weight } from '#lib/core/tokens.ts';
import { visibleDomains } from '#lib/core/visible-domains.ts';
import { admitted, domain } from '#test/support/map-domains.ts';

const bare = (domain_id: string): MapDomain => ({
  ...domain(domain_id),
  description: '',
  when_to_retrieve: '',
});

/** The smallest budget, in tokens, with which the map is the same as with room for everything. */
function leastBudget(domains: readonly MapDomain[]): number {
  const whole = knowledgeMap(domains, 10_000);
  let budget = 16;
  while (knowledgeMap(domains, budget) !== whole) budget += 1;
  return budget;
}

/** What the whole map takes, and what stands ready to say `+1 more` of these lists. */
const sizeOf = (domains: readonly MapDomain[], ...lists: string[]) =>
  Math.ceil((weight(knowledgeMap(domains, 10_000)) + weight(lists.join(''))) / QUARTERS);

// An empty list is written ` []` behind its name.
const MORE_DOMAINS = ' []left_out: "+1 more"\n';
const MORE_DOCUMENTS = ' []    left_out: "+1 more"\n';

// Budgets are whole tokens, sizes quarters of one: of four lengths one has no quarter to spare.
test.each(['a', 'ab', 'abc', 'abcd'])(
  'R5.3 the room is used to its last quarter of a token, nothing is kept for what is not there: %s',
  (id) => {
    const named = [bare(id)];
    expect(leastBudget(named)).toBe(sizeOf(named, MORE_DOMAINS));
    const described = [domain(id)];
    expect(leastBudget(described)).toBe(sizeOf(described, MORE_DOMAINS));
    const listed = [domain(id, [{ title: 'Pools', covers: ['a full pool', 'a leak'] }])];
    expect(leastBudget(listed)).toBe(sizeOf(listed, MORE_DOMAINS, MORE_DOCUMENTS));
  },
);

test('R5.3 a domain of many documents takes the room that small ones leave', () => {
  const document = { title: 'a runbook of usual length', covers: ['a', 'b'] };
  const small = Array.from({ length: 20 }, (_, n) => bare(`small-${n}`));
  const map = knowledgeMap([domain('large', Array(500).fill(document)), ...small], 3000);
  // All but what one more document would take.
  expect(weight(map)).toBeGreaterThan(3000 * QUARTERS - 200);
});

test('R5.3 many small documents have their half beside a single large one', () => {
  const large = { title: '题'.repeat(200), covers: Array(20).fill('覆'.repeat(64)) };
  const small = Array(500).fill({ title: 'a runbook of usual length', covers: ['a', 'b'] });
  const [, shown] = parse(
    knowledgeMap([domain('large', [large]), domain('small', small)], 1500),
  ).available_knowledge_domains;
  expect(shown.documents.length).toBeGreaterThan(25);
});

test('R5.3 the documents of a domain are read from the newest to the oldest, and end there', () => {
  const f = foldOf(['old', 'new'].map((title, n) => admitted({ domain: 'payment', title }, n)));
  const [payment] = mapDomains(f, visibleDomains(f, []), []);
  expect([0, 1, 2].map((n) => payment?.documents.at(n)?.title)).toEqual(['new', 'old', undefined]);
});
