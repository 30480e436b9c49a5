import { readFileSync } from 'node:fs';
import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { InvalidInput } from '#lib/core/errors.ts';
import { ItemId } from '#lib/core/item.ts';
import {
  categoryName,
  decodeUtf8,
  documentPath,
  fromEventBridge,
  fromS3Notification,
  fromUrl,
  isBlank,
  itemId,
} from '#lib/core/names.ts';

interface Case {
  id: string;
  from: 's3-notification' | 'eventbridge' | 'http' | 'body';
  key?: string;
  url?: string;
  category?: string;
  filename?: string;
  path?: string;
  error?: string;
  quarantine?: boolean;
  ignored?: boolean;
  distinct_from?: string;
}

const cases: Case[] = JSON.parse(readFileSync('../shared/cases/names.json', 'utf8'));
const named = (id: string): Case => cases.find((one) => one.id === id) ?? expect.fail(`no case ${id}`);

/** The field that a call's InvalidInput names. */
function refused(call: () => unknown): string | undefined {
  try {
    call();
  } catch (error) {
    if (error instanceof InvalidInput) return error.field;
    throw error;
  }
  return undefined;
}

const inbox = (one: Case) =>
  one.from === 'eventbridge' ? fromEventBridge(one.key ?? '') : fromS3Notification(one.key ?? '');

test.each(['N1', 'N2', 'N3', 'N4', 'N5'])('R3.7 %s the inbox key names its document', (id) => {
  const path = named(id).path ?? '';
  const [category = '', filename = ''] = path.split('/');
  expect(inbox(named(id))).toEqual({ kind: 'document', key: `inbox/${path}`, category, filename, path });
});

test('R3.7 N6 a URL names its document, percent decoded once and plus kept', () => {
  const { url = '', path } = named('N6');
  expect(fromUrl(url)).toBe(path);
  expect(fromUrl('payment/a+b%252B.md')).toBe('payment/a+b%2B.md');
  expect(refused(() => fromUrl('/api/documents/payment'))).toBe('path');
  expect(refused(() => fromUrl('/api/documents/payment%2F%FF.md'))).toBe('path');
  expect(refused(() => fromUrl('/api/documents/payment/a%2Fb.md'))).toBe('filename');
});

test('R3.7 N7 composed and decomposed names are one document', () => {
  expect(named('N7').category).toBe('支付');
  expect(documentPath('支付', '\u30cf\u309a.md')).toBe('支付/\u30d1.md');
});

test.each(['N8', 'N9', 'N10'])('R3.7 %s the refused field is named', (id) => {
  const { category = '', filename = '', error } = named(id);
  expect(refused(() => documentPath(category, filename))).toBe(error);
});

test.each([
  ['N11', 'category: the file lies in no category folder'],
  ['N12', 'filename: folders inside a category are not read'],
  ['N13', 'filename: filename does not end in .md or .markdown'],
])('R3.1 %s goes to quarantine with its reason', (id, reason) => {
  expect(named(id).quarantine).toBe(true);
  expect(inbox(named(id))).toEqual({ kind: 'quarantine', key: named(id).key, reason });
});

test('R3.1 N14 the folder marker of the console is ignored, as is what lies outside the inbox', () => {
  expect(named('N14').ignored).toBe(true);
  expect(inbox(named('N14'))).toEqual({ kind: 'ignored', key: 'inbox/payment/' });
  expect(fromEventBridge('bodies/a.md')).toEqual({ kind: 'ignored', key: 'bodies/a.md' });
});

test('R3.7 N15 bytes that are not UTF-8 are not guessed at, and UTF-8 comes back byte for byte', () => {
  expect(inbox(named('N15')).kind).toBe('document');
  expect(decodeUtf8(Uint8Array.from([0x63, 0x61, 0x66, 0xe9]))).toBeUndefined();
  fc.assert(
    fc.property(fc.string({ unit: 'binary' }), (text) => {
      const bytes = new TextEncoder().encode(`\ufeff${text}`);
      expect(new TextEncoder().encode(decodeUtf8(bytes))).toEqual(bytes);
    }),
  );
});

test('R3.7 N16 a text that shows nothing is blank', () => {
  expect(inbox(named('N16')).kind).toBe('document');
  expect(['', ' \t\r\n', '\u3000\u00a0', '\ufeff', '\u200b\n', '\0'].map(isBlank)).toEqual(
    new Array(6).fill(true),
  );
  expect(['a', ' 。', '\n😀', '-'].map(isBlank)).toEqual([false, false, false, false]);
});

test('R3.7 N17 two Chinese names never become one key', () => {
  const { category = '', filename = '', distinct_from } = named('N17');
  expect(documentPath(category, filename)).toBe('苹果/a.md');
  expect(documentPath(category, filename)).not.toBe(distinct_from);
});

