import { afterAll, beforeAll, expect, test } from 'vitest';
import { createMemorySearchIndex } from '#lib/adapters/memory/search-index.ts';
import { cosine } from '#lib/core/ranking.ts';
import type { IndexDocument, SearchQuery, VectorHit } from '#lib/core/rows.ts';
import type { SearchIndex } from '#lib/ports.ts';
import { seeded } from '#test/crash/random.ts';
import { createServerIndex } from '#test/opensearch/server.ts';

const SEED = 20260701;
const DIMENSIONS = 48;
const DOCUMENTS = 200;
const QUERIES = 40;
const K = 10;
const NAME = 'knowledge-random';
const DOMAINS = ['infra', 'payment', 'api'];
const SCOPES = ['org:a', 'org:b'];

const random = seeded(SEED);
const below = (n: number) => Math.floor(random() * n);
/** No direction is favoured, and no two cosines are equal. */
const vector = () =>
  Array.from({ length: DIMENSIONS }, () =>
    Math.fround(Math.sqrt(-2 * Math.log(1 - random())) * Math.cos(2 * Math.PI * random())),
  );
/** Words that many documents share. */
const common = () => Array.from({ length: 30 }, () => `common${below(40)}`).join(' ');
/** Words of one document alone, in Latin and in Chinese. */
const own = (n: number) =>
  `unique${n}x ${String.fromCodePoint(0x4e00 + 3 * n, 0x4e01 + 3 * n, 0x4e02 + 3 * n)}`;

const documents: IndexDocument[] = Array.from({ length: DOCUMENTS }, (_, n) => ({
  id: `knowledge-20260701-120000-${n.toString(16).padStart(8, '0')}`,
  version: n + 1,
  live: true,
  domain: DOMAINS[below(3)]!,
  scopes: below(3) === 0 ? [SCOPES[below(2)]!] : [],
  title: `${common().slice(0, 40)} ${own(n)}`,
  keywords: [`common${below(40)}`],
  about: common(),
  task_vector: vector(),
  sections: Array.from({ length: 1 + below(6) }, (_, s) => ({
    heading: `Section ${s}`,
    text: common(),
    vector: vector(),
  })),
}));

const memory = createMemorySearchIndex();
const server = createServerIndex(DIMENSIONS);
const both = [memory, server];

beforeAll(async () => {
  for (const index of both) {
    await index.create(NAME);
    for (let at = 0; at < DOCUMENTS; at += 50)
      expect(await index.bulk(NAME, documents.slice(at, at + 50))).toEqual({ refused: [] });
    // Every fifth goes, every seventh comes back under a new version with its sections turned round.
    const gone = documents
      .filter((_, n) => n % 5 === 0)
      .map(({ id }) => ({ id, version: 1000, live: false }) as const);
    const back = documents
      .filter((_, n) => n % 7 === 0)
      .map((document) => ({ ...document, version: 1001, sections: document.sections.toReversed() }));
    await index.bulk(NAME, gone);
    await index.bulk(NAME, back);
  }
});
afterAll(() => server.drop(NAME));

const hits = (query: number[], found: readonly VectorHit[]) =>
  found
    .map((hit) => ({ ...hit, cosine: cosine(query, hit.vector) }))
    .sort((a, b) => b.cosine - a.cosine)
    .map(({ id, section, heading }) => ({ id, section, heading }));

const ask = (more: { [Key in keyof SearchQuery]?: SearchQuery[Key] }): SearchQuery => ({
  vector: vector(),
  text: '',
  scopes: [],
  limit: K,
  ...more,
});

test('R4.1 of 200 random documents both engines name the same nearest, in the same order, with equal vectors', async () => {
  for (let n = 0; n < QUERIES; n++) {
    const query = vector();
    const [expected, found] = await Promise.all(
      both.map((index) => index.nearest(NAME, query, K, SCOPES.slice(0, n % 3))),
    );
    expect(expected).toHaveLength(K);
    expect(found).toEqual(expected);
  }
});

test('R6.3 R6.8 and the same nearest sections, whatever the domain and the scopes', async () => {
  for (let n = 0; n < QUERIES; n++) {
    const query = ask({
      domain: n % 2 ? DOMAINS[below(3)] : undefined,
      scopes: SCOPES.slice(0, below(3)),
    });
    const [expected, found] = await Promise.all(both.map((index) => index.search(NAME, query)));
    expect(expected!.by_vector).toHaveLength(K);
    expect(hits(query.vector, found!.by_vector)).toEqual(hits(query.vector, expected!.by_vector));
  }
});

test('R6.3 R6.8 and the same best by words where one is clearly best, or none', async () => {
  const tops = async (index: SearchIndex, query: SearchQuery) =>
    (await index.search(NAME, query)).by_text.slice(0, 1).map(({ id }) => id);
  const answers: string[][] = [];
  for (let n = 0; n < DOCUMENTS; n += 1) {
    const word = own(n).split(' ')[n % 2]!;
    const scopes = SCOPES.slice(0, n % 3);
    const [expected, found] = await Promise.all(
      both.map((index) => tops(index, ask({ text: word, scopes }))),
    );
    expect(found, word).toEqual(expected);
    answers.push(found!);
    // Seen: then it stays the best, whatever common word stands beside.
    const text = `${word} common${below(40)}`;
    if (found!.length > 0)
      for (const index of both) expect(await tops(index, ask({ text, scopes })), text).toEqual(found);
  }
  // Both kinds came up: found, and gone or out of sight.
  expect(answers.filter((ids) => ids.length === 1).length).toBeGreaterThan(100);
  expect(answers.filter((ids) => ids.length === 0).length).toBeGreaterThan(30);
});
