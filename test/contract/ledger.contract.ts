import { describe, expect, test } from 'vitest';
import type { Entry } from '#lib/core/entry.ts';
import type { Ledger } from '#lib/ports.ts';
import { together } from '#test/support/contract.ts';
import { entry, UNICODE, uniqueHex, uniqueId } from '#test/support/rows.ts';

/** Every promise of the port (protocol, "Append"). `make` opens the ledger; it may hold entries already. */
export function ledgerContract(name: string, make: () => Promise<Ledger>): void {
  describe(name, () => {
    const open = async () => {
      const ledger = await make();
      return { ledger, head: await headOf(ledger) };
    };

    test('R4.7 an entry is put at the head and read back whole', async () => {
      const { ledger, head } = await open();
      const written = full(head + 1);
      expect(await ledger.put(written)).toBe(true);
      expect(await ledger.readAfter(head, 10)).toEqual([written]);
    });

    test('R4.7 fields without a value are left out, empty ones are kept', async () => {
      const { ledger, head } = await open();
      const written = entry(head + 1, {
        path: undefined,
        grounds: [],
        scopes: [],
        fingerprint: '',
        note: '',
        live: undefined,
      });
      await ledger.put(written);
      const [read] = await ledger.readAfter(head, 1);
      expect(read).toEqual(written);
      expect(Object.entries(read!).filter(([, value]) => value === null)).toEqual([]);
    });

    test('R4.7 a position that is taken stays as it is, also against the repeat of its own put', async () => {
      const { ledger, head } = await open();
      const first = entry(head + 1);
      await ledger.put(first);
      expect(await ledger.put(entry(head + 1))).toBe(false);
      expect(await ledger.put(first)).toBe(false);
      expect(await ledger.readAfter(head, 10)).toEqual([first]);
    });

    test('R4.7 of 16 puts at one position exactly one wins, and it is the one that is read', async () => {
      const { ledger, head } = await open();
      const rivals = Array.from({ length: 16 }, () => entry(head + 1));
      const won = await together(16, (n) => ledger.put(rivals[n]!));
      expect(won.filter(Boolean)).toHaveLength(1);
      expect(await ledger.readAfter(head, 10)).toEqual([rivals[won.indexOf(true)]]);
    });

    test('R4.7 16 writers that move on when they lose all get in once, without a gap', async () => {
      const { ledger, head } = await open();
      const ids = Array.from({ length: 16 }, () => uniqueHex(16));
      await together(16, async (n) => {
        let position = head + 1;
        while (!(await ledger.put(entry(position, { decision_id: ids[n]! })))) position += 1;
      });
      const read = await ledger.readAfter(head, 100);
      expect(read.map(({ position }) => position)).toEqual(ids.map((_, n) => head + 1 + n));
      expect(read.map(({ decision_id }) => decision_id).sort()).toEqual([...ids].sort());
    });

    test('R6.9 entries are read in ascending order after a position, at most as many as asked for', async () => {
      const { ledger, head } = await open();
      // Positions of more and more digits must come in the order of numbers.
      const written = Array.from({ length: 12 }, (_, n) => entry(head + 1 + n));
      for (const each of written) await ledger.put(each);
      expect(await ledger.readAfter(head, 100)).toEqual(written);
      expect(await ledger.readAfter(head, 5)).toEqual(written.slice(0, 5));
      expect(await ledger.readAfter(head + 5, 1)).toEqual([written[5]]);
      expect(await ledger.readAfter(head + 10, 5)).toEqual(written.slice(10));
      expect(await ledger.readAfter(head + 12, 5)).toEqual([]);
      expect(await ledger.readAfter(head + 1000, 5)).toEqual([]);
    });

    test('R6.9 an answer is shorter than asked for only at the head, whatever its size', async () => {
      const { ledger, head } = await open();
      // More than a megabyte, where DynamoDB cuts a page; a reader takes a short page for the head.
      const written = Array.from({ length: 90 }, (_, n) => longest(head + 1 + n));
      for (const each of written) await ledger.put(each);
      const read = await ledger.readAfter(head, 500);
      expect(read.map(({ position }) => position)).toEqual(written.map(({ position }) => position));
      expect(read).toEqual(written);
    });

    test('R3.6 erasing takes the payload out, keeps the rest, and can be repeated', async () => {
      const { ledger, head } = await open();
      const written = [full(head + 1), full(head + 2), full(head + 3)];
      for (const each of written) await ledger.put(each);
      const { live: _, ...rest } = written[1]!;
      for (const _time of [1, 2]) {
        await ledger.erase(head + 2);
        expect(await ledger.readAfter(head, 10)).toEqual([written[0], { ...rest, erased: true }, written[2]]);
      }
    });

    test('R3.6 an erased position stays taken', async () => {
      const { ledger, head } = await open();
      const written = full(head + 1);
      await ledger.put(written);
      await ledger.erase(head + 1);
      expect(await ledger.put(written)).toBe(false);
      expect((await ledger.readAfter(head, 1))[0]?.live).toBeUndefined();
    });

    test('R3.6 erasing where nothing is leaves the position free', async () => {
      const { ledger, head } = await open();
      await ledger.erase(head + 1);
      expect(await ledger.readAfter(head, 10)).toEqual([]);
      expect(await ledger.put(entry(head + 1))).toBe(true);
    });

    test('R4.7 what was read does not change afterwards', async () => {
      const { ledger, head } = await open();
      const written = full(head + 1);
      await ledger.put(written);
      const read = await ledger.readAfter(head, 1);
      await ledger.erase(head + 1);
      expect(read).toEqual([written]);
    });
  });
}

/** The last position: a shared ledger is not emptied between tests. */
async function headOf(ledger: Ledger): Promise<number> {
  for (let position = 0; ; ) {
    const page = await ledger.readAfter(position, 500);
    if (page.length === 0) return position;
    position = page.at(-1)!.position;
  }
}

/** Every field set. */
const full = (position: number): Entry =>
  entry(position, {
    by: 'user:ä',
    event: 'condensed',
    path: '__proto__/支付 🚀.md',
    path_seq: 3,
    sources: [uniqueId(), uniqueId()],
    reason: 'known',
    grounds: [{ id: uniqueId(), type: 'duplicate' }],
    relations: [{ to: uniqueId(), type: 'conflict', reverse: 'conflict' }],
    fingerprint: 'f1e9',
    scopes: ['org:acme', '', UNICODE],
    basis: 'judge',
    model: 'stand-in',
    needs_review: UNICODE,
    note: UNICODE,
    live: {
      kind: 'document',
      domain: '支付',
      title: UNICODE,
      keywords: [],
      keywords_by_author: false,
      covers: ['__proto__', ''],
    },
  });

/** As long as R3.7 lets a payload get: some 14 KB. */
const longest = (position: number): Entry =>
  entry(position, {
    live: {
      kind: 'document',
      domain: '支付',
      title: '标'.repeat(200),
      keywords: Array.from({ length: 50 }, () => '键'.repeat(64)),
      keywords_by_author: true,
      covers: Array.from({ length: 20 }, () => '景'.repeat(64)),
    },
  });
