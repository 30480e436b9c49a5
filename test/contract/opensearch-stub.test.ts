import { expect, test } from 'vitest';
import { NoAnswer } from '#lib/adapters/aws/opensearch/client.ts';
import { IndexUnavailable, Partial, Unclear } from '#lib/core/errors.ts';
import type { SearchIndex } from '#lib/ports.ts';
import {
  document,
  fault,
  hits,
  linesOf,
  ok,
  query,
  shards,
  openSearchStub as stub,
} from '#test/support/opensearch-stub.ts';

const FILTER = [
  { term: { live: true } },
  { term: { domain: 'infra' } },
  {
    bool: {
      minimum_should_match: 1,
      should: [{ bool: { must_not: { exists: { field: 'scopes' } } } }, { terms: { scopes: ['org:a'] } }],
    },
  },
];

const NO_SECTION = { sections: hits([]) };

test('R6.3 R6.8 a search is one call: both sides are filtered before their best are chosen', async () => {
  const { index, calls } = stub(
    ok({
      responses: [
        hits([
          { _id: 'b', _score: 2, inner_hits: NO_SECTION },
          { _id: 'a', _score: 2, inner_hits: NO_SECTION },
          {
            _id: 'c',
            _score: 3.5,
            inner_hits: {
              sections: hits([{ _nested: { offset: 2 }, _source: { heading: 'Pool', text: 'pool size' } }]),
            },
          },
        ]),
        hits([
          {
            _id: 'a',
            _score: 'NaN',
            inner_hits: {
              sections: {
                hits: {
                  hits: [
                    { _nested: { offset: 4 }, _source: { heading: 'Size', text: 'size', vector: [0.1, 1] } },
                  ],
                },
              },
            },
          },
        ]),
      ],
    }),
  );
  expect(await index.search('knowledge-1', query())).toEqual({
    by_text: [
      { id: 'c', score: 3.5, section: { n: 2, heading: 'Pool', text: 'pool size' } },
      { id: 'a', score: 2 },
      { id: 'b', score: 2 },
    ],
    by_vector: [{ id: 'a', section: 4, heading: 'Size', text: 'size', vector: [Math.fround(0.1), 1] }],
  });
  expect(calls).toHaveLength(1);
  const [call] = calls;
  expect({ method: call!.method, path: call!.path }).toEqual({
    method: 'POST',
    path: '/dev-knowledge-1/_msearch',
  });
  expect(linesOf(call)).toEqual([
    { allow_partial_search_results: false },
    {
      size: 20,
      _source: false,
      query: {
        bool: {
          filter: FILTER,
          must: {
            combined_fields: { query: 'pool size', fields: ['title^3', 'keywords^2', 'about', 'text'] },
          },
          should: {
            nested: {
              path: 'sections',
              score_mode: 'max',
              boost: 0,
              query: { match: { 'sections.text': 'pool size' } },
              inner_hits: { size: 1, _source: ['sections.heading', 'sections.text'] },
            },
          },
        },
      },
    },
    { allow_partial_search_results: false },
    {
      size: 20,
      _source: false,
      query: {
        nested: {
          path: 'sections',
          score_mode: 'max',
          query: {
            knn: { 'sections.vector': { vector: [1, 0], k: 20, filter: { bool: { filter: FILTER } } } },
          },
          inner_hits: { size: 1, _source: ['sections.heading', 'sections.text', 'sections.vector'] },
        },
      },
    },
  ]);
});

test('R6.8 who has no scopes is shown what has none, in every domain', async () => {
  const { index, calls } = stub(ok({ responses: [hits(), hits()] }));
  await index.search('i', query({ scopes: [], domain: undefined }));
  expect(linesOf(calls[0])[1]).toMatchObject({
    query: {
      bool: { filter: [{ term: { live: true } }, { bool: { must_not: { exists: { field: 'scopes' } } } }] },
    },
  });
});

test('R6.3 a vector without a direction is near nothing: the words are searched alone', async () => {
  for (const vector of [
    [0, 0],
    [1e-30, 0],
    [1e30, 0],
  ]) {
    const { index, calls } = stub(
      ok({ responses: [hits([{ _id: 'a', _score: 1, inner_hits: NO_SECTION }])] }),
    );
    expect(await index.search('i', query({ vector }))).toEqual({
      by_vector: [],
      by_text: [{ id: 'a', score: 1 }],
    });
    expect(calls[0]!.lines).toHaveLength(2);
    expect(await index.nearest('i', vector, 5, [])).toEqual([]);
    expect(calls).toHaveLength(1);
  }
});

test('R6.3 of a long query the first 150 terms are searched, each once', async () => {
  const { index, calls } = stub(ok({ responses: [hits(), hits()] }));
  const words = Array.from({ length: 400 }, (_, n) => `word${n % 200}`);
  await index.search('i', query({ text: words.join(' ') }));
  expect(JSON.stringify(linesOf(calls[0])[1])).toContain(`"query":"${words.slice(0, 150).join(' ')}"`);
});

