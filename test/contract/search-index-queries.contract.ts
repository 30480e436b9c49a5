import { expect } from 'vitest';
import { cosine } from '#lib/core/ranking.ts';
import type { SearchIndex } from '#lib/ports.ts';
import { eachIndex } from '#test/support/each-index.ts';
import { document, ids, query, section } from '#test/support/index-documents.ts';

/** The part of the index's contract that is about what a query finds (R6.3, R6.8); `searchIndexContract` includes it. */
export function searchIndexQueriesContract(engine: string, make: () => Promise<SearchIndex>): void {
  const behaves = eachIndex(engine, make);

  behaves('an item is found by its nearest section, with the section as stored', async (index, physical) => {
    const sections = [
      section('Intro', [0, 0, 1, 0]),
      section('Sizes', [1, 0.5, 0, 0]),
      section('More', [0, 1, 0, 0]),
    ];
    await index.bulk(physical, [document('a', 1, { sections }), document('b', 2)]);
    const { by_vector } = await index.search(physical, query({ vector: [1, 0.5, 0, 0] }));
    const best = by_vector.toSorted((x, y) => near(y.vector) - near(x.vector))[0];
    expect(best).toEqual({
      id: 'a',
      section: 1,
      heading: 'Sizes',
      text: 'Sizes text',
      vector: [1, 0.5, 0, 0],
    });
    expect(new Set(ids(by_vector))).toEqual(new Set(['a', 'b']));
  });

  behaves('an item with many near sections leaves room for the others', async (index, physical) => {
    const sections = Array.from({ length: 20 }, (_, n) => section(`S${n}`, [1, 0, 0, n / 1024]));
    await index.bulk(physical, [
      document('long', 1, { sections }),
      document('short', 2, { sections: [section('S', [1, 1, 0, 0])] }),
    ]);
    const { by_vector } = await index.search(physical, query({ limit: 2 }));
    expect(new Set(ids(by_vector))).toEqual(new Set(['long', 'short']));
  });

  behaves(
    'words are found in title, keywords, about and sections, the title counts more',
    async (index, physical) => {
      await index.bulk(physical, [
        document('section', 1, { title: 'x', sections: [{ ...section('S', [1, 0, 0, 0]), text: 'zebra' }] }),
        document('title', 2, { title: 'zebra' }),
        document('about', 3, { title: 'x', about: 'zebra' }),
        document('keyword', 4, { title: 'x', keywords: ['zebra'] }),
        document('none', 5, { title: 'x' }),
      ]);
      const { by_text } = await index.search(physical, query({ text: 'ZEBRA' }));
      expect(new Set(ids(by_text))).toEqual(new Set(['section', 'title', 'about', 'keyword']));
      const scores = new Map(by_text.map(({ id, score }) => [id, score]));
      expect(scores.get('title')!).toBeGreaterThan(scores.get('about')!);
      for (const score of scores.values()) expect(score).toBeGreaterThan(0);
    },
  );

  behaves('what is found by words brings the section that has most of them', async (index, physical) => {
    const worded = (heading: string, text: string) => ({ ...section(heading, [0, 0, 1, 0]), text });
    await index.bulk(physical, [
      document('codes', 1, {
        title: 'Codes',
        sections: [
          worded('One', 'the zebra rests'),
          worded('Two', 'error E1234 of the zebra'),
          worded('Three', 'nothing else'),
        ],
      }),
      document('title', 2, { title: 'zebra', sections: [worded('Other', 'a giraffe')] }),
    ]);
    const { by_text } = await index.search(physical, query({ text: 'zebra E1234' }));
    expect(by_text.map(({ id, section }) => [id, section])).toEqual([
      ['codes', { n: 1, heading: 'Two', text: 'error E1234 of the zebra' }],
      ['title', undefined],
    ]);
  });

  behaves('Chinese is found without spaces', async (index, physical) => {
    await index.bulk(physical, [
      document('pool', 1, { title: '数据库连接池配置' }),
      document('pay', 2, { title: '支付超时排查' }),
    ]);
    expect(ids((await index.search(physical, query({ text: '连接池大小' }))).by_text)).toEqual(['pool']);
  });

  behaves('words that are nowhere, and no words at all, find nothing by text', async (index, physical) => {
    await index.bulk(physical, [document('a', 1)]);
    for (const text of ['nowhere', '', '?!'])
      expect((await index.search(physical, query({ text }))).by_text).toEqual([]);
  });

  behaves('the commonest English words are not searched for', async (index, physical) => {
    await index.bulk(physical, [
      document('a', 1, { title: 'how it is to be in this pool' }),
      document('b', 2, { title: 'what the lock does' }),
    ]);
    const found = async (text: string) => ids((await index.search(physical, query({ text }))).by_text);
    expect(await found('this is not to be')).toEqual([]);
    expect(await found('what is in the room')).toEqual(['b']);
  });

  behaves('both sides keep to the domain asked for', async (index, physical) => {
    await index.bulk(physical, [document('a', 1, { domain: 'infra' }), document('b', 2, { domain: 'api' })]);
    const { by_vector, by_text } = await index.search(physical, query({ domain: 'api' }));
    expect([ids(by_vector), ids(by_text)]).toEqual([['b'], ['b']]);
  });

  behaves(
    'both sides show only what has no scopes or shares one with the caller',
    async (index, physical) => {
      await index.bulk(physical, [
        document('open', 1),
        document('org-a', 2, { scopes: ['org:a', 'org:x'] }),
        document('org-b', 3, { scopes: ['org:b'] }),
      ]);
      for (const [scopes, seen] of [
        [[], ['open']],
        [['org:a'], ['open', 'org-a']],
        [
          ['org:b', 'org:x'],
          ['open', 'org-a', 'org-b'],
        ],
      ]) {
        const { by_vector, by_text } = await index.search(physical, query({ scopes: scopes! }));
        expect(ids(by_vector).sort()).toEqual(seen);
        expect(ids(by_text).sort()).toEqual(seen);
      }
    },
  );

  behaves('each side gives at most as many items as asked for, the best ones', async (index, physical) => {
    await index.bulk(
      physical,
      [1, 2, 3, 4].map((n) =>
        document(`d${n}`, n, {
          title: Array.from({ length: n }, () => 'pool').join(' '),
          sections: [section('S', [n, 1, 0, 0])],
        }),
      ),
    );
    const { by_vector, by_text } = await index.search(physical, query({ limit: 2 }));
    expect(new Set(ids(by_vector))).toEqual(new Set(['d3', 'd4']));
    expect(by_text).toHaveLength(2);
  });
}

const near = (vector: readonly number[]): number => cosine([1, 0.5, 0, 0], vector);
