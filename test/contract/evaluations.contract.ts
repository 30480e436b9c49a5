import { describe, expect, test } from 'vitest';
import type { Evaluation, HelpfulPoint } from '#lib/core/rows.ts';
import type { Evaluations } from '#lib/ports.ts';
import { together } from '#test/support/contract.ts';
import { point, UNICODE, uniqueId } from '#test/support/rows.ts';

/** Every promise of the port (R4.3). `make` opens the store. */
export function evaluationsContract(name: string, make: () => Promise<Evaluations>): void {
  /** History rows in the order of their time: the port promises none. */
  const read = async (evaluations: Evaluations, lineage: string): Promise<Evaluation | undefined> => {
    const row = await evaluations.get(lineage);
    return row && { ...row, history: [...row.history].sort((a, b) => a.timestamp - b.timestamp) };
  };
  const credited = async (...points: HelpfulPoint[]) => {
    const evaluations = await make();
    const lineage = uniqueId();
    for (const [n, each] of points.entries()) await evaluations.credit(lineage, 10 * (n + 1), each);
    return { evaluations, lineage };
  };

  describe(name, () => {
    test('R4.3 a lineage that nobody credited has no evaluation', async () => {
      expect(await (await make()).get(uniqueId())).toBeUndefined();
    });

    test('R4.3 a credit adds one point and its history row, whole', async () => {
      const given = point({ relation_type: 'subset', scopes: ['org:acme', UNICODE, '__proto__', ''] });
      const { evaluations, lineage } = await credited(given);
      expect(await evaluations.get(lineage)).toEqual({ lineage, points: 1, pos: 10, history: [given] });
    });

    test('R4.3 credits of one lineage add up, and no other lineage gains', async () => {
      const points = [1, 2, 3].map((timestamp) => point({ timestamp }));
      const { evaluations, lineage } = await credited(...points);
      expect(await read(evaluations, lineage)).toEqual({ lineage, points: 3, pos: 30, history: points });
      expect(await evaluations.get(uniqueId())).toBeUndefined();
    });

    test('R4.3 a credit that is repeated counts once', async () => {
      const given = point();
      const { evaluations, lineage } = await credited(given);
      for (const _time of [1, 2]) await evaluations.credit(lineage, 10, given);
      expect(await evaluations.get(lineage)).toEqual({ lineage, points: 1, pos: 10, history: [given] });
    });

    test('R4.3 a credit of an earlier or the same position counts no more', async () => {
      const points = [1, 2].map((timestamp) => point({ timestamp }));
      const { evaluations, lineage } = await credited(...points);
      for (const position of [5, 10, 20]) await evaluations.credit(lineage, position, point());
      expect(await read(evaluations, lineage)).toEqual({ lineage, points: 2, pos: 20, history: points });
    });

    test('R4.3 a credit that is repeated many times at once counts once', async () => {
      const { evaluations, lineage } = await credited();
      const given = point();
      await together(8, () => evaluations.credit(lineage, 10, given));
      expect(await evaluations.get(lineage)).toEqual({ lineage, points: 1, pos: 10, history: [given] });
    });

    test('R4.3 whatever the order of credits at once, points and history agree', async () => {
      const { evaluations, lineage } = await credited();
      await together(8, (n) => evaluations.credit(lineage, n + 1, point({ timestamp: n + 1 })));
      const row = (await read(evaluations, lineage))!;
      expect(row).toMatchObject({ lineage, pos: 8, points: row.history.length });
      const times = row.history.map(({ timestamp }) => timestamp);
      expect(times.at(-1)).toBe(8);
      expect(new Set(times).size).toBe(times.length);
    });

    test('R4.3 one newcomer credits several lineages at one position', async () => {
      const { evaluations, lineage } = await credited();
      const other = uniqueId();
      const given = point();
      await evaluations.credit(lineage, 10, given);
      await evaluations.credit(other, 10, given);
      for (const each of [lineage, other])
        expect(await evaluations.get(each)).toEqual({ lineage: each, points: 1, pos: 10, history: [given] });
    });

    test('R4.3 a long history is kept whole', async () => {
      const points = Array.from({ length: 120 }, (_, n) =>
        point({ timestamp: n, scopes: ['支'.repeat(100)] }),
      );
      const { evaluations, lineage } = await credited(...points);
      expect(await read(evaluations, lineage)).toEqual({ lineage, points: 120, pos: 1200, history: points });
    });

    test('R3.6 erasing an item takes its history rows out, all of them, and the sum stays', async () => {
      const related_id = uniqueId();
      const points = [
        point({ timestamp: 1, related_id }),
        point({ timestamp: 2 }),
        point({ timestamp: 3, related_id }),
      ];
      const { evaluations, lineage } = await credited(...points);
      for (const _time of [1, 2]) {
        await evaluations.eraseHistory(related_id, [lineage]);
        expect(await evaluations.get(lineage)).toEqual({
          lineage,
          points: 3,
          pos: 30,
          history: [points[1]],
        });
      }
    });

    test('R3.6 a credit that is repeated after the erasure brings no history row back', async () => {
      const given = point();
      const { evaluations, lineage } = await credited(given);
      await evaluations.eraseHistory(given.related_id, [lineage]);
      await evaluations.credit(lineage, 10, given);
      expect(await evaluations.get(lineage)).toEqual({ lineage, points: 1, pos: 10, history: [] });
    });

    test('R3.6 history is erased in the lineages named, and none is made', async () => {
      const given = point();
      const { evaluations, lineage } = await credited(given);
      const [other, absent] = [uniqueId(), uniqueId()];
      await evaluations.credit(other, 10, given);
      await evaluations.eraseHistory(given.related_id, [absent, other]);
      await evaluations.eraseHistory(given.related_id, []);
      await evaluations.eraseHistory(uniqueId(), [lineage]);
      expect(await evaluations.get(lineage)).toEqual({ lineage, points: 1, pos: 10, history: [given] });
      expect(await evaluations.get(other)).toEqual({ lineage: other, points: 1, pos: 10, history: [] });
      expect(await evaluations.get(absent)).toBeUndefined();
    });
  });
}
