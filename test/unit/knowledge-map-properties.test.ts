import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { parse } from 'yaml';
import { foldOf } from '#lib/core/fold.ts';
import { dataText, knowledgeMap, type MapDocument, mapDomains } from '#lib/core/knowledge-map.ts';
import { tokens } from '#lib/core/tokens.ts';
import { visibleDomains } from '#lib/core/visible-domains.ts';
import { admitted, domain, type Listed } from '#test/support/map-domains.ts';

const anyText = fc.oneof(
  fc.string({ unit: 'binary', maxLength: 90 }),
  fc.string({
    unit: fc.constantFrom(...'"\\\n\r\t:#-[]{}&*!|>%@`\', \u0085\u2028\ufeff\u0000\u007f\ud800支'),
    maxLength: 90,
  }),
  fc.constantFrom(
    'available_knowledge_domains: []',
    '"\n  - domain_id: "evil"',
    'null',
    'yes',
    '1.0',
    '+3 more',
    '---',
  ),
);

const anyDomain = fc.record({
  description: anyText,
  when_to_retrieve: anyText,
  items: fc.nat(1000),
  documents: fc.array(fc.record({ title: anyText, covers: fc.array(anyText, { maxLength: 24 }) }), {
    maxLength: 30,
  }),
});

const anyDomains = fc
  .uniqueArray(anyText, { maxLength: 12, selector: (id) => dataText(id, 64) })
  .chain((ids) =>
    fc.tuple(...ids.map((domain_id) => anyDomain.map((rest): Listed => ({ domain_id, ...rest })))),
  );

const missing = (left_out: string | undefined) =>
  left_out ? Number(/^\+(\d+) more$/.exec(left_out)?.[1]) : 0;

test('R5.3 no value breaks out of the YAML: with room for all, parsing gives back every text', () => {
  fc.assert(
    fc.property(anyDomains, (domains) => {
      expect(parse(knowledgeMap(domains, 1_000_000))).toEqual({
        available_knowledge_domains: domains
          .map((d) => ({
            domain_id: dataText(d.domain_id, 64),
            description: dataText(d.description, 256),
            when_to_retrieve: dataText(d.when_to_retrieve, 1000),
            documents: d.documents.map(({ title, covers }) => ({
              title: dataText(title, 200),
              covers: covers.slice(0, 20).map((cover) => dataText(cover, 64)),
            })),
          }))
          .sort((a, b) => (a.domain_id < b.domain_id ? -1 : 1)),
      });
    }),
  );
});

test('R5.3 the size budget is never passed, and nothing goes missing uncounted', () => {
  fc.assert(
    fc.property(anyDomains, fc.integer({ min: 16, max: 1500 }), (domains, budget) => {
      const map = knowledgeMap(domains, budget);
      expect(tokens(map)).toBeLessThanOrEqual(budget);
      const { available_knowledge_domains: shown, left_out } = parse(map);
      expect(shown.length + missing(left_out)).toBe(domains.length);
      for (const d of shown) {
        const source = domains.find(({ domain_id }) => dataText(domain_id, 64) === d.domain_id);
        expect(d.documents.length + missing(d.left_out)).toBe(source?.documents.length);
        d.documents.forEach((document: { covers: string[]; left_out?: string }, n: number) => {
          const covers = source?.documents[n]?.covers.slice(0, 20) ?? [];
          expect(document.covers.length + missing(document.left_out)).toBe(covers.length);
        });
      }
    }),
    { numRuns: 300 },
  );
});

test('R5.3 the size budget holds for random folds, each domain named once and only with visible documents', () => {
  const seed = fc.record({
    domain: fc.constantFrom('payment', 'api', 'infrastructure', '支付'),
    title: anyText,
    covers: fc.array(anyText, { maxLength: 4 }),
    scopes: fc.constantFrom<string[][]>([], ['org:a'], ['org:b']),
    kind: fc.constantFrom<('document' | 'entry')[]>('document', 'entry'),
  });
  fc.assert(
    fc.property(fc.array(seed, { maxLength: 60 }), fc.integer({ min: 16, max: 800 }), (seeds, budget) => {
      const f = foldOf(seeds.map(admitted));
      const visible = visibleDomains(f, ['org:a']);
      const expected = new Set(seeds.filter(({ scopes }) => !scopes.includes('org:b')).map((s) => s.domain));
      expect(new Set(visible.keys())).toEqual(expected);
      expect(tokens(knowledgeMap(mapDomains(f, visible, []), budget))).toBeLessThanOrEqual(budget);
    }),
  );
});

test('R5.3 the size budget is shared fairly by any number of domains: none starves, whatever the others hold', () => {
  const Sizes = fc.array(fc.oneof(fc.nat(8), fc.nat(3000)), { minLength: 1, maxLength: 60 });
  fc.assert(
    fc.property(Sizes, fc.integer({ min: 3000, max: 12_000 }), (sizes, budget) => {
      const document = { title: 'a runbook of usual length', covers: ['a business scenario', 'another'] };
      const domains = sizes.map((size, n) =>
        domain(`domain-${String(n).padStart(3, '0')}`, Array<MapDocument>(size).fill(document)),
      );
      const map = knowledgeMap(domains, budget);
      expect(tokens(map)).toBeLessThanOrEqual(budget);
      const shown: { documents: unknown[]; left_out?: string }[] = parse(map).available_knowledge_domains;
      expect(shown.map(({ documents, left_out }) => documents.length + missing(left_out))).toEqual(sizes);
      const counts = shown.map(({ documents }) => documents.length);
      const short = counts.filter((count, n) => count < sizes[n]!);
      const least = Math.min(...short);
      // Nobody has more than who had to leave some out, but for the one document that no longer fits.
      for (const count of counts) if (short.length > 0) expect(count).toBeLessThanOrEqual(least + 1);
      if (short.length > 0) expect(least).toBeGreaterThan(0);
    }),
    { numRuns: 25 },
  );
});
