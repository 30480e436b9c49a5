import { describe, expect, test } from 'vitest';
import type { Paths } from '#lib/ports.ts';
import { together } from '#test/support/contract.ts';
import { pathRow, UNICODE, uniqueHex, uniqueId, uniquePath } from '#test/support/rows.ts';

/** Every promise of the port (protocol, "Uploads at a path"). `make` opens the store. */
export function pathsContract(name: string, make: () => Promise<Paths>): void {
  describe(name, () => {
    const named = async (overrides: Parameters<typeof pathRow>[0] = {}) => {
      const paths = await make();
      const row = pathRow(overrides);
      expect(await paths.advance(0, row)).toBe(true);
      return { paths, row };
    };

    test('R3.5 a path that nobody named is not there', async () => {
      const paths = await make();
      expect(await paths.get(uniquePath())).toBeUndefined();
    });

    test('R3.5 the first name at a path is written when it is absent, and read back whole', async () => {
      const { paths, row } = await named({ scopes: ['org:acme', UNICODE, ''], owner: UNICODE });
      expect(await paths.get(row.path)).toEqual(row);
    });

    test.each([
      'a b.md',
      '支付 超时🚀.md',
      'é.md',
      '#%2F+&?.md',
      '__proto__',
      'a#b.md',
      '長'.repeat(200),
      '🚀'.repeat(200),
    ])('R3.7 a path that ends in %s is its own key', async (filename) => {
      const { paths, row } = await named({ path: uniquePath(filename) });
      expect(await paths.get(row.path)).toEqual(row);
      expect(await paths.get(`${row.path}x`)).toBeUndefined();
      expect(await paths.get(row.path.toUpperCase())).toBeUndefined();
    });

    test('R3.7 names of JavaScript are paths like others', async () => {
      const paths = await make();
      for (const category of ['__proto__', 'constructor']) {
        const row = pathRow({ path: `${category}/${uniqueHex()}` });
        expect(await paths.get(row.path)).toBeUndefined();
        expect(await paths.advance(0, row)).toBe(true);
        expect(await paths.get(row.path)).toEqual(row);
      }
    });

    test('R3.5 the next name is written over the seq that was read', async () => {
      const { paths, row } = await named();
      const next = pathRow({ path: row.path, seq: 2, body_hash: 'other', scopes: ['org:b'], owner: 'b' });
      expect(await paths.advance(1, next)).toBe(true);
      expect(await paths.get(row.path)).toEqual(next);
    });

    test('R3.5 a seq that is no longer the one read is refused, and nothing is written', async () => {
      const { paths, row } = await named();
      const next = pathRow({ path: row.path, seq: 2 });
      await paths.advance(1, next);
      for (const seen of [0, 1, 3])
        expect(await paths.advance(seen, pathRow({ path: row.path, seq: seen + 1 }))).toBe(false);
      expect(await paths.advance(1, next)).toBe(false);
      expect(await paths.get(row.path)).toEqual(next);
    });

    test('R3.5 at an absent path only 0 is the seq read', async () => {
      const paths = await make();
      const row = pathRow({ seq: 2 });
      expect(await paths.advance(1, row)).toBe(false);
      expect(await paths.get(row.path)).toBeUndefined();
    });

    test('R3.5 of uploads that read the same seq exactly one is named', async () => {
      const { paths, row } = await named();
      for (const seen of [1, 2]) {
        const rivals = Array.from({ length: 8 }, () => pathRow({ path: row.path, seq: seen + 1 }));
        const won = await together(8, (n) => paths.advance(seen, rivals[n]!));
        expect(won.filter(Boolean)).toHaveLength(1);
        expect(await paths.get(row.path)).toEqual(rivals[won.indexOf(true)]);
      }
    });

    test('R3.5 of first uploads at a path exactly one is named', async () => {
      const paths = await make();
      const path = uniquePath();
      const rivals = Array.from({ length: 8 }, () => pathRow({ path }));
      const won = await together(8, (n) => paths.advance(0, rivals[n]!));
      expect(won.filter(Boolean)).toHaveLength(1);
      expect(await paths.get(path)).toEqual(rivals[won.indexOf(true)]);
    });

    test('R3.6 a name without an item takes the seq and clears the one before', async () => {
      const { paths, row } = await named({ scopes: ['org:acme'] });
      const cleared = { path: row.path, seq: 2, scopes: [], owner: '' };
      expect(await paths.advance(1, cleared)).toBe(true);
      expect(await paths.get(row.path)).toEqual(cleared);
    });

    test('R3.6 forgetting the item that is named clears it and its hash, and keeps the rest', async () => {
      const { paths, row } = await named({ seq: 4, scopes: ['org:acme'], owner: 'b' });
      expect(await paths.forget(row.path, row.latest_id!)).toBe(true);
      expect(await paths.get(row.path)).toEqual({
        path: row.path,
        seq: 4,
        scopes: ['org:acme'],
        owner: 'b',
      });
      expect(await paths.advance(4, pathRow({ path: row.path, seq: 5 }))).toBe(true);
    });

    test('R3.6 an item that is not named cannot be forgotten', async () => {
      const { paths, row } = await named();
      expect(await paths.forget(row.path, uniqueId())).toBe(false);
      expect(await paths.get(row.path)).toEqual(row);
      await paths.forget(row.path, row.latest_id!);
      expect(await paths.forget(row.path, row.latest_id!)).toBe(false);
    });

    test('R3.6 forgetting at an absent path makes no row', async () => {
      const paths = await make();
      const path = uniquePath();
      expect(await paths.forget(path, uniqueId())).toBe(false);
      expect(await paths.get(path)).toBeUndefined();
    });

    test('R3.5 what was read does not change afterwards', async () => {
      const { paths, row } = await named();
      const read = await paths.get(row.path);
      await paths.forget(row.path, row.latest_id!);
      expect(read).toEqual(row);
    });
  });
}
