import { expect } from 'vitest';
import { IndexUnavailable } from '#lib/core/errors.ts';
import type { SearchIndex } from '#lib/ports.ts';
import { searchIndexQueriesContract } from '#test/contract/search-index-queries.contract.ts';
import { eachIndex } from '#test/support/each-index.ts';
import { document, ids, query, removal } from '#test/support/index-documents.ts';

/** Dimensions of the vectors in this suite: an engine's index must be made for them. */
export const CONTRACT_DIMENSIONS = 4;

/** Every promise of the port (R4.1, R6.3, R6.8). `make` opens the engine; names of indexes are unique. */
export function searchIndexContract(engine: string, make: () => Promise<SearchIndex>): void {
  const behaves = eachIndex(engine, make);

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

  searchIndexQueriesContract(engine, make);
}

const byId = <Row extends { id: string }>(rows: readonly Row[]): Row[] =>
  rows.toSorted((a, b) => (a.id < b.id ? -1 : 1));
