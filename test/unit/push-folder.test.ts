import { mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { sha256 } from '#lib/core/normalise.ts';
import { isSameAsFile, loadText, readFolder } from '../../bin/support/push-folder.ts';

let root: string;
beforeEach(async () => {
  root = await mkdtemp(join(tmpdir(), 'knowhub-push-'));
});
afterEach(() => rm(root, { recursive: true, force: true }));

async function lay(files: Record<string, string | Buffer>): Promise<void> {
  for (const [path, content] of Object.entries(files)) {
    await mkdir(dirname(join(root, path)), { recursive: true });
    await writeFile(join(root, path), content);
  }
}

const named = async () =>
  (await readFolder(root)).files.map(({ origin, category, filename }) => [origin, `${category}/${filename}`]);

test('R3.7 the first folder is the category, deeper ones join the file name, in the order of names', async () => {
  await lay({ 'b/x.md': 'x', 'a/deep/er/y.md': 'y', 'top.md': 't', 'a/a.md': 'a', '支付/超时 排查.md': 'z' });
  expect(await named()).toEqual([
    ['a/a.md', 'a/a.md'],
    ['a/deep/er/y.md', 'a/deep__er__y.md'],
    ['b/x.md', 'b/x.md'],
    ['top.md', 'general/top.md'],
    ['支付/超时 排查.md', '支付/超时 排查.md'],
  ]);
});

test('R3.7 what looks like Markdown is taken, by its ending or its fence; the rest is named with the reason', async () => {
  await lay({
    'd/a.markdown': 'a',
    'd/b.mdx': 'b',
    'd/c.TXT': 'c',
    'd/README': 'd',
    'd/page.html': '---\ntitle: T\n---\ntext',
    'd/rows.tsv': 'a\tb',
    'd/LICENSE': 'may be copied',
    'd/.hidden.md': 'h',
    '.todo/e.md': 'e',
    '.git/f.md': 'f',
    'd/node_modules/p/README.md': 'g',
  });
  await symlink(join(root, 'd/a.markdown'), join(root, 'd/link.md'));
  await symlink(root, join(root, 'd/loop'));
  await symlink(join(root, 'nowhere.md'), join(root, 'd/broken.md'));
  const { files, skipped, unreadable } = await readFolder(root);
  expect(files.map(({ origin }) => origin)).toEqual([
    '.todo/e.md',
    'd/.hidden.md',
    'd/README',
    'd/a.markdown',
    'd/b.mdx',
    'd/c.TXT',
    'd/link.md',
    'd/page.html',
  ]);
  expect(skipped).toEqual([
    { origin: '.git/', why: 'holds no documents' },
    { origin: 'd/LICENSE', why: 'not Markdown' },
    { origin: 'd/broken.md', why: 'a link to nothing' },
    { origin: 'd/loop', why: 'a link to a folder' },
    { origin: 'd/node_modules/', why: 'holds no documents' },
    { origin: 'd/rows.tsv', why: 'not Markdown' },
  ]);
  expect(unreadable).toEqual([]);
});

test('R3.7 a link that leads out of the folder is left alone', async () => {
  const outside = await mkdtemp(join(tmpdir(), 'knowhub-outside-'));
  try {
    await writeFile(join(outside, 'secret.md'), 's');
    await lay({ 'd/a.md': 'a' });
    await symlink(join(outside, 'secret.md'), join(root, 'd/link.md'));
    const { files, skipped } = await readFolder(root);
    expect(files.map(({ origin }) => origin)).toEqual(['d/a.md']);
    expect(skipped).toEqual([{ origin: 'd/link.md', why: 'a link out of the folder' }]);
  } finally {
    await rm(outside, { recursive: true });
  }
});

test('R3.7 two files never get one path: the second carries the hash of its origin', async () => {
  const long = '长'.repeat(196);
  await lay({
    'a/b/c.md': '1',
    'a/b__c.md': '2',
    'a/\u30cf\u309a.md': '3',
    'a/\u30d1.md': '4',
    [`a/${long.slice(0, 80)}.md`]: '5',
  });
  const mark = (origin: string) => sha256(origin).slice(0, 8);
  expect(await named()).toEqual([
    ['a/b/c.md', 'a/b__c.md'],
    ['a/b__c.md', `a/b__c-${mark('a/b__c.md')}.md`],
    ['a/\u30cf\u309a.md', 'a/\u30d1.md'],
    ['a/\u30d1.md', `a/\u30d1-${mark('a/\u30d1.md')}.md`],
    [`a/${long.slice(0, 80)}.md`, `a/${long.slice(0, 80)}.md`],
  ]);
});

test('R3.7 474 files of real repositories are all taken, each with a path of its own', async () => {
  const { files, skipped } = await readFolder('../shared/data/markdown');
  const documents = files.filter(({ origin }) => origin !== 'SOURCE.md');
  expect(documents).toHaveLength(474);
  expect(new Set(documents.map(({ category, filename }) => `${category}/${filename}`)).size).toBe(474);
  expect(skipped).toEqual([{ origin: 'MANIFEST.tsv', why: 'not Markdown' }]);
});

test('R3.7 bytes that are not UTF-8 are refused, nothing is guessed; a byte-order mark stays', async () => {
  await lay({
    'latin1.md': Buffer.from('caf\xe9', 'latin1'),
    'utf16.md': Buffer.from('\ufeffabc', 'utf16le'),
    'large.md': 'x'.repeat(101),
    'bom.md': '\ufeffabc\r\n',
  });
  const load = (name: string) => loadText(join(root, name), 100);
  expect(await load('latin1.md')).toEqual({ kind: 'refused', why: 'not UTF-8 text' });
  expect((await load('utf16.md')).kind).toBe('refused');
  expect(await load('large.md')).toEqual({ kind: 'refused', why: 'too large: 101 bytes; the limit is 100' });
  expect(await load('bom.md')).toEqual({ kind: 'text', text: '\ufeffabc\r\n' });
  expect(await load('gone.md')).toEqual({ kind: 'failed', why: 'cannot be read: ENOENT' });
});

test('R3.2 what is stored is compared with the file byte for byte', async () => {
  await lay({ 'a.md': '\ufeffabc\r\n' });
  const file = join(root, 'a.md');
  expect(await isSameAsFile(file, '\ufeffabc\r\n')).toBe(true);
  expect(await isSameAsFile(file, 'abc\r\n')).toBe(false);
  expect(await isSameAsFile(file, '\ufeffabc\n')).toBe(false);
  expect(await isSameAsFile(file, undefined)).toBe(false);
  expect(await isSameAsFile(join(root, 'gone.md'), '')).toBe(false);
});

test('a folder that cannot be read is named, and the rest goes on', async () => {
  await lay({ 'open/b.md': 'b' });
  // A name that is not UTF-8 cannot be opened by the text that stands for it.
  await mkdir(Buffer.concat([Buffer.from(`${root}/`), Buffer.from('caf\xe9', 'latin1')]));
  const { files, unreadable } = await readFolder(root);
  expect(files.map(({ origin }) => origin)).toEqual(['open/b.md']);
  expect(unreadable).toEqual([{ origin: 'caf\ufffd/', why: 'cannot be read: ENOENT' }]);
});
