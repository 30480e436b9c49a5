import { describe, expect, test } from 'vitest';
import type { Snapshots } from '#lib/ports.ts';
import { together } from '#test/support/contract.ts';

/** A schema that no other test uses: the store may hold what others left. */
let schemas = Math.floor(Math.random() * 1_000_000_000);
const anySchema = () => (schemas += 1);

/** Bytes as a snapshot has them: some that repeat, some that do not. */
const bytesOf = (length: number, seed: number): Uint8Array =>
  Uint8Array.from({ length }, (_, n) => (n % 3 === 0 ? 0 : Math.imul(n + seed, 0x9e37_79b1) >>> 24));

/** Every promise of the port. `make` opens the store. */
export function snapshotsContract(name: string, make: () => Promise<Snapshots>): void {
  describe(name, () => {
    const positionsOf = async (snapshots: Snapshots, of: number) =>
      (await snapshots.list()).filter(({ schema }) => schema === of).map(({ position }) => position);

    test.each([
      ['empty', 0],
      ['small', 17],
      ['of a megabyte', 2 ** 20],
    ])('a snapshot that is %s comes back as it was put, at once', async (_, length) => {
      const snapshots = await make();
      const schema = anySchema();
      await snapshots.put(schema, 500, bytesOf(length, 1));
      expect(Buffer.from((await snapshots.get(schema, 500))!).equals(bytesOf(length, 1))).toBe(true);
    });

    test('what was not put is not there', async () => {
      const snapshots = await make();
      const schema = anySchema();
      await snapshots.put(schema, 5, bytesOf(3, 1));
      expect(await snapshots.get(schema, 6)).toBeUndefined();
      expect(await snapshots.get(schema + 1, 5)).toBeUndefined();
      expect(await positionsOf(snapshots, anySchema())).toEqual([]);
    });

    test('they are listed by schema and position, as numbers', async () => {
      const snapshots = await make();
      const [one, two] = [anySchema(), anySchema()];
      for (const position of [1000, 9, 12_345_678_901, 99]) await snapshots.put(one, position, bytesOf(1, 1));
      await snapshots.put(two, 7, bytesOf(1, 1));
      expect(await positionsOf(snapshots, one)).toEqual([9, 99, 1000, 12_345_678_901]);
      const schemas_listed = (await snapshots.list()).map(({ schema }) => schema);
      expect(schemas_listed).toEqual(schemas_listed.toSorted((a, b) => a - b));
      expect(schemas_listed).toContain(two);
    });

    test('the same snapshot put again, or by several at once, is one', async () => {
      const snapshots = await make();
      const schema = anySchema();
      await together(4, () => snapshots.put(schema, 500, bytesOf(1000, 2)));
      await snapshots.put(schema, 500, bytesOf(1000, 2));
      expect(await positionsOf(snapshots, schema)).toEqual([500]);
      expect(Buffer.from((await snapshots.get(schema, 500))!).equals(bytesOf(1000, 2))).toBe(true);
    });

    test('R3.6 a snapshot that was removed is gone, and no other', async () => {
      const snapshots = await make();
      const schema = anySchema();
      for (const position of [500, 1000]) await snapshots.put(schema, position, bytesOf(10, position));
      for (const _time of [1, 2]) {
        await snapshots.remove(schema, 500);
        expect(await snapshots.get(schema, 500)).toBeUndefined();
        expect(await positionsOf(snapshots, schema)).toEqual([1000]);
      }
    });
  });
}