test('R3.7 every case of names.json is a test above', () => {
  expect(cases.map((one) => one.id)).toEqual(Array.from({ length: 17 }, (_, n) => `N${n + 1}`));
});

test('R3.7 a key that is not decodable goes to quarantine as it came', () => {
  expect(fromS3Notification('inbox/payment/%FF.md')).toEqual({
    kind: 'quarantine',
    key: 'inbox/payment/%FF.md',
    reason: 'key: its percent-encoding is not UTF-8',
  });
});

test.each([
  ['', 'category'],
  ['  ', 'category'],
  [' a', 'category'],
  ['a\u3000', 'category'],
  ['.', 'category'],
  ['*', 'category'],
  ['a/b', 'category'],
  ['a\\b', 'category'],
  ['a\u0085b', 'category'],
  ['a\ud800', 'category'],
  ['支'.repeat(65), 'category'],
])('R3.7 the category %j is refused', (category, field) => {
  expect(refused(() => documentPath(category, 'a.md'))).toBe(field);
  expect(refused(() => categoryName(category, 'domain'))).toBe('domain');
});

test.each(['', ' ', 'a.txt', 'md', 'a.md ', '\ufeffa.md', 'a\n.md', 'a\u2028.md', '..', 'a/b.md', 'a\\b.md'])(
  'R3.7 the filename %j is refused',
  (filename) => {
    expect(refused(() => documentPath('payment', filename))).toBe('filename');
  },
);

test('R3.7 limits count characters, and S3 has its own in bytes', () => {
  const longest = `${'文'.repeat(197)}.md`;
  expect(documentPath('类'.repeat(64), longest)).toBe(`${'类'.repeat(64)}/${longest}`);
  expect(refused(() => documentPath('a', `文${longest}`))).toBe('filename');
  expect(documentPath('😀'.repeat(64), 'a.MARKDOWN')).toBe(`${'😀'.repeat(64)}/a.MARKDOWN`);
  expect(refused(() => documentPath('😀'.repeat(64), `${'😀'.repeat(197)}.md`))).toBe('filename');
});

test.each([
  ['', 'category is blank'],
  ['a'.repeat(65), 'category is longer than 64 characters'],
  ['a\nb', 'category contains a control character'],
  ['a/b', 'category contains a slash or backslash'],
  ['..', 'category is a relative folder'],
  [' a', 'category begins or ends with a blank'],
  ['*', 'category "*" stands for no domain'],
])('R3.7 whoever chose the category %j is told why it cannot be', (category, message) => {
  expect(() => documentPath(category, 'a.md')).toThrow(new InvalidInput('category', message));
});

test('R3.7 a path may have 1,000 bytes', () => {
  const folder = '😀'.repeat(64);
  const longest = `${'😀'.repeat(185)}.md`;
  expect(new TextEncoder().encode(documentPath(folder, longest))).toHaveLength(1000);
  expect(() => documentPath(folder, `x${longest}`)).toThrow(
    new InvalidInput('filename', 'path is longer than 1000 bytes'),
  );
});

test.each([
  ['a.md', 'path', 'path is not {category}/{filename}, percent-encoded'],
  ['%FF/a.md', 'path', 'path is not {category}/{filename}, percent-encoded'],
  ['', 'path', 'path is not {category}/{filename}, percent-encoded'],
  ['/a.md', 'category', 'category is blank'],
  ['payment/', 'filename', 'filename is blank'],
])('R3.7 the URL path %j names no document', (url, field, message) => {
  expect(() => fromUrl(url)).toThrow(new InvalidInput(field, message));
  expect(refused(() => fromUrl(url))).toBe(field);
});

test('R3.7 a path is its own name: it passes again unchanged, through every way in', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'grapheme' }), fc.string({ unit: 'binary' }), (category, stem) => {
      let path: string;
      try {
        path = documentPath(category, `${stem}.md`);
      } catch (error) {
        expect(error).toBeInstanceOf(InvalidInput);
        return;
      }
      const encoded = encodeURIComponent(path);
      expect(fromUrl(`/api/documents/${encoded}`)).toBe(path);
      expect(fromEventBridge(`inbox/${path}`)).toMatchObject({ kind: 'document', path });
      expect(fromS3Notification(`inbox/${encoded.replaceAll('%20', '+')}`)).toMatchObject({ path });
    }),
  );
});

test('R2.1 an id tells the second in UTC', () => {
  expect(itemId(1767225599.9, '0a1b2c3d')).toBe('knowledge-20251231-235959-0a1b2c3d');
  expect(itemId(0, 'ffffffff')).toBe('knowledge-19700101-000000-ffffffff');
  expect(ItemId.parse(itemId(1767225600, '0a1b2c3d'))).toBe('knowledge-20260101-000000-0a1b2c3d');
});
