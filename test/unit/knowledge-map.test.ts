import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { parse } from 'yaml';
import type { Entry } from '#lib/core/entry.ts';
import { PIPELINE } from '#lib/core/entry.ts';
import { foldOf } from '#lib/core/fold.ts';
import type { Fold } from '#lib/core/fold-state.ts';
import {
  dataText,
  knowledgeMap,
  type MapDocument,
  type MapDomain,
  mapDomains,
} from '#lib/core/knowledge-map.ts';
import { tokens } from '#lib/core/tokens.ts';
import { visibleDomains } from '#lib/core/visible-domains.ts';

const idOf = (n: number) => `knowledge-20260101-000000-${n.toString(16).padStart(8, '0')}`;

interface Seed {
  domain: string;
  title: string;
  covers?: string[];
  scopes?: string[];
  kind?: 'document' | 'entry';
}

const admitted = (
  { domain, title, covers = [], scopes = [], kind = 'document' }: Seed,
  n: number,
): Entry => ({
  position: n + 1,
  at: 1_767_225_600,
  by: PIPELINE,
  event: 'admitted',
  item_id: idOf(n),
  attempt: 1,
  decision_id: `d${n}`,
  fingerprint: `f${n}`,
  scopes,
  live: { kind, domain, title, keywords: [], keywords_by_author: false, covers },
});

type Listed = MapDomain & { documents: readonly MapDocument[] };

const domainsOf = (f: Fold, scopes: string[], texts: Parameters<typeof mapDomains>[2] = []) =>
  mapDomains(f, visibleDomains(f, scopes), texts);

const domain = (domain_id: string, documents: readonly MapDocument[] = []): Listed => ({
  domain_id,
  description: `about ${domain_id}`,
  when_to_retrieve: `asked about ${domain_id}`,
  items: documents.length,
  documents,
});

test('R5.3 the map is YAML of the shape that agents read, one line a list however long', () => {
  const long = 'a label '.repeat(8).trim();
  const f = foldOf(
    [
      { domain: 'payment', title: '支付失败排查手册', covers: ['支付超时', '扣款无回调'] },
      { domain: 'api', title: 'Gateway "limits": a #1 guide' },
      { domain: 'payment', title: '退款处理指南', covers: ['退款未到账', long, long] },
    ].map(admitted),
  );
  const texts = [
    {
      domain_id: 'payment',
      description: '支付链路问题排查',
      when_to_retrieve: '用户问题涉及支付时检索；优先检索一次，勿重复。',
    },
    { domain_id: 'empty', description: 'left', when_to_retrieve: 'never' },
  ];
  expect(knowledgeMap(domainsOf(f, [], texts), 6000)).toBe(`available_knowledge_domains:
  - domain_id: "api"
    description: ""
    when_to_retrieve: ""
    documents:
      - title: "Gateway \\"limits\\": a #1 guide"
        covers: []
  - domain_id: "payment"
    description: "支付链路问题排查"
    when_to_retrieve: "用户问题涉及支付时检索；优先检索一次，勿重复。"
    documents:
      - title: "退款处理指南"
        covers: ["退款未到账", "${long}", "${long}"]
      - title: "支付失败排查手册"
        covers: ["支付超时", "扣款无回调"]
`);
});

test('R5.3 a knowledge base without live items has an empty map', () => {
  expect(knowledgeMap([], 6000)).toBe('available_knowledge_domains: []\n');
});

test('R5.3 a scoped document and a domain of scoped documents are seen by who shares a scope, and by no one else', () => {
  const f = foldOf(
    [
      { domain: 'payment', title: 'open' },
      { domain: 'payment', title: 'of acme', scopes: ['org:acme'] },
      { domain: 'secret', title: 'plan', scopes: ['org:acme', 'org:b'] },
    ].map(admitted),
  );
  const seen = (scopes: string[]) =>
    domainsOf(f, scopes).map(({ domain_id, documents }) => [
      domain_id,
      Array.from({ length: documents.length }, (_, n) => documents.at(n)?.title),
    ]);
  expect(seen([])).toEqual([['payment', ['open']]]);
  expect(seen(['org:b'])).toEqual([
    ['payment', ['open']],
    ['secret', ['plan']],
  ]);
  expect(seen(['org:acme'])).toEqual([
    ['payment', ['of acme', 'open']],
    ['secret', ['plan']],
  ]);
});

