import { describe, expect, test } from 'vitest';
import type { Decision, ItemRow } from '#lib/core/item.ts';
import type { Items } from '#lib/ports.ts';
import { together } from '#test/support/contract.ts';
import { decision, fields, itemRow, tombstone, UNICODE, uniqueId, uniquePath } from '#test/support/rows.ts';

const NOW = 1_767_225_600_500;

/** The part of the items' contract that is about decisions and completed fields; `itemsContract` includes it. */
export function itemDecisionsContract(name: string, make: () => Promise<Items>): void {
  const stored = async (overrides: Partial<ItemRow> = {}) => {
    const items = await make();
    const row = itemRow(overrides);
    await items.insert(row);
    return { items, row, id: row.id };
  };
  const incomplete = (overrides: Partial<ItemRow> = {}) =>
    stored({
      kind: 'document',
      status: 'approved',
      fields: fields({ summary: '', missing: ['summary'] }),
      ...overrides,
    });

  describe(`${name}: decisions`, () => {
    test('R4.4 a decision is written over the row and ends the claim', async () => {
      const { items, row, id } = await stored({
        status: 'processing',
        claim: { token: 't', at: NOW },
        next_at: NOW,
        judge_failures: { count: 1, first_at: NOW, last: 'timed out' },
      });
      const { claim: _claim, next_at: _next, judge_failures: _failures, ...rest } = row;
      const decided = decision({ lineage: id, basis: 'no_candidates', decided_at: 1_767_225_600 });
      expect(await items.applyDecision(id, 7, decided, false)).toBe(true);
      expect(await items.get(id)).toEqual({ ...rest, status: 'approved', pos: 7, decision: decided });
    });

    test('R4.3 every field of a decision is kept', async () => {
      const { items, row, id } = await stored({ kind: 'document', path: uniquePath(), path_seq: 2 });
      const rejected: Decision = {
        status: 'rejected',
        attempt: 3,
        reason: 'known',
        basis: 'judge',
        model: UNICODE,
        needs_review: '',
        grounds: [
          { id: uniqueId(), type: 'duplicate' },
          { id: uniqueId(), type: 'subset' },
        ],
        relations: [{ to: uniqueId(), type: 'builds_on', reverse: 'none' }],
        lineage: uniqueId(),
        path_seq: 5,
        decided_at: 1_767_225_600,
      };
      await items.applyDecision(id, 7, rejected, false);
      expect(await items.get(id)).toEqual({
        ...row,
        status: 'rejected',
        attempt: 3,
        path_seq: 5,
        pos: 7,
        decision: rejected,
      });
    });

    test('R3.5 a decision without a seq leaves the row its own', async () => {
      const { items, id } = await stored({ kind: 'document', path: uniquePath(), path_seq: 2 });
      await items.applyDecision(id, 7, decision({ path_seq: undefined }), false);
      expect((await items.get(id))?.path_seq).toBe(2);
    });

    test('R3.6 a decision that sends the item back lets it wait from the time given', async () => {
      const { items, row, id } = await stored({ status: 'rejected', pos: 3 });
      const back = decision({ status: 'pending', attempt: 2, next_at: NOW });
      await items.applyDecision(id, 9, back, false);
      expect(await items.get(id)).toEqual({
        ...row,
        status: 'pending',
        attempt: 2,
        pos: 9,
        next_at: NOW,
        decision: back,
      });
      expect((await items.claim(id, { token: 't', at: NOW }, NOW)).claimed).toBe(true);
    });

    test('R6.9 a decision takes the place of the one before, whole', async () => {
      const { items, row, id } = await stored();
      await items.applyDecision(
        id,
        7,
        decision({ reason: 'known', needs_review: 'x', basis: 'judge' }),
        false,
      );
      const later = decision({ status: 'checked', attempt: 2 });
      expect(await items.applyDecision(id, 8, later, false)).toBe(true);
      expect(await items.get(id)).toEqual({
        ...row,
        status: 'checked',
        attempt: 2,
        pos: 8,
        decision: later,
      });
    });

    test.each([6, 7])('R6.9 a decision of position %i is refused on a row at 7', async (position) => {
      const { items, id } = await stored();
      await items.applyDecision(id, 7, decision(), false);
      const row = await items.get(id);
      for (const erase of [false, true])
        expect(await items.applyDecision(id, position, decision({ status: 'rejected' }), erase)).toBe(false);
      expect(await items.get(id)).toEqual(row);
    });

    test('R6.9 a claim that began after a decision is left by its repeat', async () => {
      const { items, id } = await stored();
      const back = decision({ status: 'pending', attempt: 2, next_at: NOW });
      await items.applyDecision(id, 7, back, false);
      const { row } = await items.claim(id, { token: 't', at: NOW }, NOW + 5);
      expect(await items.applyDecision(id, 7, back, false)).toBe(false);
      expect(await items.get(id)).toEqual(row);
    });

    test('R6.9 of decisions written at once the one of the highest position stays', async () => {
      const { items, row, id } = await stored();
      const at = (n: number) => ((n * 3) % 8) + 1;
      const written = await together(8, (n) =>
        items.applyDecision(id, at(n), decision({ attempt: at(n) }), false),
      );
      expect(written[5]).toBe(true);
      const highest = decision({ attempt: 8 });
      expect(await items.get(id)).toEqual({
        ...row,
        status: 'approved',
        attempt: 8,
        pos: 8,
        decision: highest,
      });
    });

    test('R4.7 a claim loses to a decision that comes at the same time', async () => {
      const { items, id } = await stored();
      await Promise.all([
        items.claim(id, { token: 't', at: NOW }, NOW),
        items.applyDecision(id, 7, decision(), false),
      ]);
      const row = await items.get(id);
      expect([row?.status, row?.claim, row?.next_at]).toEqual(['approved', undefined, undefined]);
    });
  });

  describe(`${name}: erasure`, () => {
    const removed = decision({ status: 'removed', attempt: 2 });

    test('R3.6 erasing leaves a tombstone, with nothing of what the item said', async () => {
      const { items, id } = await stored({
        status: 'approved',
        kind: 'document',
        path: uniquePath(),
        path_seq: 2,
        fields: fields({ missing: ['covers'] }),
        source: { from: 'chat' },
        metadata: '{}',
        message_id: 'm',
        resource_ids: ['r'],
        pos: 3,
      });
      expect(await items.applyDecision(id, 9, removed, true)).toBe(true);
      expect(await items.get(id)).toEqual(tombstone(id, 9, 2));
      expect(await items.getMany([id])).toEqual([tombstone(id, 9, 2)]);
    });

    test('R3.6 a row that is absent becomes a tombstone, erased or not', async () => {
      const items = await make();
      for (const erase of [true, false]) {
        const id = uniqueId();
        expect(await items.applyDecision(id, 9, removed, erase)).toBe(true);
        expect(await items.get(id)).toEqual(tombstone(id, 9, 2));
      }
    });

    test('R3.6 a tombstone is in the way of late decisions, inserts, claims and fields', async () => {
      const { items, row, id } = await stored();
      await items.applyDecision(id, 9, removed, true);
      expect(await items.applyDecision(id, 8, decision(), false)).toBe(false);
      expect(await items.applyDecision(id, 9, removed, true)).toBe(false);
      expect(await items.insert(row)).toBe(false);
      expect((await items.claim(id, { token: 't', at: NOW }, NOW)).claimed).toBe(false);
      expect(await items.raiseSeq(id, 5)).toBe('not_received');
      expect(await items.accept(id, 5, NOW)).toBe('not_received');
      expect(await items.completeFields(id, fields(), 'task')).toBe(false);
      expect(await items.get(id)).toEqual(tombstone(id, 9, 2));
    });
  });

  describe(`${name}: missing fields`, () => {
    test('R3.2 missing fields are completed, with the task that they make', async () => {
      const { items, row, id } = await incomplete();
      const complete = fields({ summary: UNICODE, generated: ['summary'] });
      expect(await items.completeFields(id, complete, 'a new task')).toBe(true);
      expect(await items.get(id)).toEqual({ ...row, fields: complete, task: 'a new task' });
    });

    test('R3.2 fields that are complete are not completed again', async () => {
      const { items, id } = await incomplete();
      await items.completeFields(id, fields({ generated: ['summary'] }), 'first');
      const row = await items.get(id);
      expect(await items.completeFields(id, fields({ title: 'late' }), 'second')).toBe(false);
      expect(await items.get(id)).toEqual(row);
    });

    test('R3.2 as long as one is marked as missing, fields may be written again', async () => {
      const { items, row, id } = await incomplete();
      const marked = fields({ generated: ['summary'], missing: ['summary'] });
      expect(await items.completeFields(id, marked, 'first')).toBe(true);
      expect(await items.completeFields(id, marked, 'second')).toBe(true);
      expect(await items.get(id)).toEqual({ ...row, fields: marked, task: 'second' });
      expect(await items.completeFields(id, fields(), 'third')).toBe(true);
      expect(await items.completeFields(id, fields(), 'fourth')).toBe(false);
    });

    test('R4.8 when to ask the model again is kept with what is missing, and goes with it', async () => {
      const { items, row, id } = await incomplete();
      const retry = { count: 2, at: NOW };
      expect(await items.completeFields(id, row.fields, row.task, retry)).toBe(true);
      expect(await items.get(id)).toEqual({ ...row, fields_retry: retry });
      expect(await items.completeFields(id, fields(), row.task)).toBe(true);
      expect(await items.get(id)).toEqual({ ...row, fields: fields() });
      expect(await items.completeFields(id, fields(), row.task, retry)).toBe(false);
    });

    test('R3.2 of completions at once exactly one is written', async () => {
      const { items, id } = await incomplete();
      const won = await together(8, (n) => items.completeFields(id, fields({ title: `${n}` }), `task ${n}`));
      expect(won.filter(Boolean)).toHaveLength(1);
      expect((await items.get(id))?.fields.title).toBe(`${won.indexOf(true)}`);
      expect((await items.get(id))?.task).toBe(`task ${won.indexOf(true)}`);
    });

    test('R3.2 a completion and a decision do not undo each other', async () => {
      const { items, row, id } = await incomplete({ status: 'pending' });
      const complete = fields({ generated: ['summary'] });
      await Promise.all([
        items.completeFields(id, complete, 'a new task'),
        items.applyDecision(id, 7, decision(), false),
      ]);
      expect(await items.get(id)).toEqual({
        ...row,
        fields: complete,
        task: 'a new task',
        status: 'approved',
        pos: 7,
        decision: decision(),
      });
    });

    test('R3.6 the fields of a removed item are not completed, and none of an absent one', async () => {
      const { items, row, id } = await incomplete({ status: 'removed' });
      expect(await items.completeFields(id, fields(), 'task')).toBe(false);
      expect(await items.get(id)).toEqual(row);
      const absent = uniqueId();
      expect(await items.completeFields(absent, fields(), 'task')).toBe(false);
      expect(await items.get(absent)).toBeUndefined();
    });
  });
}
