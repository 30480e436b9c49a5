import { expect, test } from 'vitest';
import { NoAnswer } from '#lib/adapters/aws/opensearch/client.ts';
import { Conflict, IndexUnavailable, KnowHubError, Partial, Unclear } from '#lib/core/errors.ts';
import {
  document,
  fault,
  item,
  items,
  linesOf,
  NOW,
  ok,
  openSearchStub as stub,
} from '#test/support/opensearch-stub.ts';

const DAY = 24 * 3600 * 1000;

test('R6.9 a bulk writes under the position as external version, to a name that must be there', async () => {
  const { index, calls } = stub(
    items(item('a', 201), item('b', 200), item('c', 200)),
    ok({ deleted: 0, failures: [] }),
  );
  const flat = document('b', { version: 8, task_vector: [0, 0], scopes: [] });
  flat.sections = [{ heading: '', text: 'x', vector: [0, 0] }];
  const written = await index.bulk('knowledge-1', [
    document('a'),
    flat,
    { id: 'c', version: 9, live: false },
  ]);
  expect(written).toEqual({ refused: [] });
  const [bulk, reap] = calls;
  expect({ ...bulk, lines: linesOf(bulk) }).toEqual({
    method: 'POST',
    path: '/dev-knowledge-1-write/_bulk',
    query: { require_alias: true, refresh: 'wait_for' },
    lines: [
      { index: { _id: 'a', version: 7, version_type: 'external' } },
      {
        live: true,
        domain: 'infra',
        scopes: ['org:a'],
        title: 'Pool',
        keywords: ['pool'],
        about: 'about',
        task_vector: [1, 0.5],
        sections: [{ heading: 'Size', text: 'size', vector: [0.25, 1] }],
      },
      { index: { _id: 'b', version: 8, version_type: 'external' } },
      {
        live: true,
        domain: 'infra',
        scopes: [],
        title: 'Pool',
        keywords: ['pool'],
        about: 'about',
        sections: [{ heading: '', text: 'x' }],
      },
      { index: { _id: 'c', version: 9, version_type: 'external' } },
      { live: false, removed_at: NOW },
    ],
  });
  expect(reap).toEqual({
    method: 'POST',
    path: '/dev-knowledge-1/_delete_by_query',
    query: { conflicts: 'proceed' },
    body: {
      query: {
        bool: { filter: [{ term: { live: false } }, { range: { removed_at: { lt: NOW - DAY } } }] },
      },
    },
  });
});

test('R6.9 old removals that cannot be taken out now do not fail the write', async () => {
  const removal = { id: 'a', version: 9, live: false } as const;
  for (const answer of [fault(503), new NoAnswer('reset', true)]) {
    const { index } = stub(items(item('a', 200)), answer);
    expect(await index.bulk('i', [removal])).toEqual({ refused: [] });
  }
});

test('R4.8 what does not fit the mapping is refused by id; a conflict is none, and waits for what is there', async () => {
  const { index, calls } = stub(
    items(item('a', 400, 'mapper_parsing_exception'), item('b', 409, 'version_conflict'), item('c', 201)),
    ok({ _shards: { total: 2, successful: 2, failed: 0 } }),
  );
  expect(await index.bulk('i', [document('a'), document('b'), document('c')])).toEqual({ refused: ['a'] });
  expect(calls.map(({ path }) => path)).toEqual(['/dev-i-write/_bulk', '/dev-i/_refresh']);
});

test('R6.9 what another call wrote and no refresh has shown is not said to be found', async () => {
  for (const answer of [ok({ _shards: { total: 2, successful: 1, failed: 1 } }), fault(503)])
    await expect(stub(items(item('a', 409)), answer).index.bulk('i', [document('a')])).rejects.toBeInstanceOf(
      Unclear,
    );
});

const ITEM_FAULTS: [number, string, string][] = [
  [429, 'rejected_execution_exception', 'unclear'],
  [500, 'x', 'unclear'],
  [503, 'unavailable_shards_exception', 'unclear'],
  [404, 'index_not_found_exception', 'index_unavailable'],
  [400, 'index_closed_exception', 'index_unavailable'],
  [403, 'cluster_block_exception', 'index_unavailable'],
];

test.each(ITEM_FAULTS)('R4.8 one item answered %i %s makes the whole bulk %s', async (status, type, code) => {
  const { index } = stub(items(item('a', 400, 'mapper_parsing_exception'), item('b', status, type)));
  await expect(index.bulk('i', [document('a'), document('b')])).rejects.toMatchObject({ code });
});

test('R4.8 a bulk that is not answered item by item is unclear', async () => {
  for (const answer of [ok({}), items(), items(item('b', 201)), items(item('a', 201), item('b', 201))])
    await expect(stub(answer).index.bulk('i', [document('a')])).rejects.toBeInstanceOf(Unclear);
});