test('R5.3 a domain that holds entries only is named by its text and lists no documents', () => {
  const f = foldOf([admitted({ domain: 'general', title: 'a note', kind: 'entry' }, 0)]);
  const texts = [{ domain_id: 'general', description: 'notes', when_to_retrieve: 'often' }];
  expect(parse(knowledgeMap(domainsOf(f, [], texts), 6000))).toEqual({
    available_knowledge_domains: [
      { domain_id: 'general', description: 'notes', when_to_retrieve: 'often', documents: [] },
    ],
  });
});

test('R5.3 what does not fit is counted, the newest documents stay, and a small domain keeps all of its own', () => {
  const many = Array.from({ length: 300 }, (_, n) => ({ title: `runbook number ${n}`, covers: ['a', 'b'] }));
  const map = knowledgeMap([domain('big', many), domain('small', [{ title: 'only', covers: ['x'] }])], 500);
  const [big, small] = parse(map).available_knowledge_domains;
  expect(small).toEqual({
    domain_id: 'small',
    description: 'about small',
    when_to_retrieve: 'asked about small',
    documents: [{ title: 'only', covers: ['x'] }],
  });
  expect(big.documents[0].title).toBe('runbook number 0');
  expect(big.documents.length).toBeGreaterThan(15);
  expect(big.left_out).toBe(`+${300 - big.documents.length} more`);
  expect(tokens(map)).toBeGreaterThan(450);
});

test('R5.3 two large domains share the room evenly', () => {
  const many = Array.from({ length: 300 }, () => ({
    title: 'a runbook of usual length',
    covers: ['a', 'b'],
  }));
  const { available_knowledge_domains: domains } = parse(
    knowledgeMap([domain('a', many), domain('b', many), domain('c', many.slice(0, 2))], 2000),
  );
  expect(domains[0].documents.length).toBe(domains[1].documents.length);
  expect(domains[2].documents.length).toBe(2);
});

test('R5.3 a domain with few documents leaves their room to its text, and is cut where that is not enough', () => {
  const wordy = { ...domain('wordy', [{ title: 'only', covers: [] }]), when_to_retrieve: '用'.repeat(100) };
  expect(parse(knowledgeMap([wordy], 175)).available_knowledge_domains).toEqual([
    {
      domain_id: 'wordy',
      description: 'about wordy',
      when_to_retrieve: '用'.repeat(100),
      documents: [{ title: 'only', covers: [] }],
    },
  ]);
  const [cut] = parse(knowledgeMap([wordy], 130)).available_knowledge_domains;
  expect(cut.when_to_retrieve).toMatch(/^用{60,90}…$/);
  expect(cut.documents).toEqual([{ title: 'only', covers: [] }]);
});

test('R5.3 of more domains than fit the largest are named and the others counted', () => {
  const domains = Array.from({ length: 100 }, (_, n) => ({ ...domain(`domain-${n}`), items: n }));
  const map = parse(knowledgeMap(domains, 300));
  const named = map.available_knowledge_domains.map((d: { domain_id: string }) => d.domain_id);
  expect(named).toContain('domain-99');
  expect(map.left_out).toBe(`+${100 - named.length} more`);
  expect(named.length).toBeGreaterThan(5);
});

test('R5.3 a long title and too many covers are cut to the caps of quoted data', () => {
  const covers = Array.from({ length: 30 }, () => '覆'.repeat(70));
  const [d] = parse(
    knowledgeMap([domain('d', [{ title: '题'.repeat(300), covers }])], 6000),
  ).available_knowledge_domains;
  expect(d.documents).toEqual([{ title: '题'.repeat(200), covers: Array(20).fill('覆'.repeat(64)) }]);
});

test('R5.3 a document that fits with a part of its covers says how many are missing', () => {
  const covers = Array.from({ length: 20 }, (_, n) => `cover of a business scenario ${n}`);
  const [d] = parse(
    knowledgeMap([domain('d', [{ title: 'wide', covers }])], 130),
  ).available_knowledge_domains;
  const [shown] = d.documents;
  expect(shown).toEqual({
    title: 'wide',
    covers: covers.slice(0, shown.covers.length),
    left_out: `+${20 - shown.covers.length} more`,
  });
  expect(shown.covers.length).toBeGreaterThan(3);
});

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

test('R5.3 data text keeps every printable character and puts a space for each of the others', () => {
  expect(dataText('a\nb\u0000\u2028"\\#: 支付😀', 200)).toBe('a b  "\\#: 支付😀');
  expect(dataText('😀😀😀', 2)).toBe('😀😀');
  expect(dataText('\ud800', 5)).toBe('\ufffd');
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

const missing = (left_out: string | undefined) =>
  left_out ? Number(/^\+(\d+) more$/.exec(left_out)?.[1]) : 0;

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
