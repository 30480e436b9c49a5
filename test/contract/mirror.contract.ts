import { describe, expect, test } from 'vitest';
import type { Mirror } from '#lib/ports.ts';
import { eventually, MANY, together } from '#test/support/contract.ts';
import { UNICODE, uniqueHex, uniqueId, uniquePath } from '#test/support/rows.ts';

const FILENAMES = [
  'a.md',
  'a b+c.md',
  '支付 超时.md',
  '🚀.md',
  '\uff41.md',
  '%2F#?&=<>"\'.md',
  '__proto__',
  '長'.repeat(200),
];

/** Every promise of the port (spec, section 1; protocol, "Project"). `make` opens the store. */
export function mirrorContract(name: string, make: () => Promise<Mirror>): void {
  const stored = async (text = 'A', path = uniquePath()) => {
    const mirror = await make();
    const item_id = uniqueId();
    expect(await mirror.put(path, item_id, text, undefined)).toBe(true);
    const { etag } = (await mirror.head(path))!;
    return { mirror, path, item_id, etag };
  };

  describe(name, () => {
    test('R3.2 a path without an object has no head and no text', async () => {
      const mirror = await make();
      const path = uniquePath();
      expect(await mirror.head(path)).toBeUndefined();
      expect(await mirror.read(path)).toBeUndefined();
    });

    test.each(
      ['', UNICODE, '\uFEFF# Title\r\n\u0000end\r\n', '支付🚀 '.repeat(95_000)].map((text) => [text]),
    )('R3.2 a text is kept byte for byte, with its item (%#)', async (text) => {
      const { mirror, path, item_id, etag } = await stored(text);
      expect((await mirror.read(path)) === text).toBe(true);
      expect(await mirror.head(path)).toEqual({ item_id, etag });
      expect(etag).not.toBe('');
    });

    test.each(FILENAMES)('R3.7 a path that ends in %s is its own object', async (filename) => {
      const { mirror, path, item_id, etag } = await stored('text', uniquePath(filename));
      expect(await mirror.head(path)).toEqual({ item_id, etag });
      expect(await mirror.read(path)).toBe('text');
      expect(await mirror.head(`${path}x`)).toBeUndefined();
      expect(await mirror.remove(path, etag)).toBe(true);
      expect(await mirror.head(path)).toBeUndefined();
    });

    test('R3.5 a first write is refused where an object is', async () => {
      const { mirror, path, item_id, etag } = await stored();
      expect(await mirror.put(path, uniqueId(), 'B', undefined)).toBe(false);
      expect(await mirror.read(path)).toBe('A');
      expect(await mirror.head(path)).toEqual({ item_id, etag });
    });

    test('R3.5 an object is written over if its ETag is the one read', async () => {
      const { mirror, path, etag } = await stored();
      const successor = uniqueId();
      expect(await mirror.put(path, successor, 'B', etag)).toBe(true);
      expect(await mirror.read(path)).toBe('B');
      const head = await mirror.head(path);
      expect(head?.item_id).toBe(successor);
      expect(head?.etag).not.toBe(etag);
    });

    test('R3.5 a write on an ETag that is no longer there is refused', async () => {
      const { mirror, path, etag } = await stored();
      const successor = uniqueId();
      await mirror.put(path, successor, 'B', etag);
      expect(await mirror.put(path, uniqueId(), 'C', etag)).toBe(false);
      expect(await mirror.read(path)).toBe('B');
      expect((await mirror.head(path))?.item_id).toBe(successor);
    });

    test('R3.5 the same text of another item is written all the same', async () => {
      const { mirror, path, etag } = await stored();
      const successor = uniqueId();
      expect(await mirror.put(path, successor, 'A', etag)).toBe(true);
      expect((await mirror.head(path))?.item_id).toBe(successor);
    });

    test('R3.5 after A, B and A again the ETag read last is the one to write on', async () => {
      const { mirror, path, etag } = await stored();
      await mirror.put(path, uniqueId(), 'B', etag);
      const last = uniqueId();
      expect(await mirror.put(path, last, 'A', (await mirror.head(path))?.etag)).toBe(true);
      // Whether the ETag is that of the first A is left open: on S3 it is.
      const head = await mirror.head(path);
      expect(head?.item_id).toBe(last);
      expect(await mirror.put(path, uniqueId(), 'C', head?.etag)).toBe(true);
      expect(await mirror.read(path)).toBe('C');
    });

    test('R3.6 a write on the ETag of an object that is gone is refused', async () => {
      const { mirror, path, etag } = await stored();
      await mirror.remove(path, etag);
      expect(await mirror.put(path, uniqueId(), 'B', etag)).toBe(false);
      expect(await mirror.head(path)).toBeUndefined();
      expect(await mirror.put(path, uniqueId(), 'B', undefined)).toBe(true);
      expect(await mirror.read(path)).toBe('B');
    });

    test('R3.5 of first writes at once exactly one wins', async () => {
      const mirror = await make();
      const path = uniquePath();
      const ids = Array.from({ length: 8 }, () => uniqueId());
      const won = await together(8, (n) => mirror.put(path, ids[n]!, `text ${n}`, undefined));
      expect(won.filter(Boolean)).toHaveLength(1);
      expect(await mirror.read(path)).toBe(`text ${won.indexOf(true)}`);
      expect((await mirror.head(path))?.item_id).toBe(ids[won.indexOf(true)]);
    });

    test('R3.5 of writes at once on one ETag exactly one wins', async () => {
      const { mirror, path, etag } = await stored();
      const won = await together(8, (n) => mirror.put(path, uniqueId(), `text ${n}`, etag));
      expect(won.filter(Boolean)).toHaveLength(1);
      expect(await mirror.read(path)).toBe(`text ${won.indexOf(true)}`);
    });

    test('R3.6 an object is removed if its ETag is the one read', async () => {
      const { mirror, path, item_id, etag } = await stored();
      await mirror.put(path, item_id, 'B', etag);
      expect(await mirror.remove(path, etag)).toBe(false);
      expect(await mirror.read(path)).toBe('B');
      expect(await mirror.remove(path, (await mirror.head(path))!.etag)).toBe(true);
      expect(await mirror.head(path)).toBeUndefined();
      expect(await mirror.read(path)).toBeUndefined();
    });

    test('R3.6 of a write and removals at once on one ETag exactly one wins', async () => {
      const { mirror, path, etag } = await stored();
      const won = await together(4, (n) =>
        n === 0 ? mirror.put(path, uniqueId(), 'B', etag) : mirror.remove(path, etag),
      );
      expect(won.filter(Boolean)).toHaveLength(1);
      expect(await mirror.read(path)).toBe(won[0] ? 'B' : undefined);
    });

    test('R4.8 paths are listed page by page, each once and as they were written', async () => {
      const mirror = await make();
      const category = `contract-${uniqueHex()}`;
      const paths = FILENAMES.map((filename) => `${category}/${filename}`);
      for (const path of paths) await mirror.put(path, uniqueId(), 'text', undefined);
      await eventually(async () => [...(await own(mirror, category, 3))].sort(), [...paths].sort());
    });

    test('R4.8 a page is short only at the end, and starts after the path given', async () => {
      const mirror = await make();
      const category = `contract-${uniqueHex()}`;
      const paths = ['a', 'b', 'c', 'd', 'e'].map((filename) => `${category}/${filename}`);
      for (const path of paths) await mirror.put(path, uniqueId(), 'text', undefined);
      await eventually(() => mirror.list(`${category}/`, 5), paths);
      expect(await mirror.list(paths[0]!, 2)).toEqual(paths.slice(1, 3));
      expect((await mirror.list(paths[3]!, 1))[0]).toBe(paths[4]);
      expect((await mirror.list('', 1)).length).toBe(1);
    });

    test('R4.8 a path whose object is gone is not listed', async () => {
      const { mirror, path, etag } = await stored();
      const category = path.split('/')[0]!;
      const stays = `${category}/stays.md`;
      await mirror.put(stays, uniqueId(), 'text', undefined);
      await mirror.remove(path, etag);
      await eventually(() => own(mirror, category, MANY), [stays]);
    });
  });
}

/** All paths of a category, read from the very beginning in pages. */
async function own(mirror: Mirror, category: string, limit: number): Promise<string[]> {
  const all: string[] = [];
  for (let after = ''; ; ) {
    const page = await mirror.list(after, limit);
    if (page.length > limit) throw new Error(`a page of ${page.length} was asked to be ${limit} long`);
    if (page.length === 0) return all.filter((path) => path.startsWith(`${category}/`));
    all.push(...page);
    after = page.at(-1)!;
  }
}