test('R4.1 the nearest are live ones under the scope rule, with their vectors as float32', async () => {
  const unscoped = { bool: { must_not: { exists: { field: 'scopes' } } } };
  const all = [{ term: { scopes: 'org:a' } }, { term: { scopes: 'org:b' } }];
  for (const [scopes, comparable] of [
    [[], unscoped],
    [['org:a', 'org:b'], { bool: { should: [unscoped, { bool: { filter: all } }] } }],
  ] as const) {
    const { index, calls } = stub(ok(hits([{ _id: 'a', _score: 1, _source: { task_vector: [0.1, 2] } }])));
    expect(await index.nearest('knowledge-1', [1, 0], 50, scopes)).toEqual([
      { id: 'a', vector: [Math.fround(0.1), 2] },
    ]);
    const filter = { bool: { filter: [{ term: { live: true } }, comparable] } };
    expect(calls).toEqual([
      {
        method: 'POST',
        path: '/dev-knowledge-1/_search',
        query: { allow_partial_search_results: false },
        body: {
          size: 50,
          _source: ['task_vector'],
          query: { knn: { task_vector: { vector: [1, 0], k: 50, filter } } },
        },
      },
    ]);
  }
});

const NOT_WHOLE: [string, object][] = [
  ['timed out', hits([], { timed_out: true })],
  ['a shard failed', hits([], { _shards: shards({ failed: 1, successful: 2 }) })],
  ['a shard was skipped', hits([], { _shards: shards({ skipped: 1 }) })],
  ['a shard is silent', hits([], { _shards: shards({ successful: 2 }) })],
  ['no word of shards', { timed_out: false, hits: { hits: [] } }],
  ['no hits at all', { timed_out: false, _shards: shards() }],
  ['a hit without its vector', hits([{ _id: 'a', _score: 1, _source: {} }])],
];

test.each(NOT_WHOLE)('R4.1 R6.3 an answer that is not whole is never read as one: %s', async (_why, body) => {
  await expect(stub(ok(body)).index.nearest('i', [1, 0], 5, [])).rejects.toBeInstanceOf(Partial);
  await expect(stub(ok({ responses: [hits(), body] })).index.search('i', query())).rejects.toBeInstanceOf(
    Partial,
  );
});

test('R6.3 a search whose other half is missing, or whose words were not searched whole, is no answer', async () => {
  const late = hits([], { timed_out: true });
  for (const responses of [[hits()], [late, hits()], [hits(), hits(), hits()]])
    await expect(stub(ok({ responses })).index.search('i', query())).rejects.toBeInstanceOf(Partial);
  const section = hits([{ _id: 'a', inner_hits: { sections: { hits: { hits: [] } } } }]);
  await expect(stub(ok({ responses: [hits(), section] })).index.search('i', query())).rejects.toBeInstanceOf(
    Partial,
  );
});

const READ_FAULTS: [number, string, string][] = [
  [404, 'index_not_found_exception', 'index_unavailable'],
  [400, 'index_closed_exception', 'index_unavailable'],
  [401, '', 'index_unavailable'],
  [403, 'cluster_block_exception', 'index_unavailable'],
  [429, 'rejected_execution_exception', 'index_unavailable'],
  [500, '', 'index_unavailable'],
  [503, 'search_phase_execution_exception', 'index_unavailable'],
  [504, '', 'index_unavailable'],
  [400, 'parsing_exception', 'index_refused'],
];

test.each(READ_FAULTS)('R4.1 R6.3 a read answered %i %s is %s', async (status, type, code) => {
  const answer = fault(status, type);
  const whole: ((index: SearchIndex) => Promise<unknown>)[] = [
    (index) => index.nearest('i', [1, 0], 5, []),
    (index) => index.search('i', query()),
    (index) => index.present('i', ['a']),
    (index) => index.list(),
  ];
  for (const call of whole) await expect(call(stub(answer).index)).rejects.toMatchObject({ code });
  const half = stub(ok({ responses: [hits(), answer.body] }));
  await expect(half.index.search('i', query())).rejects.toMatchObject({ code });
});

test('R4.1 an engine out of reach is unavailable to who reads, and unclear to who wrote', async () => {
  const refused = new NoAnswer('refused', false);
  const lost = new NoAnswer('reset', true);
  const reads: ((index: SearchIndex) => Promise<unknown>)[] = [
    (index) => index.nearest('i', [1, 0], 5, []),
    (index) => index.search('i', query()),
    (index) => index.present('i', ['a']),
    (index) => index.exists('i'),
    (index) => index.list(),
  ];
  for (const read of reads)
    for (const error of [refused, lost])
      await expect(read(stub(error).index)).rejects.toBeInstanceOf(IndexUnavailable);
  const writes: ((index: SearchIndex) => Promise<unknown>)[] = [
    (index) => index.create('i'),
    (index) => index.drop('i'),
    (index) => index.bulk('i', [document('a')]),
  ];
  for (const write of writes) {
    for (const answer of [lost, fault(503), fault(429)]) {
      const { index, calls } = stub(answer);
      await expect(write(index)).rejects.toBeInstanceOf(Unclear);
      expect(calls).toHaveLength(1);
    }
    await expect(write(stub(refused).index)).rejects.toBeInstanceOf(IndexUnavailable);
  }
});
