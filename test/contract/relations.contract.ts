import { describe, expect, test } from 'vitest';
import type { RelationRow } from '#lib/core/rows.ts';
import type { Relations } from '#lib/ports.ts';
import { eventually, together } from '#test/support/contract.ts';
import { relationRow, uniqueHex, uniqueId } from '#test/support/rows.ts';

const coined = () => `coined_${uniqueHex()}`;

/** Every promise of the port (R2.4, R2.5). `make` opens the store; listings may lag behind. */
export function relationsContract(name: string, make: () => Promise<Relations>): void {
  const put = async (...rows: RelationRow[]) => {
    const relations = await make();
    for (const row of rows) await relations.put(row);
    return relations;
  };

  describe(name, () => {
    test('R2.4 one row is found from both ends, once', async () => {
      const row = relationRow({ type: 'subset', reverse: 'superset', pos: 7 });
      const relations = await put(row);
      await eventually(() => relations.of(row.from), [row]);
      await eventually(() => relations.of(row.to), [row]);
      await eventually(() => relations.of(uniqueId()), []);
    });

    test('R2.4 all rows of an item are found, whichever end it is', async () => {
      const [a, b, c] = [uniqueId(), uniqueId(), uniqueId()];
      const rows = [
        relationRow({ from: a, to: b, type: 'conflict', reverse: 'conflict' }),
        relationRow({ from: a, to: c, type: 'complement', reverse: 'none' }),
        relationRow({ from: c, to: b, type: 'superset', reverse: 'subset' }),
      ];
      const relations = await put(...rows);
      await eventually(async () => sorted(await relations.of(a)), sorted([rows[0]!, rows[1]!]));
      await eventually(async () => sorted(await relations.of(b)), sorted([rows[0]!, rows[2]!]));
      await eventually(async () => sorted(await relations.of(c)), sorted([rows[1]!, rows[2]!]));
    });

    test('R2.4 two types, or two directions, between the same items are rows of their own', async () => {
      const [a, b] = [uniqueId(), uniqueId()];
      const rows = [
        relationRow({ from: a, to: b, type: 'conflict', reverse: 'conflict' }),
        relationRow({ from: a, to: b, type: 'complement', reverse: 'complement' }),
        relationRow({ from: b, to: a, type: 'conflict', reverse: 'conflict' }),
      ];
      const relations = await put(...rows);
      await eventually(async () => sorted(await relations.of(a)), sorted(rows));
      await eventually(async () => sorted(await relations.of(b)), sorted(rows));
    });

    test('R2.5 a type finds every row that it names at either end, each once', async () => {
      const [type, reverse] = [coined(), coined()];
      const rows = [
        relationRow({ type, reverse }),
        relationRow({ type: reverse, reverse: type }),
        relationRow({ type, reverse: type }),
        relationRow({ type, reverse: 'none' }),
        relationRow({ type: reverse, reverse }),
      ];
      const relations = await put(...rows);
      await eventually(async () => sorted(await relations.byType(type)), sorted(rows.slice(0, 4)));
      await eventually(
        async () => sorted(await relations.byType(reverse)),
        sorted([rows[0]!, rows[1]!, rows[4]!]),
      );
      expect(await relations.byType(coined())).toEqual([]);
    });

    test('R2.5 a type that is the beginning of another is not it', async () => {
      const type = coined();
      const row = relationRow({ type: `${type}_more`, reverse: 'none' });
      const relations = await put(row);
      await eventually(() => relations.byType(`${type}_more`), [row]);
      expect(await relations.byType(type)).toEqual([]);
    });

    test('R2.5 names of JavaScript are types like others', async () => {
      const row = relationRow({ type: 'constructor', reverse: 'constructor' });
      const relations = await put(row);
      const own = async () => (await relations.byType('constructor')).filter(({ from }) => from === row.from);
      await eventually(own, [row]);
    });

    test('R2.5 a type in use is known from either end, once, and none is no type', async () => {
      const [type, both, reverse] = [coined(), coined(), coined()];
      const relations = await put(
        relationRow({ type, reverse: 'none' }),
        relationRow({ type: both, reverse: both }),
        relationRow({ type, reverse }),
      );
      const mine = [type, both, reverse].sort();
      await eventually(
        async () => (await relations.types()).filter((each) => mine.includes(each)).sort(),
        mine,
      );
      expect(await relations.types()).not.toContain('none');
    });

    test('R4.4 only a higher position writes over a row', async () => {
      const row = relationRow({ type: 'superset', reverse: 'subset', pos: 5 });
      const relations = await put(row);
      for (const pos of [4, 5]) await relations.put({ ...row, reverse: 'none', pos });
      await eventually(() => relations.of(row.from), [row]);
      const later = { ...row, reverse: 'none', pos: 6 };
      await relations.put(later);
      await eventually(() => relations.of(row.from), [later]);
      await eventually(() => relations.of(row.to), [later]);
    });

    test('R4.4 of writes at once the one of the highest position stays', async () => {
      const row = relationRow();
      const relations = await make();
      await together(8, (n) => relations.put({ ...row, reverse: `reverse_${n}`, pos: ((n * 5) % 8) + 1 }));
      // 5 n + 1 is 8 modulo 8 for n = 3.
      await eventually(() => relations.of(row.to), [{ ...row, reverse: 'reverse_3', pos: 8 }]);
    });

    test('R3.6 an erased relation is gone from both ends and its type, and no late write brings it back', async () => {
      const type = coined();
      const row = relationRow({ type, reverse: type, pos: 5 });
      const stays = relationRow({ from: row.from, type, reverse: type });
      const relations = await put(row, stays);
      await relations.put({ ...row, pos: 9, erased: true });
      await relations.put({ ...row, pos: 8 });
      await relations.put(row);
      await eventually(() => relations.of(row.to), []);
      await eventually(() => relations.of(row.from), [stays]);
      await eventually(() => relations.byType(type), [stays]);
    });

    test('R3.6 a relation that is written at a higher position after its erasure is there again', async () => {
      const row = relationRow({ pos: 5 });
      const relations = await put(row, { ...row, pos: 6, erased: true }, { ...row, pos: 7 });
      await eventually(() => relations.of(row.to), [{ ...row, pos: 7 }]);
    });

    test('R3.6 an erasure that comes before its relation is kept', async () => {
      const row = relationRow({ pos: 5 });
      const relations = await put({ ...row, pos: 6, erased: true }, row);
      await eventually(() => relations.of(row.from), []);
    });
  });
}

const sorted = (rows: readonly RelationRow[]) =>
  rows.map(({ from, to, type, reverse, pos }) => JSON.stringify([from, type, to, reverse, pos])).sort();
