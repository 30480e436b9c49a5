import { readdirSync } from 'node:fs';
import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { flattenName } from '#lib/core/flatten-name.ts';
import { documentPath } from '#lib/core/names.ts';
import { sha256 } from '#lib/core/normalise.ts';

const mark = (origin: string) => sha256(origin).slice(0, 8);

const pathOf = (file: string) => {
  const { category, filename } = flattenName(file);
  return documentPath(category, filename);
};

test.each([
  ['payment/timeout.md', 'payment/timeout.md'],
  ['./payment//timeout.MD', 'payment/timeout.MD'],
  ['README.md', 'general/README.md'],
  ['docs/api/v2/errors.md', 'docs/api__v2__errors.md'],
  ['支付/超时 排查.md', '支付/超时 排查.md'],
  ['a/notes.markdown', 'a/notes.markdown.md'],
  ['a/notes.txt', 'a/notes.txt.md'],
  ['a/b/LICENSE', 'a/b__LICENSE.md'],
  ['a/__init__.md', 'a/__init__.md'],
])('R3.7 %s is pushed as %s', (file, path) => {
  expect(pathOf(file)).toBe(path);
});

test.each([
  ['payment/a\\b.md', `payment/a_b-${mark('payment/a\\b.md')}.md`],
  ['../x.md', `_-${mark('..')}/x.md`],
  ['\u200b\u200b/x.md', `_-${mark('\u200b\u200b')}/x.md`],
  ['*/x.md', `_-${mark('*')}/x.md`],
  ['a / b.md', `a_-${mark('a ')}/_b-${mark('a / b.md')}.md`],
  ['a/b/c__d.md', `a/b__c__d-${mark('a/b/c__d.md')}.md`],
  ['a/b_/c.md', `a/b___c-${mark('a/b_/c.md')}.md`],
  ['\u3000.md', `general/_-${mark('\u3000.md')}.md`],
])('R3.7 %j had to be changed, so it carries the hash of its origin', (file, path) => {
  expect(pathOf(file)).toBe(path);
});

test('R3.7 long names are cut and stay unique; files of one folder stay together', () => {
  const folder = '长'.repeat(70);
  const [one, two] = ['一', '二'].map((end) => flattenName(`${folder}/${'名'.repeat(220)}${end}.md`));
  expect(one?.category).toBe(`${'长'.repeat(55)}-${mark(folder)}`);
  expect(two?.category).toBe(one?.category);
  expect(one?.filename).toBe(`${'名'.repeat(188)}-${mark(`${folder}/${'名'.repeat(220)}一.md`)}.md`);
  expect(two?.filename).not.toBe(one?.filename);
  expect(pathOf(`${'😀'.repeat(64)}/${'😀'.repeat(197)}.md`)).toBe(
    `${'😀'.repeat(64)}/${'😀'.repeat(182)}-${mark(`${'😀'.repeat(64)}/${'😀'.repeat(197)}.md`)}.md`,
  );
});

test('R3.7 every file of any folder gets a path', () => {
  const segment = fc.oneof(
    fc.string({ unit: 'binary', maxLength: 300 }),
    fc.constantFrom('.', '..', '*', ' ', '__', 'general', '.md', 'a.md', '\ufeff', '😀'.repeat(260)),
  );
  fc.assert(
    fc.property(fc.array(segment, { maxLength: 5 }), (segments) => {
      const path = pathOf(segments.join('/'));
      expect(path).toMatch(/\.md$/i);
    }),
    { numRuns: 500 },
  );
});

test('R3.7 a name that is a path already stays as it is', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'grapheme' }), fc.string({ unit: 'grapheme' }), (folder, stem) => {
      let path: string;
      try {
        path = documentPath(folder, `${stem}.md`);
      } catch {
        return;
      }
      fc.pre(folder !== '.');
      expect(pathOf(path)).toBe(path);
    }),
  );
});

test('R3.7 474 files of real repositories get 474 paths', () => {
  const files = readdirSync('../shared/data/markdown', { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && entry.name !== 'MANIFEST.tsv' && entry.name !== 'SOURCE.md')
    .map((entry) => `${entry.parentPath}/${entry.name}`.slice('../shared/data/markdown/'.length));
  expect(files).toHaveLength(474);
  expect(new Set(files.map(pathOf)).size).toBe(474);
});
