import { expect, test } from 'vitest';
import { parse } from 'yaml';
import { foldOf } from '#lib/core/fold.ts';
import type { Fold } from '#lib/core/fold-state.ts';
import { dataText, knowledgeMap, type MapDomain, mapDomains } from '#lib/core/knowledge-map.ts';
import { tokens } from '#lib/core/tokens.ts';
import { visibleDomains } from '#lib/core/visible-domains.ts';
import { admitted, domain } from '#test/support/map-domains.ts';

const domainsOf = (f: Fold, scopes: string[], texts: Parameters<typeof mapDomains>[2] = []) =>
  mapDomains(f, visibleDomains(f, scopes), texts);

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

test('R5.3 of equally large domains the first by name are named, whatever order they come in', () => {
  const ids = ['d', 'b', 'e', 'a', 'c'];
  for (const order of [ids, ids.toReversed(), ids.toSorted()]) {
    const map = parse(
      knowledgeMap(
        order.map((id) => ({ ...domain(id), items: 7 })),
        90,
      ),
    );
    expect([map.available_knowledge_domains.map((d: MapDomain) => d.domain_id), map.left_out]).toEqual([
      ['a', 'b', 'c'],
      '+2 more',
    ]);
  }
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

test('R5.3 data text keeps every printable character and puts a space for each of the others', () => {
  expect(dataText('a\nb\u0000\u2028"\\#: 支付😀', 200)).toBe('a b  "\\#: 支付😀');
  expect(dataText('😀😀😀', 2)).toBe('😀😀');
  expect(dataText('\ud800', 5)).toBe('\ufffd');
});
