import { describe, expect, test } from 'vitest';
import type { ItemRow, Status } from '#lib/core/item.ts';
import type { Items } from '#lib/ports.ts';
import { eventually, MANY } from '#test/support/contract.ts';
import { decision, fields, itemRow, uniquePath } from '#test/support/rows.ts';

const NOW = 1_767_225_600_500;
const SECONDS = 1_767_225_600;
const NEVER = { pending: Number.MAX_SAFE_INTEGER, processing: Number.MAX_SAFE_INTEGER };

/** The part of the items' contract that is about listings, which may lag behind; `itemsContract` includes it. */
export function itemListingsContract(name: string, make: () => Promise<Items>): void {
  const stored = async (...all: Partial<ItemRow>[]) => {
    const items = await make();
    const rows = all.map((overrides) => itemRow(overrides));
    for (const row of rows) await items.insert(row);
    const ids = rows.map(({ id }) => id);
    const own = (listed: readonly string[]) => listed.filter((id) => ids.includes(id));
    return { items, ids, own };
  };
  const claim = { token: 't', at: NOW };

  describe(`${name}: what is due`, () => {
    test('R4.8 waiting rows whose time has come are due, oldest first', async () => {
      const { items, ids, own } = await stored(
        { next_at: NOW },
        { next_at: NOW - 5, status: 'processing', claim },
        { next_at: NOW - 3000 },
        { next_at: NOW + 1 },
        {},
      );
      await eventually(async () => own(await items.due(NOW, NEVER, MANY)), [ids[2], ids[1], ids[0]]);
    });

    test.each<Status>(['received', 'approved', 'checked', 'rejected', 'removed'])(
      'R4.8 a row that is %s is never due',
      async (status) => {
        const { items, ids, own } = await stored({ next_at: 1, status }, { next_at: NOW });
        await eventually(async () => own(await items.due(NOW, NEVER, MANY)), [ids[1]]);
        await eventually(async () => own(await items.due(0, { pending: 0, processing: 0 }, MANY)), [ids[1]]);
      },
    );

    test('R4.8 a time so far ahead that the clock must have stepped back is due, by status', async () => {
      const ahead = { pending: NOW + 10, processing: NOW + 20 };
      const { items, ids, own } = await stored(
        { next_at: NOW + 10 },
        { next_at: NOW + 11 },
        { next_at: NOW + 15, status: 'processing', claim },
        { next_at: NOW + 20, status: 'processing', claim },
        { next_at: NOW + 21, status: 'processing', claim },
        { next_at: NOW + 15 },
      );
      await eventually(
        async () => own(await items.due(NOW, ahead, MANY)).sort(),
        [ids[1], ids[4], ids[5]].sort(),
      );
    });

    test('R4.8 no more are listed than asked for, and the oldest of them', async () => {
      // Older than any row of another test, whatever lies in the store.
      const { items, ids } = await stored({ next_at: 3 }, { next_at: 1 }, { next_at: 2 });
      await eventually(() => items.due(1000, NEVER, 2), [ids[1], ids[2]]);
      await eventually(() => items.due(1000, NEVER, 3), [ids[1], ids[2], ids[0]]);
      for (const id of ids) await items.applyDecision(id, 1, decision(), false);
      await eventually(() => items.due(1000, NEVER, 3), []);
    });

    test('R4.8 many due rows are listed', async () => {
      const { items, ids, own } = await stored(
        ...Array.from({ length: 60 }, (_, n) => ({ next_at: NOW - 60 + n })),
      );
      await eventually(async () => own(await items.due(NOW, NEVER, MANY)), ids);
    });

    test('R4.6 a row is due by the time that its last change gave it', async () => {
      const { items, ids, own } = await stored({
        kind: 'document',
        path: uniquePath(),
        path_seq: 1,
        status: 'received',
      });
      const id = ids[0]!;
      const dueAt = async (time: number) => {
        await eventually(async () => own(await items.due(time, NEVER, MANY)), [id]);
        await eventually(async () => own(await items.due(time - 1, NEVER, MANY)), []);
      };
      await items.accept(id, 1, NOW);
      await dueAt(NOW);
      await items.postpone(id, NOW, NOW + 10);
      await dueAt(NOW + 10);
      await items.claim(id, claim, NOW + 20);
      await dueAt(NOW + 20);
      await items.release(id, 't', NOW + 30);
      await dueAt(NOW + 30);
      await items.applyDecision(id, 1, decision({ status: 'rejected' }), false);
      await eventually(async () => own(await items.due(NOW + 99, NEVER, MANY)), []);
      await items.applyDecision(id, 2, decision({ status: 'pending', next_at: NOW + 40 }), false);
      await dueAt(NOW + 40);
      await items.applyDecision(id, 3, decision({ status: 'removed' }), true);
      await eventually(async () => own(await items.due(NOW + 99, NEVER, MANY)), []);
    });
  });

  describe(`${name}: what was received`, () => {
    const upload = (overrides: Partial<ItemRow> = {}): Partial<ItemRow> => ({
      kind: 'document',
      path: uniquePath(),
      path_seq: 1,
      status: 'received',
      created_at: SECONDS,
      ...overrides,
    });

    test('R4.8 received rows created before a time are listed, and no others', async () => {
      const { items, ids, own } = await stored(
        upload(),
        upload({ created_at: SECONDS - 3000 }),
        upload({ created_at: SECONDS + 1 }),
        upload({ status: 'pending', next_at: NOW }),
        upload({ status: 'approved' }),
      );
      const listed = async (before: number) => own(await items.received(before, MANY)).sort();
      await eventually(() => listed(SECONDS + 2), [ids[0], ids[1], ids[2]].sort());
      await eventually(() => listed(SECONDS + 1), [ids[0], ids[1]].sort());
      await eventually(() => listed(SECONDS), [ids[1]]);
      expect((await items.received(SECONDS + 2, 2)).length).toBe(2);
    });

    test('R4.8 a row that is accepted or dropped is received no more', async () => {
      const { items, ids, own } = await stored(upload(), upload(), upload());
      await items.accept(ids[0]!, 1, NOW);
      await items.dropReceived(ids[1]!, 1);
      await items.raiseSeq(ids[2]!, 2);
      await eventually(async () => own(await items.received(SECONDS + 1, MANY)), [ids[2]]);
    });
  });

  describe(`${name}: what has fields missing`, () => {
    const incomplete = (overrides: Partial<ItemRow> = {}): Partial<ItemRow> => ({
      kind: 'document',
      status: 'approved',
      fields: fields({ covers: [], missing: ['covers'] }),
      ...overrides,
    });

    test('R4.8 live rows whose fields wait for the model are listed, and no complete ones', async () => {
      const { items, ids, own } = await stored(
        incomplete(),
        incomplete({ status: 'checked' }),
        incomplete({ fields: fields({ covers: [], generated: ['summary'] }) }),
        incomplete(),
      );
      const listed = async () => own(await items.missingFields(NOW, NOW, MANY)).sort();
      await eventually(listed, [ids[0], ids[1], ids[3]].sort());
      expect((await items.missingFields(NOW, NOW, 2)).length).toBe(2);
      await items.completeFields(ids[0]!, fields({ generated: ['covers'] }), 'task');
      await items.completeFields(ids[1]!, fields({ missing: ['covers'] }), 'task');
      await items.applyDecision(ids[3]!, 1, decision({ status: 'removed' }), true);
      await eventually(listed, [ids[1]]);
    });

    test('R4.8 a row that the model could not describe is listed again when it is due, or when a clock has stepped back', async () => {
      const { items, ids, own } = await stored(incomplete(), incomplete(), incomplete());
      const listed = async (now: number) => own(await items.missingFields(now, now + 10, MANY)).sort();
      const missing = fields({ covers: [], missing: ['covers'] });
      expect(await items.completeFields(ids[0]!, missing, 'task', { count: 1, at: NOW + 5 })).toBe(true);
      expect(await items.completeFields(ids[1]!, missing, 'task', { count: 3, at: NOW + 11 })).toBe(true);
      await eventually(() => listed(NOW), [ids[1], ids[2]].sort());
      await eventually(() => listed(NOW + 5), [ids[0], ids[2]].sort());
      await eventually(() => listed(NOW + 11), [...ids].sort());
    });

    test('R4.8 a rejected row waits for no model, until it is restored', async () => {
      const { items, ids, own } = await stored(incomplete({ status: 'pending' }));
      const listed = async () => own(await items.missingFields(NOW, NOW, MANY));
      await items.applyDecision(ids[0]!, 1, decision({ status: 'rejected' }), false);
      await eventually(listed, []);
      await items.applyDecision(ids[0]!, 2, decision({ status: 'approved' }), false);
      await eventually(listed, ids);
    });
  });
}
