import { expect, test } from 'vitest';
import { IndexUnavailable } from '#lib/core/errors.ts';
import { cosine } from '#lib/core/ranking.ts';
import type { IndexDocument, Removal, SearchQuery } from '#lib/core/rows.ts';
import type { SearchIndex } from '#lib/ports.ts';

/** Dimensions of the vectors in this suite: an engine's index must be made for them. */
export const CONTRACT_DIMENSIONS = 4;

let names = 0;

/** Every promise of the port (R4.1, R6.3, R6.8). `make` opens the engine; names of indexes are unique. */
export function searchIndexContract(engine: string, make: () => Promise<SearchIndex>): void {
  const open = async () => {
    const index = await make();
    const physical = `knowledge-contract-${Date.now().toString(36)}-${++names}`;
    await index.create(physical);
    return { index, physical };
  };
  const behaves = (behaviour: string, check: (index: SearchIndex, physical: string) => Promise<void>) =>
    test(`${engine}: ${behaviour}`, async () => {
      const { index, physical } = await open();
      try {
        await check(index, physical);
      } finally {
        await index.drop(physical);
      }
    });

  behaves('an index is there and listed from create to drop', async (index, physical) => {
    expect(await index.exists(physical)).toBe(true);
    expect(await index.list()).toContain(physical);
    await index.drop(physical);
    expect(await index.exists(physical)).toBe(false);
    expect(await index.list()).not.toContain(physical);
    await index.drop(physical);
  });

  behaves('a name is created once', async (index, physical) => {
    await expect(index.create(physical)).rejects.toThrow();
    expect(await index.exists(physical)).toBe(true);
  });

  behaves(
    'a missing index is unavailable, never empty, and never made by a write',
    async (index, physical) => {
      const gone = `${physical}-gone`;
      for (const call of [
        () => index.bulk(gone, [document('a', 1)]),
        () => index.nearest(gone, [1, 0, 0, 0], 5, []),
        () => index.search(gone, query()),
        () => index.present(gone, ['a']),
      ])
        await expect(call()).rejects.toBeInstanceOf(IndexUnavailable);
      expect(await index.exists(gone)).toBe(false);
    },
  );

  behaves('what bulk wrote can be found when it returns', async (index, physical) => {
    expect(await index.bulk(physical, [document('a', 1), document('b', 2)])).toEqual({ refused: [] });
    const { by_vector, by_text } = await index.search(physical, query());
    expect(ids(by_vector)).toEqual(['a', 'b']);
    expect(ids(by_text)).toEqual(['a', 'b']);
    expect(ids(await index.nearest(physical, [1, 0, 0, 0], 5, []))).toEqual(['a', 'b']);
  });

  behaves('an empty bulk changes nothing', async (index, physical) => {
    expect(await index.bulk(physical, [])).toEqual({ refused: [] });
    expect(ids((await index.search(physical, query())).by_vector)).toEqual([]);
  });

  behaves('a lower or equal version never overwrites, and is no refusal', async (index, physical) => {
    await index.bulk(physical, [document('a', 5, { title: 'five' })]);
    for (const late of [document('a', 4), document('a', 5), removal('a', 3), removal('a', 5)])
      expect(await index.bulk(physical, [late])).toEqual({ refused: [] });
    expect(await index.present(physical, ['a'])).toEqual([{ id: 'a', version: 5, live: true }]);
    expect(ids((await index.search(physical, query({ text: 'five' }))).by_text)).toEqual(['a']);
    await index.bulk(physical, [document('a', 6, { title: 'six' })]);
    expect(await index.present(physical, ['a'])).toEqual([{ id: 'a', version: 6, live: true }]);
    expect(ids((await index.search(physical, query({ text: 'five' }))).by_text)).toEqual([]);
    expect(ids((await index.search(physical, query({ text: 'six' }))).by_text)).toEqual(['a']);
  });

  behaves(
    'a removal outlasts a late write of a lower version, known before or not',
    async (index, physical) => {
      await index.bulk(physical, [document('a', 1)]);
      await index.bulk(physical, [removal('a', 3), removal('b', 4)]);
      await index.bulk(physical, [document('a', 2), document('b', 3)]);
      const { by_vector, by_text } = await index.search(physical, query());
      expect([ids(by_vector), ids(by_text)]).toEqual([[], []]);
      expect(await index.nearest(physical, [1, 0, 0, 0], 5, [])).toEqual([]);
      expect(byId(await index.present(physical, ['a', 'b', 'c']))).toEqual([
        { id: 'a', version: 3, live: false },
        { id: 'b', version: 4, live: false },
      ]);
    },
  );

  behaves('a removed item is found again after a higher version', async (index, physical) => {
    await index.bulk(physical, [removal('a', 3)]);
    await index.bulk(physical, [document('a', 4)]);
    expect(ids((await index.search(physical, query())).by_vector)).toEqual(['a']);
    expect(await index.present(physical, ['a'])).toEqual([{ id: 'a', version: 4, live: true }]);
  });

  behaves('a document that is not live is kept and not found', async (index, physical) => {
    await index.bulk(physical, [{ ...document('a', 1), live: false }]);
    const { by_vector, by_text } = await index.search(physical, query());
    expect([ids(by_vector), ids(by_text)]).toEqual([[], []]);
    expect(await index.nearest(physical, [1, 0, 0, 0], 5, [])).toEqual([]);
    expect(await index.present(physical, ['a'])).toEqual([{ id: 'a', version: 1, live: false }]);
  });

  behaves('what can never be stored is refused by id, the rest is written', async (index, physical) => {
    await index.bulk(physical, [document('a', 1)]);
    const wrong = document('b', 2, { task_vector: [1, 0] });
    expect(await index.bulk(physical, [wrong, document('c', 3)])).toEqual({ refused: ['b'] });
    expect(ids(byId(await index.present(physical, ['a', 'b', 'c'])))).toEqual(['a', 'c']);
  });

  behaves(
    'nearest gives the k nearest by task vector with the vectors as stored',
    async (index, physical) => {
      await index.bulk(physical, [
        document('far', 1, { task_vector: [0, 1, 0, 0] }),
        document('near', 2, { task_vector: [1, 0.25, 0, 0] }),
        document('same', 3, { task_vector: [2, 0, 0, 0] }),
      ]);
      expect(await index.nearest(physical, [1, 0, 0, 0], 2, [])).toEqual([
        { id: 'same', vector: [2, 0, 0, 0] },
        { id: 'near', vector: [1, 0.25, 0, 0] },
      ]);
    },
  );

  behaves(
    'R4.1 nearest leaves out, before it counts, what not everyone may see who may see the newcomer',
    async (index, physical) => {
      await index.bulk(physical, [
        document('all', 1, { task_vector: [1, 0, 0, 0] }),
        document('a', 2, { task_vector: [1, 0, 0, 0], scopes: ['org:a'] }),
        document('ab', 3, { task_vector: [1, 0.1, 0, 0], scopes: ['org:a', 'org:b'] }),
        document('b', 4, { task_vector: [1, 0.2, 0, 0], scopes: ['org:b'] }),
      ]);
      const found = async (scopes: string[], k = 9) =>
        ids(await index.nearest(physical, [1, 0, 0, 0], k, scopes)).sort();
      expect([await found([]), await found(['org:b']), await found(['org:a', 'org:b'])]).toEqual([
        ['all'],
        ['ab', 'all', 'b'],
        ['ab', 'all'],
      ]);
      expect(await found(['org:b'], 3)).toEqual(['ab', 'all', 'b']);
    },
  );

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

const ids = (hits: readonly { id: string }[]): string[] => hits.map(({ id }) => id);
const byId = <Row extends { id: string }>(rows: readonly Row[]): Row[] =>
  rows.toSorted((a, b) => (a.id < b.id ? -1 : 1));
const near = (vector: readonly number[]): number => cosine([1, 0.5, 0, 0], vector);

const section = (heading: string, vector: number[]) => ({ heading, text: `${heading} text`, vector });

function document(id: string, version: number, more: Partial<IndexDocument> = {}): IndexDocument {
  return {
    id,
    version,
    live: true,
    domain: 'infra',
    scopes: [],
    title: 'pool',
    keywords: [],
    about: '',
    task_vector: [1, 0, 0, version / 1024],
    sections: [section('S', [1, 0, 0, version / 1024])],
    ...more,
  };
}

const removal = (id: string, version: number): Removal => ({ id, version, live: false });

const query = (more: Partial<SearchQuery> = {}): SearchQuery => ({
  vector: [1, 0, 0, 0],
  text: 'pool',
  scopes: [],
  limit: 100,
  ...more,
});
