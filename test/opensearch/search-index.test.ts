import { expect, test } from 'vitest';
import type { IndexDocument } from '#lib/core/rows.ts';
import { CONTRACT_DIMENSIONS, searchIndexContract } from '#test/contract/search-index.contract.ts';
import { createServerConnection, createServerIndex, uniquePrefix } from '#test/opensearch/server.ts';
import { removal } from '#test/support/index-documents.ts';

const prefix = uniquePrefix();
const NAME = 'knowledge-own';

searchIndexContract('R4.1 R6.3 R6.8 search index in OpenSearch', async () =>
  createServerIndex(CONTRACT_DIMENSIONS, { prefix }),
);

const document = (more: { [Key in keyof IndexDocument]?: IndexDocument[Key] } = {}): IndexDocument => ({
  id: 'a',
  version: 5,
  live: true,
  domain: 'infra',
  scopes: [],
  title: 'pool',
  keywords: [],
  about: '',
  task_vector: [1, 0, 0, 0],
  sections: [{ heading: 'S', text: 'text', vector: [1, 0, 0, 0] }],
  ...more,
});

test('R6.9 what was written before without being shown yet is waited for by who writes it again', async () => {
  const own = uniquePrefix();
  // As a worker that died between the write and the refresh.
  const connection = createServerConnection();
  const hasty = createServerIndex(CONTRACT_DIMENSIONS, {
    prefix: own,
    connection: ({ query, ...call }) =>
      connection({ ...call, ...(query && { query: { ...query, refresh: false } }) }),
  });
  const patient = createServerIndex(CONTRACT_DIMENSIONS, { prefix: own, refresh: 'wait_for' });
  await hasty.create(NAME);
  try {
    for (let version = 1; version <= 5; version++) {
      await hasty.bulk(NAME, [document({ id: `a${version}`, version })]);
      expect(await patient.bulk(NAME, [document({ id: `a${version}`, version })])).toEqual({ refused: [] });
      expect(await patient.nearest(NAME, [1, 0, 0, 0], 9, [])).toHaveLength(version);
    }
  } finally {
    await patient.drop(NAME);
  }
});

test('R6.9 a removal is taken out a day later, after another one', async () => {
  let now = Date.now();
  const index = createServerIndex(CONTRACT_DIMENSIONS, { clock: { now: () => now } });
  await index.create(NAME);
  try {
    await index.bulk(NAME, [document({ id: 'live' }), removal('a', 6)]);
    now += 24 * 3600 * 1000;
    await index.bulk(NAME, [removal('b', 7)]);
    expect((await index.present(NAME, ['a', 'b', 'live'])).map(({ id }) => id)).toEqual(['a', 'b', 'live']);
    now += 1;
    await index.bulk(NAME, [removal('c', 8)]);
    expect((await index.present(NAME, ['a', 'b', 'c', 'live'])).map(({ id }) => id)).toEqual([
      'b',
      'c',
      'live',
    ]);
  } finally {
    await index.drop(NAME);
  }
});

test('R4.8 vectors that the engine cannot compare do no harm: without direction, or no numbers', async () => {
  const index = createServerIndex(CONTRACT_DIMENSIONS);
  await index.create(NAME);
  try {
    const odd: [string, number[]][] = [
      ['zero', [0, 0, 0, 0]],
      ['short', [1e-30, 0, 0, 0]],
      ['long', [1e30, 0, 0, 0]],
      ['nan', [Number.NaN, 0, 0, 0]],
      ['infinite', [Number.POSITIVE_INFINITY, 0, 0, 0]],
    ];
    const documents = odd.map(([id, task_vector]) => document({ id, task_vector, title: id }));
    expect(await index.bulk(NAME, [...documents, document()])).toEqual({ refused: ['nan', 'infinite'] });
    expect(await index.nearest(NAME, [1, 0, 0, 0], 9, [])).toEqual([{ id: 'a', vector: [1, 0, 0, 0] }]);
    const query = { vector: [0, 0, 0, 0], text: 'zero', scopes: [], limit: 9 };
    expect(await index.search(NAME, query)).toEqual({
      by_vector: [],
      by_text: [{ id: 'zero', score: expect.any(Number) }],
    });
  } finally {
    await index.drop(NAME);
  }
});

test('R6.3 a query of thousands of words is answered', async () => {
  const index = createServerIndex(CONTRACT_DIMENSIONS);
  await index.create(NAME);
  try {
    await index.bulk(NAME, [document({ title: 'word7 连接' })]);
    const words = Array.from({ length: 3000 }, (_, n) => `word${n}`).join(' ');
    const characters = String.fromCodePoint(...Array.from({ length: 3000 }, (_, n) => 0x4e00 + n));
    for (const text of [words, `连接${characters}`]) {
      const { by_text } = await index.search(NAME, { vector: [1, 0, 0, 0], text, scopes: [], limit: 9 });
      expect(by_text.map(({ id }) => id)).toEqual(['a']);
    }
  } finally {
    await index.drop(NAME);
  }
});
