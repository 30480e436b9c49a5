import { describe, expect, test } from 'vitest';
import type { ItemRow } from '#lib/core/item.ts';
import type { Items } from '#lib/ports.ts';
import { together } from '#test/support/contract.ts';
import { allBut, itemRow, UNICODE, uniqueId } from '#test/support/rows.ts';

const NOW = 1_767_225_600_500;

/** The part of the items' contract that is about claims and waiting; `itemsContract` includes it. */
export function itemClaimsContract(name: string, make: () => Promise<Items>): void {
  const stored = async (overrides: Partial<ItemRow> = {}) => {
    const items = await make();
    const row = itemRow(overrides);
    await items.insert(row);
    return { items, row, id: row.id };
  };
  const claimed = async (overrides: Partial<ItemRow> = {}) => {
    const { items, row, id } = await stored(overrides);
    const claim = { token: 'mine', at: NOW };
    expect((await items.claim(id, claim, NOW + 5)).claimed).toBe(true);
    return { items, id, row: { ...row, status: 'processing', claim, next_at: NOW + 5 } as const };
  };

  describe(`${name}: claims`, () => {
    test('R4.6 a pending row is claimed, and comes as it then is', async () => {
      const { items, row, id } = await stored({ next_at: NOW });
      const claim = { token: 'mine', at: NOW };
      const processing = { ...row, status: 'processing', claim, next_at: NOW + 5 };
      expect(await items.claim(id, claim, NOW + 5)).toEqual({ claimed: true, row: processing });
      expect(await items.get(id)).toEqual(processing);
    });

    test.each(allBut('pending'))(
      'R4.6 a row that is %s is not claimed, and comes as it is',
      async (status) => {
        const { items, row, id } = await stored({ status });
        expect(await items.claim(id, { token: 'mine', at: NOW }, NOW)).toEqual({ claimed: false, row });
        expect(await items.get(id)).toEqual(row);
      },
    );

    test('R4.6 a claim is refused while it is held, to its own token too', async () => {
      const { items, row, id } = await claimed();
      for (const token of ['other', 'mine'])
        expect(await items.claim(id, { token, at: NOW + 1 }, NOW + 9)).toEqual({ claimed: false, row });
    });

    test('R4.6 a row that is absent is not claimed, and not made', async () => {
      const items = await make();
      const id = uniqueId();
      const refused = await items.claim(id, { token: 'mine', at: NOW }, NOW);
      expect([refused.claimed, refused.row]).toEqual([false, undefined]);
      expect(await items.get(id)).toBeUndefined();
    });

    test('R4.6 a row is claimed by exactly one of many at once, and the others see whose it is', async () => {
      const { items, id } = await stored();
      const answers = await together(8, (n) => items.claim(id, { token: `t${n}`, at: NOW }, NOW + n));
      expect(answers.filter(({ claimed }) => claimed)).toHaveLength(1);
      const winner = `t${answers.findIndex(({ claimed }) => claimed)}`;
      expect((await items.get(id))?.claim?.token).toBe(winner);
    });

    test('R4.5 a claim is released by its token: the row waits again, and its failures stay', async () => {
      const judge_failures = { count: 1, first_at: NOW, last: 'timed out' };
      const { items, row, id } = await claimed({ judge_failures });
      const { claim: _, ...rest } = row;
      expect(await items.release(id, 'mine', NOW + 60)).toBe(true);
      expect(await items.get(id)).toEqual({ ...rest, status: 'pending', next_at: NOW + 60 });
    });

    test('R4.5 a claim is released with the failures counted so far', async () => {
      const { items, row, id } = await claimed({ judge_failures: { count: 1, first_at: NOW, last: 'a' } });
      const { claim: _, ...rest } = row;
      const judge_failures = { count: 2, first_at: NOW, last: UNICODE };
      expect(await items.release(id, 'mine', NOW + 60, judge_failures)).toBe(true);
      expect(await items.get(id)).toEqual({ ...rest, status: 'pending', next_at: NOW + 60, judge_failures });
    });

    test('R4.5 the first failure is counted on a row that had none', async () => {
      const { items, id } = await claimed();
      const judge_failures = { count: 1, first_at: NOW, last: '' };
      await items.release(id, 'mine', NOW, judge_failures);
      expect((await items.get(id))?.judge_failures).toEqual(judge_failures);
    });

    test('R4.6 a claim of another is not released', async () => {
      const { items, row, id } = await claimed();
      expect(await items.release(id, 'other', NOW + 60)).toBe(false);
      expect(await items.get(id)).toEqual(row);
    });

    test('R4.6 a claim is released once, and one taken since stays', async () => {
      const { items, id } = await claimed();
      const released = await together(8, () => items.release(id, 'mine', NOW));
      expect(released.filter(Boolean)).toHaveLength(1);
      const again = await items.claim(id, { token: 'other', at: NOW }, NOW);
      expect(await items.release(id, 'mine', NOW)).toBe(false);
      expect(await items.get(id)).toEqual(again.row);
    });

    test.each(allBut('processing'))('R4.6 a row that is %s has nothing to release', async (status) => {
      const { items, row, id } = await stored({ status, claim: { token: 'mine', at: NOW } });
      expect(await items.release(id, 'mine', NOW)).toBe(false);
      expect(await items.get(id)).toEqual(row);
    });

    test('R4.8 a pending row is postponed if its time is the one read', async () => {
      const { items, row, id } = await stored({ next_at: NOW });
      expect(await items.postpone(id, NOW - 1, NOW + 60)).toBe(false);
      expect(await items.postpone(id, NOW + 1, NOW + 60)).toBe(false);
      expect(await items.get(id)).toEqual(row);
      expect(await items.postpone(id, NOW, NOW + 60)).toBe(true);
      expect(await items.get(id)).toEqual({ ...row, next_at: NOW + 60 });
      expect(await items.postpone(id, NOW, NOW + 60)).toBe(false);
    });

    test('R4.8 a row is postponed by exactly one of many at once', async () => {
      const { items, id } = await stored({ next_at: NOW });
      const moved = await together(8, (n) => items.postpone(id, NOW, NOW + 1 + n));
      expect(moved.filter(Boolean)).toHaveLength(1);
      expect((await items.get(id))?.next_at).toBe(NOW + 1 + moved.indexOf(true));
    });

    test.each(allBut('pending'))('R4.8 a row that is %s is not postponed', async (status) => {
      const { items, row, id } = await stored({ status, next_at: NOW });
      expect(await items.postpone(id, NOW, NOW + 60)).toBe(false);
      expect(await items.get(id)).toEqual(row);
    });

    test('R4.6 a row that is absent is neither released nor postponed', async () => {
      const items = await make();
      const id = uniqueId();
      expect(await items.release(id, 'mine', NOW)).toBe(false);
      expect(await items.postpone(id, NOW, NOW + 60)).toBe(false);
      expect(await items.get(id)).toBeUndefined();
    });
  });
}
