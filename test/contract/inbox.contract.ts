import { describe, expect, test } from 'vitest';
import type { Caller } from '#lib/core/caller.ts';
import type { QuarantineReport, UploadTicket } from '#lib/core/inbox.ts';
import type { Inbox } from '#lib/ports.ts';
import { eventually } from '#test/support/contract.ts';
import { UNICODE, uniqueHex } from '#test/support/rows.ts';

/** An inbox, and the hands of those who drop files into it and look into quarantine. */
export interface InboxUnderTest {
  inbox: Inbox;
  drop(key: string, bytes: Uint8Array): Promise<void>;
  /** Uploads a file with a ticket, as a browser does. */
  redeem(ticket: UploadTicket, bytes: Uint8Array): Promise<void>;
  /** What lies in quarantine under the name that a file has in the inbox. */
  quarantined(name: string): Promise<{ bytes: Uint8Array; report: QuarantineReport } | undefined>;
}

const HOUR = 3_600_000;
const MANY_BYTES = 10 * 1024 * 1024;
const bytesOf = (text: string): Uint8Array => Uint8Array.from(Buffer.from(text));
const report = (key: string): QuarantineReport => ({
  key,
  why: 'the file is not UTF-8',
  field: 'content',
  at: '2026-07-01T12:00:00.000Z',
  request_id: 'a1b2c3d4',
});

/** Every promise of the port (R3.1). `make` opens the store. */
export function inboxContract(name: string, make: () => Promise<InboxUnderTest>): void {
  const dropped = async (bytes: Uint8Array, filename = 'a.md') => {
    const under_test = await make();
    const path = `contract-${uniqueHex()}/${filename}`;
    const key = `inbox/${path}`;
    await under_test.drop(key, bytes);
    const file = (await under_test.inbox.read(key, MANY_BYTES))!;
    return { ...under_test, path, key, etag: file.etag, file };
  };

  describe(name, () => {
    test.each([
      ['UTF-8', bytesOf(`\uFEFF${UNICODE}\r\n`)],
      ['not UTF-8', Uint8Array.from([0x63, 0xe9, 0x00, 0xff])],
      ['none', new Uint8Array()],
    ])('R3.1 the bytes of a file are read as they are (%s)', async (_, bytes) => {
      const { file } = await dropped(bytes);
      expect({ ...file, bytes: [...file.bytes!] }).toEqual({
        etag: expect.stringMatching(/\S/),
        size: bytes.length,
        bytes: [...bytes],
      });
    });

    test('R3.7 of a file beyond the limit the size is told, and its bytes are not read', async () => {
      const { inbox, key, etag } = await dropped(bytesOf('12345'));
      expect(await inbox.read(key, 4)).toEqual({ etag, size: 5 });
      expect((await inbox.read(key, 5))?.bytes).toHaveLength(5);
    });

    test.each(['a b+c.md', '支付 🚀.md', '100%25.md', '#?&=<>"\'.md', 'deep/er.md'])(
      'R3.7 a key that ends in %s is its own file',
      async (filename) => {
        const { inbox, key, path, etag, quarantined } = await dropped(bytesOf('text'), filename);
        expect(await inbox.read(`${key}x`, 9)).toBeUndefined();
        expect(await inbox.quarantine(key, etag, report(key))).toBe(true);
        expect((await quarantined(path))?.report).toEqual(report(key));
        expect(await inbox.remove(key, etag)).toBe(true);
        expect(await inbox.read(key, 9)).toBeUndefined();
      },
    );

    test('R3.1 a newer file on the same key is never removed for an older one', async () => {
      const { inbox, drop, key, etag } = await dropped(bytesOf('old'));
      await drop(key, bytesOf('new'));
      expect(await inbox.remove(key, etag)).toBe(false);
      const file = await inbox.read(key, 9);
      expect(Buffer.from(file!.bytes!).toString()).toBe('new');
      expect(await inbox.remove(key, file!.etag)).toBe(true);
      expect(await inbox.remove(key, file!.etag)).toBe(false);
    });

    test('R3.1 a file is copied into quarantine, its report beside it, as often as asked', async () => {
      const { inbox, key, path, etag, quarantined } = await dropped(Uint8Array.from([0xff, 0xfe]));
      for (const _time of [1, 2]) {
        expect(await inbox.quarantine(key, etag, report(key))).toBe(true);
        const there = (await quarantined(path))!;
        expect({ ...there, bytes: [...there.bytes] }).toEqual({ bytes: [0xff, 0xfe], report: report(key) });
        expect((await inbox.read(key, 9))?.etag).toBe(etag);
      }
    });

    test('R3.1 a newer file on the same key is not put into quarantine for an older one', async () => {
      const { inbox, drop, key, path, etag, quarantined } = await dropped(bytesOf('old'));
      await drop(key, bytesOf('new'));
      expect(await inbox.quarantine(key, etag, report(key))).toBe(false);
      expect(await quarantined(path)).toBeUndefined();
      expect(await inbox.quarantine(`${key}x`, etag, report(key))).toBe(false);
    });

    test('R3.1 a key as long as S3 allows can be put into quarantine too', async () => {
      const { inbox, key, etag } = await dropped(bytesOf('text'), `${'長'.repeat(328)}.md`);
      expect(await inbox.quarantine(key, etag, report(key))).toBe(true);
    });

    test('R4.8 files are listed page by page, those dropped before the given time', async () => {
      const { inbox, drop } = await make();
      const folder = `inbox/contract-${uniqueHex()}/`;
      const keys = ['a.md', 'b+ c.md', '\uff41.md', '🚀.md'].map((filename) => folder + filename);
      for (const n of [2, 0, 3, 1]) await drop(keys[n]!, bytesOf('text'));
      const etag = (await inbox.read(keys[0]!, 9))!.etag;
      await inbox.quarantine(keys[0]!, etag, report(keys[0]!));
      const soon = Date.now() + HOUR;
      await eventually(() => inbox.list(folder, soon, 4), keys);
      expect(await inbox.list(folder, soon, 2)).toEqual(keys.slice(0, 2));
      expect(await inbox.list(keys[1]!, soon, 2)).toEqual(keys.slice(2));
      expect((await inbox.list('', soon, 1))[0]).toMatch(/^inbox\//);
      expect(await inbox.list(folder, Date.now() - HOUR, 4)).toEqual([]);
    });

    test('R3.1 a file that came with a ticket lies at its key, in the name of whom it was given to', async () => {
      const { inbox, redeem } = await make();
      const key = `inbox/contract-${uniqueHex()}/支付+ %2B.md`;
      const caller: Caller = { principal: 'agent:runner', scopes: ['org:acme', '支付'] };
      await redeem(await inbox.ticket(key, caller, 1000, 60), bytesOf(`支付\r\n${UNICODE}`));
      const file = (await inbox.read(key, 1000))!;
      expect(file.caller).toEqual(caller);
      expect(Buffer.from(file.bytes!).toString()).toBe(`支付\r\n${UNICODE}`);
    });
  });
}
