import { describe, expect, test } from 'vitest';
import type { Kind } from '#lib/core/item.ts';
import type { Bodies } from '#lib/ports.ts';
import { eventually, together } from '#test/support/contract.ts';
import { neighbouringIds, UNICODE, uniqueId } from '#test/support/rows.ts';

/** Far enough from now that no store's clock matters. */
const HOUR = 3_600_000;
const KINDS: readonly Kind[] = ['entry', 'document'];

/** Every promise of the port. `make` opens the store, on the real clock. */
export function bodiesContract(name: string, make: () => Promise<Bodies>): void {
  describe(name, () => {
    describe.each(KINDS)('of kind %s', (kind) => {
      test.each([
        ['empty', ''],
        ['white space only', ' \r\n\t'],
        ['of characters that stores get wrong', UNICODE],
        ['with a byte-order mark, CR LF and NUL', '\uFEFF# Title\r\n\u0000\r\nend'],
        ['that looks like JSON', '{"a": 1.0}'],
      ])('R3.2 a text %s is kept verbatim', async (_, text) => {
        const bodies = await make();
        const id = uniqueId();
        await bodies.put(id, kind, text);
        expect(await bodies.get(id, kind)).toBe(text);
        expect(await bodies.getMany([{ id, kind }])).toEqual(new Map([[id, text]]));
      });

      test('R3.2 a text once put never changes', async () => {
        const bodies = await make();
        const id = uniqueId();
        await bodies.put(id, kind, 'first');
        await bodies.put(id, kind, 'second');
        expect(await bodies.get(id, kind)).toBe('first');
      });

      test('R3.2 of texts put at once under one id one stays', async () => {
        const bodies = await make();
        const id = uniqueId();
        await together(8, (n) => bodies.put(id, kind, `text ${n}`));
        const kept = await bodies.get(id, kind);
        expect(kept).toMatch(/^text [0-7]$/);
        await together(8, (n) => bodies.put(id, kind, `later ${n}`));
        expect(await bodies.get(id, kind)).toBe(kept);
      });

      test('R3.2 an empty text once put never changes', async () => {
        const bodies = await make();
        const id = uniqueId();
        await bodies.put(id, kind, '');
        await bodies.put(id, kind, 'second');
        expect(await bodies.get(id, kind)).toBe('');
      });

      test('R3.6 an erased text is gone, and its neighbour stays', async () => {
        const bodies = await make();
        const [id, other] = [uniqueId(), uniqueId()];
        await bodies.put(id, kind, 'gone');
        await bodies.put(other, kind, 'stays');
        for (const _time of [1, 2]) {
          await bodies.erase(id, kind);
          expect(await bodies.get(id, kind)).toBeUndefined();
        }
        expect(await bodies.getMany([id, other].map((each) => ({ id: each, kind })))).toEqual(
          new Map([[other, 'stays']]),
        );
      });

      test('R3.2 a text that nobody put is not there', async () => {
        const bodies = await make();
        const id = uniqueId();
        expect(await bodies.get(id, kind)).toBeUndefined();
        await bodies.erase(id, kind);
        expect(await bodies.getMany([{ id, kind }])).toEqual(new Map());
      });
    });

    test('R3.7 a document of a megabyte and an entry of 32 KB are kept whole', async () => {
      const bodies = await make();
      const texts = { document: '支付🚀 '.repeat(95_000), entry: '🚀'.repeat(8192) };
      for (const kind of KINDS) {
        const id = uniqueId();
        await bodies.put(id, kind, texts[kind]);
        expect((await bodies.get(id, kind)) === texts[kind]).toBe(true);
        expect((await bodies.getMany([{ id, kind }])).get(id) === texts[kind]).toBe(true);
      }
    });

    test('R3.2 a text is found under its own kind only', async () => {
      const bodies = await make();
      const id = uniqueId();
      await bodies.put(id, 'document', 'text');
      await bodies.erase(id, 'entry');
      expect(await bodies.get(id, 'entry')).toBeUndefined();
      expect(await bodies.getMany([{ id, kind: 'entry' }])).toEqual(new Map());
      expect(await bodies.get(id, 'document')).toBe('text');
    });

    test('R4.1 many texts of both kinds are read at once, without those that are not there', async () => {
      const bodies = await make();
      const stored = Array.from({ length: 120 }, (_, n) => ({ id: uniqueId(), kind: KINDS[n % 2]! }));
      await together(120, (n) => bodies.put(stored[n]!.id, stored[n]!.kind, `text ${n}`));
      const absent = KINDS.map((kind) => ({ id: uniqueId(), kind }));
      expect(await bodies.getMany([...absent, ...stored, stored[0]!, stored[1]!])).toEqual(
        new Map(stored.map(({ id }, n) => [id, `text ${n}`])),
      );
      expect(await bodies.getMany([])).toEqual(new Map());
    });

    test('R4.8 bodies of both kinds are listed in id order, page by page', async () => {
      const bodies = await make();
      const { before, ids } = neighbouringIds(5);
      const stored = ids.map((id, n) => ({ id, kind: KINDS[n % 2]! }));
      for (const n of [3, 0, 4, 1, 2]) await bodies.put(stored[n]!.id, stored[n]!.kind, `text ${n}`);
      const soon = Date.now() + HOUR;
      await eventually(() => bodies.list(before, soon, 5), stored);
      await eventually(() => bodies.list(before, soon, 2), stored.slice(0, 2));
      await eventually(() => bodies.list(ids[1]!, soon, 2), stored.slice(2, 4));
      const last = await bodies.list(ids[3]!, soon, 1);
      expect(last).toEqual(stored.slice(4));
    });

    test('R4.8 only bodies stored before the given time are listed, and none that are erased', async () => {
      const bodies = await make();
      const { before, ids } = neighbouringIds(4);
      const own = async (time: number) =>
        (await bodies.list(before, time, 4)).filter(({ id }) => id.startsWith(before));
      for (const [n, id] of ids.entries()) await bodies.put(id, KINDS[n % 2]!, '');
      await eventually(
        () => own(Date.now() + HOUR),
        ids.map((id, n) => ({ id, kind: KINDS[n % 2]! })),
      );
      expect(await own(Date.now() - HOUR)).toEqual([]);
      await bodies.erase(ids[0]!, 'entry');
      await bodies.erase(ids[3]!, 'document');
      await eventually(
        () => own(Date.now() + HOUR),
        [
          { id: ids[1], kind: 'document' },
          { id: ids[2], kind: 'entry' },
        ],
      );
    });

    test('R4.8 a listing from the very beginning holds what is there', async () => {
      const bodies = await make();
      const id = uniqueId();
      await bodies.put(id, 'entry', 'text');
      const page = await bodies.list('', Date.now() + HOUR, 3);
      expect(page.length).toBeGreaterThan(0);
      expect(page.length).toBeLessThanOrEqual(3);
    });
  });
}
