import { describe, expect, test } from 'vitest';
import type { ItemRow } from '#lib/core/item.ts';
import type { Items } from '#lib/ports.ts';
import { itemClaimsContract } from '#test/contract/items-claims.contract.ts';
import { itemDecisionsContract } from '#test/contract/items-decisions.contract.ts';
import { itemListingsContract } from '#test/contract/items-listings.contract.ts';
import { together } from '#test/support/contract.ts';
import { allBut, decision, fields, itemRow, UNICODE, uniqueId, uniquePath } from '#test/support/rows.ts';

const NOW = 1_767_225_600_500;
/** Every promise of the port (R3.5, R4.5, R4.6; protocol, "Uploads at a path", "Project"). `make` opens the store. */
export function itemsContract(name: string, make: () => Promise<Items>): void {
  const stored = async (overrides: Partial<ItemRow> = {}) => {
    const items = await make();
    const row = itemRow(overrides);
    expect(await items.insert(row)).toBe(true);
    return { items, row, id: row.id };
  };
  const received = (overrides: Partial<ItemRow> = {}) =>
    stored({ kind: 'document', path: uniquePath(), path_seq: 3, status: 'received', ...overrides });

  describe(`${name}: rows`, () => {
    test('R3.2 a row is stored if its id is absent, and read back whole', async () => {
      const items = await make();
      const row = full();
      expect(await items.get(row.id)).toBeUndefined();
      expect(await items.insert(row)).toBe(true);
      expect(await items.get(row.id)).toEqual(row);
    });

    test('R3.2 fields without a value are left out, empty ones are kept', async () => {
      const { items, row, id } = await stored({
        path: undefined,
        next_at: undefined,
        claim: undefined,
        decision: undefined,
        domain: '',
        task: '',
        tags: { '': '' },
        tag_keys: [''],
        scopes: [],
        source: { none: [], nothing: {}, empty: '' },
        excerpt: '',
      });
      const read = await items.get(id);
      expect(read).toEqual(row);
      expect(Object.entries(read!).filter(([, value]) => value === null)).toEqual([]);
    });

    test('R2.1 whatever JSON a source holds is kept', async () => {
      const source = {
        numbers: [0, -1, 0.1 + 0.2, 1e-7, 2 ** 53 - 1, 1.7e308, 5e-324],
        nested: { deep: [[{ a: null, b: [true, false], '': UNICODE }], []] },
        names: JSON.parse('{"__proto__": {"a": 1}, "constructor": "c", "toString": ""}'),
        [UNICODE]: null,
      };
      const tags = { constructor: 'c', 'a.b': '#', [UNICODE]: UNICODE };
      const { items, id } = await stored({ source, tags, tag_keys: ['__proto__', UNICODE] });
      const read = (await items.get(id))!;
      expect(read.source).toEqual(source);
      // Asked for by name: a key that became a prototype is in no comparison.
      expect(JSON.stringify(read.source.names)).toBe(JSON.stringify(source.names));
      expect(read.tags).toEqual(tags);
      expect(read.tag_keys).toEqual(['__proto__', UNICODE]);
    });

    test('R3.7 the longest row is kept whole', async () => {
      const { items, row, id } = await stored({
        kind: 'document',
        path: `${'域'.repeat(64)}/${uniqueId()}${'名'.repeat(150)}`,
        excerpt: '🚀'.repeat(2000),
        metadata: JSON.stringify({ notes: '附'.repeat(21_000) }),
        fields: fields({
          title: '标'.repeat(200),
          summary: '述'.repeat(1000),
          keywords: Array.from({ length: 50 }, () => '键'.repeat(64)),
          covers: Array.from({ length: 20 }, () => '景'.repeat(64)),
        }),
      });
      expect(await items.get(id)).toEqual(row);
      expect(await items.getMany([id])).toEqual([row]);
    });

    test('R3.2 an id that is taken is refused, also to the repeat, and its row stays', async () => {
      const { items, row, id } = await stored();
      expect(await items.insert(itemRow({ id, task: 'another' }))).toBe(false);
      expect(await items.insert(row)).toBe(false);
      expect(await items.get(id)).toEqual(row);
    });

    test('R3.2 of rows inserted at once under one id exactly one is stored', async () => {
      const items = await make();
      const id = uniqueId();
      const rows = Array.from({ length: 8 }, (_, n) => itemRow({ id, task: `task ${n}` }));
      const won = await together(8, (n) => items.insert(rows[n]!));
      expect(won.filter(Boolean)).toHaveLength(1);
      expect(await items.get(id)).toEqual(rows[won.indexOf(true)]);
    });

    test('R4.1 many rows are read at once, without those that are not there', async () => {
      const items = await make();
      const rows = Array.from({ length: 130 }, () => itemRow());
      await together(130, (n) => items.insert(rows[n]!));
      const ids = rows.map(({ id }) => id);
      const read = await items.getMany([uniqueId(), ...ids, uniqueId(), ids[0]!]);
      const byId = (all: readonly ItemRow[]) => new Map(all.map((row) => [row.id, row]));
      expect(byId(read)).toEqual(byId(rows));
      expect(await items.getMany([uniqueId()])).toEqual([]);
      expect(await items.getMany([])).toEqual([]);
    });

    test('R4.6 what was read does not change afterwards', async () => {
      const { items, row, id } = await stored();
      const read = await items.get(id);
      await items.claim(id, { token: 'mine', at: NOW }, NOW);
      expect(read).toEqual(row);
    });
  });

  describe(`${name}: uploads at a path`, () => {
    test('R3.5 the seq of a received row rises, and never falls', async () => {
      const { items, row, id } = await received();
      for (const [seq, then] of [
        [5, 5],
        [5, 5],
        [4, 5],
        [12, 12],
      ] as const) {
        expect(await items.raiseSeq(id, seq)).toBe('raised');
        expect(await items.get(id)).toEqual({ ...row, path_seq: then });
      }
    });

    test('R3.5 seqs raised at once leave the highest', async () => {
      const { items, row, id } = await received();
      await together(8, (n) => items.raiseSeq(id, 10 + ((n * 3) % 8)));
      expect(await items.get(id)).toEqual({ ...row, path_seq: 17 });
    });

    test.each(allBut('received'))('R3.5 the seq of a row that is %s stays', async (status) => {
      const { items, row, id } = await received({ status });
      expect(await items.raiseSeq(id, 9)).toBe('not_received');
      expect(await items.get(id)).toEqual(row);
    });

    test('R3.5 a received row is accepted with its seq, and waits from then on', async () => {
      const { items, row, id } = await received();
      expect(await items.accept(id, 3, NOW)).toBe('accepted');
      expect(await items.get(id)).toEqual({ ...row, status: 'pending', next_at: NOW });
      expect(await items.accept(id, 3, NOW + 1)).toBe('not_received');
      expect((await items.get(id))?.next_at).toBe(NOW);
    });

    test.each([2, 4])('R3.5 a received row of seq 3 is not accepted with %i', async (seq) => {
      const { items, row, id } = await received();
      expect(await items.accept(id, seq, NOW)).toBe('other_seq');
      expect(await items.get(id)).toEqual(row);
    });

    test('R3.5 after its seq was raised a row is accepted with the new one only', async () => {
      const { items, id } = await received();
      await items.raiseSeq(id, 4);
      expect(await items.accept(id, 3, NOW)).toBe('other_seq');
      expect(await items.accept(id, 4, NOW)).toBe('accepted');
    });

    test.each(allBut('received'))('R3.5 a row that is %s is not accepted again', async (status) => {
      const { items, row, id } = await received({ status });
      expect(await items.accept(id, 3, NOW)).toBe('not_received');
      expect(await items.get(id)).toEqual(row);
    });

    test('R3.5 a row is accepted by exactly one of many at once', async () => {
      const { items, id } = await received();
      const answers = await together(8, (n) => items.accept(id, 3, NOW + n));
      expect(answers.filter((answer) => answer === 'accepted')).toHaveLength(1);
      expect(answers.filter((answer) => answer === 'not_received')).toHaveLength(7);
      expect((await items.get(id))?.next_at).toBe(NOW + answers.indexOf('accepted'));
    });

    test('R4.8 a received row is dropped with its seq only', async () => {
      const { items, row, id } = await received();
      expect(await items.dropReceived(id, 2)).toBe(false);
      expect(await items.dropReceived(id, 4)).toBe(false);
      expect(await items.get(id)).toEqual(row);
      expect(await items.dropReceived(id, 3)).toBe(true);
      expect(await items.get(id)).toBeUndefined();
      expect(await items.dropReceived(id, 3)).toBe(false);
      expect(await items.insert(row)).toBe(true);
    });

    test.each(allBut('received'))('R4.8 a row that is %s is not dropped', async (status) => {
      const { items, row, id } = await received({ status });
      expect(await items.dropReceived(id, 3)).toBe(false);
      expect(await items.get(id)).toEqual(row);
    });

    test('R3.5 of dropping and accepting at once exactly one happens', async () => {
      const { items, id } = await received();
      const [dropped, accepted] = await Promise.all([items.dropReceived(id, 3), items.accept(id, 3, NOW)]);
      expect([dropped, accepted]).toEqual(dropped ? [true, 'absent'] : [false, 'accepted']);
      expect((await items.get(id))?.status).toBe(dropped ? undefined : 'pending');
    });

    test('R3.5 a row that is absent is not made', async () => {
      const items = await make();
      const id = uniqueId();
      expect(await items.raiseSeq(id, 1)).toBe('absent');
      expect(await items.accept(id, 1, NOW)).toBe('absent');
      expect(await items.dropReceived(id, 1)).toBe(false);
      expect(await items.get(id)).toBeUndefined();
    });
  });

  itemClaimsContract(name, make);
  itemDecisionsContract(name, make);
  itemListingsContract(name, make);
}

/** Every field set. */
const full = (): ItemRow =>
  itemRow({
    kind: 'document',
    domain: '支付',
    path: uniquePath('支付 🚀.md'),
    path_seq: 4,
    task: UNICODE,
    message_id: 'm-1',
    types: ['strategy', '__proto__', ''],
    tags: { team: UNICODE },
    resource_ids: ['r-1', 'r-1'],
    source: { from: 'chat' },
    metadata: '{"title": "10:00"}',
    fields: fields({ generated: ['covers'], missing: ['summary', 'keywords'] }),
    status: 'processing',
    attempt: 2,
    pos: 17,
    claim: { token: 't', at: NOW },
    next_at: NOW + 1,
    judge_failures: { count: 2, first_at: NOW, last: UNICODE },
    decision: decision({
      status: 'pending',
      attempt: 2,
      reason: 'known',
      basis: 'judge',
      model: 'stand-in',
      needs_review: UNICODE,
      grounds: [{ id: uniqueId(), type: 'duplicate' }],
      relations: [{ to: uniqueId(), type: 'conflict', reverse: 'conflict' }],
      lineage: uniqueId(),
      path_seq: 4,
      decided_at: 1_767_225_600,
      next_at: NOW,
    }),
  });