test('R4.8 a bulk over 5 MB goes in several calls, in order; what is too large alone is refused', async () => {
  const large = (id: string) => document(id, { about: 'x'.repeat(2_000_000) });
  const { index, calls } = stub(
    items(item('a', 201), item('b', 201)),
    items(item('c', 201), item('d', 201)),
    { status: 413, body: '' },
  );
  const huge = document('e', { about: 'x'.repeat(6_000_000) });
  const documents = [...['a', 'b', 'c', 'd'].map(large), huge];
  expect(await index.bulk('i', documents)).toEqual({ refused: ['e'] });
  const sent = calls.map(({ lines }) => lines!.join('\n').length);
  expect(sent.map((length) => length < 5 * 1024 * 1024)).toEqual([true, true, false]);
  await expect(
    stub({ status: 413, body: '' }).index.bulk('i', [document('a'), document('b')]),
  ).rejects.toBeInstanceOf(KnowHubError);
});

test('R4.8 an index is created by one call, every vector in Lucene, unknown fields refused', async () => {
  const { index, calls } = stub(
    ok({ acknowledged: true, shards_acknowledged: true, index: 'dev-knowledge-1' }),
  );
  await index.create('knowledge-1');
  const vector = {
    type: 'knn_vector',
    dimension: 2,
    space_type: 'cosinesimil',
    method: { name: 'hnsw', engine: 'lucene' },
  };
  const text = { type: 'text', analyzer: 'cjk' };
  expect(calls).toEqual([
    {
      method: 'PUT',
      path: '/dev-knowledge-1',
      body: {
        settings: {
          index: { knn: true, number_of_shards: 3, number_of_replicas: 1, refresh_interval: '1s' },
        },
        mappings: {
          dynamic: 'strict',
          properties: {
            live: { type: 'boolean' },
            removed_at: { type: 'date', format: 'epoch_millis' },
            domain: { type: 'keyword' },
            scopes: { type: 'keyword' },
            title: text,
            keywords: text,
            about: text,
            text,
            task_vector: vector,
            sections: {
              type: 'nested',
              properties: {
                heading: { type: 'keyword', index: false, doc_values: false },
                text: { type: 'text', analyzer: 'cjk', index_options: 'freqs', copy_to: 'text' },
                vector,
              },
            },
          },
        },
        aliases: { 'dev-knowledge-1-write': {} },
      },
    },
  ]);
});

test('R4.8 a create that is not acknowledged is unclear, a name that is taken a conflict', async () => {
  for (const body of [
    { acknowledged: false, shards_acknowledged: false },
    { acknowledged: true, shards_acknowledged: false },
    {},
  ])
    await expect(stub(ok(body)).index.create('i')).rejects.toBeInstanceOf(Unclear);
  await expect(
    stub(fault(400, 'resource_already_exists_exception')).index.create('i'),
  ).rejects.toBeInstanceOf(Conflict);
  await expect(stub(fault(400, 'validation_exception')).index.create('i')).rejects.toMatchObject({
    code: 'index_refused',
  });
});

test('R4.8 an index is gone only if the engine says so', async () => {
  expect(await stub({ status: 404, body: false }).index.exists('i')).toBe(false);
  expect(await stub({ status: 200, body: true }).index.exists('i')).toBe(true);
  for (const status of [401, 403, 429, 500, 503])
    await expect(stub({ status, body: '' }).index.exists('i')).rejects.toBeInstanceOf(IndexUnavailable);
});

test('R4.8 indices are listed under the names of the port; dropping one that is gone is done', async () => {
  const { index, calls } = stub(
    ok({ 'dev-knowledge-b': { aliases: {} }, 'dev-knowledge-a': {} }),
    ok({ acknowledged: true }),
    fault(404, 'index_not_found_exception'),
  );
  expect(await index.list()).toEqual(['knowledge-a', 'knowledge-b']);
  await index.drop('knowledge-a');
  await index.drop('knowledge-a');
  expect(calls).toEqual([
    { method: 'GET', path: '/dev-knowledge-*/_alias' },
    { method: 'DELETE', path: '/dev-knowledge-a' },
    { method: 'DELETE', path: '/dev-knowledge-a' },
  ]);
});

test('R4.8 what is present is read in real time; a document that cannot be read is not taken for absent', async () => {
  const found = (id: string, live: boolean) => ({ _id: id, found: true, _version: 4, _source: { live } });
  const { index, calls } = stub(
    ok({ docs: [found('a', true), { _id: 'b', found: false }, found('c', false)] }),
  );
  expect(await index.present('i', ['a', 'b', 'c'])).toEqual([
    { id: 'a', version: 4, live: true },
    { id: 'c', version: 4, live: false },
  ]);
  expect(calls).toEqual([
    {
      method: 'POST',
      path: '/dev-i/_mget',
      query: { realtime: true, _source_includes: 'live' },
      body: { ids: ['a', 'b', 'c'] },
    },
  ]);
  const broken = (type: string) => ok({ docs: [{ _id: 'a', error: { type, reason: 'because' } }] });
  await expect(stub(broken('index_not_found_exception')).index.present('i', ['a'])).rejects.toBeInstanceOf(
    IndexUnavailable,
  );
  await expect(stub(broken('shard_exception')).index.present('i', ['a'])).rejects.toBeInstanceOf(Partial);
  await expect(stub(ok({ docs: [] })).index.present('i', ['a'])).rejects.toBeInstanceOf(Partial);
});
