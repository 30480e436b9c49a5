import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { documentFields, parseFrontmatter } from '#lib/core/frontmatter.ts';
import { LIMITS, utf8Bytes } from '#lib/core/limits.ts';

const read = (yaml: string) => {
  const { fields, warnings } = parseFrontmatter(`---\n${yaml}\n---\n`);
  return documentFields(fields, warnings);
};

test('R2.2 the known fields are read, and every field is kept in the metadata as written', () => {
  expect(
    read(
      'title: Pool: full\nsummary: |\n  Two\n  lines\nkeywords: a, b\ncovers: [c]\nwhen_to_retrieve: Now\ncategory: infra\nscopes: org:a, org:b\nowner: agent:x\ndate: 2025-10-24',
    ),
  ).toEqual({
    authored: {
      title: 'Pool: full',
      summary: 'Two\nlines',
      keywords: ['a', 'b'],
      covers: ['c'],
      when_to_retrieve: 'Now',
    },
    category: 'infra',
    scopes: ['org:a', 'org:b'],
    owner: 'agent:x',
    metadata:
      '{"title":"Pool: full","summary":"Two\\nlines\\n","keywords":["a","b"],"covers":["c"],"when_to_retrieve":"Now","category":"infra","scopes":"org:a, org:b","owner":"agent:x","date":"2025-10-24"}',
    warnings: ['recovered:title'],
  });
});

test('R3.3 without frontmatter nothing is written', () => {
  expect(documentFields(null)).toEqual({ authored: {}, metadata: '{}', warnings: [] });
  expect(documentFields(null, ['malformed'])).toEqual({
    authored: {},
    metadata: '{}',
    warnings: ['malformed'],
  });
});

test('R3.2 a blank value counts as not written', () => {
  const yaml =
    'title: "  "\nsummary:\nkeywords: []\ncovers: " ,、"\nwhen_to_retrieve: ~\ncategory:\nscopes: []\nowner: ""';
  expect(read(yaml)).toEqual({
    authored: {},
    metadata:
      '{"title":"  ","summary":"","keywords":[],"covers":[],"when_to_retrieve":"","category":"","scopes":[],"owner":""}',
    warnings: [],
  });
});

test('R3.7 a value of the wrong type is left out with a warning', () => {
  const { authored, warnings } = read(
    'title: {a: b}\nsummary: [a]\nkeywords: {a: b}\ncovers: [{a: b}, c]\nowner: [x]',
  );
  expect(authored).toEqual({ covers: ['c'] });
  expect(warnings).toEqual([
    'not_text:title',
    'not_text:summary',
    'not_text:keywords',
    'not_text:covers',
    'not_text:owner',
  ]);
});

test('R3.7 what is too long is cut with a warning, and never within a character', () => {
  const { authored, warnings } = documentFields({
    title: `${'😀'.repeat(200)}x`,
    summary: 's'.repeat(2001),
    keywords: Array.from({ length: 51 }, (_, n) => `k${n}`),
    covers: [`${'字'.repeat(64)}x`, `${'字'.repeat(64)}y`, 'short'],
    when_to_retrieve: `${'w'.repeat(999)} w`,
  });
  expect(authored).toEqual({
    title: '😀'.repeat(200),
    summary: 's'.repeat(2000),
    keywords: Array.from({ length: 50 }, (_, n) => `k${n}`),
    covers: ['字'.repeat(64), 'short'],
    when_to_retrieve: 'w'.repeat(999),
  });
  expect(warnings).toEqual([
    'cut:title',
    'cut:summary',
    'cut:keywords',
    'cut:covers',
    'cut:when_to_retrieve',
  ]);
});

test('R3.7 what fits exactly is not cut, and a label stands once, on one line', () => {
  const keywords = [...Array.from({ length: 50 }, (_, n) => `k${n}`), 'k0', ' k1'];
  expect(documentFields({ title: 't'.repeat(200), keywords, covers: ['a\n\0 b', 'a b'] })).toMatchObject({
    authored: { title: 't'.repeat(200), keywords: keywords.slice(0, 50), covers: ['a b'] },
    warnings: [],
  });
});

test('R3.7 only the summary keeps its lines, and only its outer blanks go', () => {
  const lines = ' a\n\tb ';
  expect(
    documentFields({
      title: lines,
      summary: lines,
      when_to_retrieve: lines,
      category: lines,
      owner: lines,
      keywords: [lines, '\0', ' '],
      covers: '\0',
    }),
  ).toMatchObject({
    authored: { title: 'a b', summary: 'a\n\tb', keywords: ['a b'], when_to_retrieve: 'a b' },
    category: 'a b',
    owner: 'a b',
    warnings: [],
  });
});

test('R3.7 a cut label ends in no blank, and stands once', () => {
  const word = 'w'.repeat(63);
  expect(documentFields({ keywords: [`${word} w`, word, `${word} x`], covers: [word] })).toMatchObject({
    authored: { keywords: [word], covers: [word] },
    warnings: ['cut:keywords'],
  });
});

test('R6.8 a scope that cannot be read hides the document instead of showing it to everyone', () => {
  expect(read('scopes: {org: a}')).toMatchObject({ scopes: ['{"org":"a"}'], warnings: ['not_text:scopes'] });
  expect(read('scopes: org: a')).toMatchObject({ scopes: ['org: a'], warnings: ['recovered:scopes'] });
});

test('R2.1 metadata over 64 KB is cut to the known fields, and to the limited ones beyond', () => {
  const notes = 'n'.repeat(70_000);
  expect(documentFields({ title: 'T', notes, category: 'c' })).toEqual({
    authored: { title: 'T' },
    category: 'c',
    metadata: '{"title":"T","category":"c"}',
    warnings: ['cut:metadata'],
  });
  expect(documentFields({ title: 'T', scopes: [notes] })).toMatchObject({
    scopes: [notes],
    metadata: '{"title":"T"}',
    warnings: ['cut:metadata'],
  });
  const exact = { notes: 'n'.repeat(LIMITS.metadata_bytes - '{"notes":""}'.length) };
  expect(documentFields(exact)).toMatchObject({ metadata: JSON.stringify(exact), warnings: [] });
});

test('R3.7 whatever the fields, the limits hold', () => {
  const key = fc.constantFrom(
    'title',
    'summary',
    'keywords',
    'covers',
    'when_to_retrieve',
    'scopes',
    'owner',
    'category',
    'x',
  );
  const text = fc.string({ unit: 'binary', maxLength: 400 });
  const value = fc.oneof(
    text,
    fc.array(fc.oneof(text, fc.array(text)), { maxLength: 80 }),
    fc.dictionary(text, text),
  );
  fc.assert(
    fc.property(fc.dictionary(key, value), (fields) => {
      const { authored, metadata, owner = '', category = '' } = documentFields(fields);
      const length = (short: string) => [...short].length;
      expect(length(authored.title ?? '')).toBeLessThanOrEqual(200);
      expect((authored.keywords ?? []).length).toBeLessThanOrEqual(50);
      expect((authored.covers ?? []).length).toBeLessThanOrEqual(20);
      for (const label of [...(authored.keywords ?? []), ...(authored.covers ?? [])]) {
        expect(length(label)).toBeLessThanOrEqual(64);
        expect(label.trim()).toBe(label);
        expect(label).not.toBe('');
      }
      expect(length(owner)).toBeLessThanOrEqual(128);
      expect(length(category)).toBeLessThanOrEqual(64);
      expect(utf8Bytes(metadata)).toBeLessThanOrEqual(65_536);
      expect(typeof JSON.parse(metadata)).toBe('object');
    }),
  );
});
