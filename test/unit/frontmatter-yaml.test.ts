import { expect, test } from 'vitest';
import { readYaml } from '#lib/core/frontmatter-yaml.ts';

const mapping = (entries: Record<string, unknown>, warnings: string[] = []) => ({
  kind: 'mapping',
  entries: new Map(Object.entries(entries)),
  warnings,
});

test.each([
  ['', 'nothing'],
  ['# only a comment', 'nothing'],
  ['Prose', 'other'],
  ['- a', 'other'],
  ['""', 'other'],
  ['%TAG', 'broken'],
  ['a: b: c', 'broken'],
  ['a: *b', 'broken'],
  ['a: b\n--- c', 'broken'],
  ['a: &b [*b]', 'broken'],
])('R3.3 what is no mapping says what it is instead: %j', (yaml, kind) => {
  expect(readYaml(yaml)).toEqual({ kind });
});

test.each([
  ['a key without a value', '? title', mapping({ title: '' })],
  ['a directive of YAML is no field and no warning', '%FOO bar\n--- {a: b}', mapping({ a: 'b' })],
  ['a null with a tag is the word that it is', 'a: !!str null', mapping({ a: 'null' })],
  ['a null in a mapping is nothing', 'a: {b: Null, c: NULL}', mapping({ a: { b: '', c: '' } })],
  ['a quoted wiki link is a text', 'title: "[[a]]"', mapping({ title: '[[a]]' })],
  [
    'a wiki link is a title, and a list of lists under a key that nobody knows',
    'title: [[a]]\nx: [[a]]',
    mapping({ title: '[[a]]', x: [['a']] }, ['recovered:title']),
  ],
  ['a list is no title', 'title: [a]', mapping({ title: ['a'] })],
  ['a list over lines is no wiki link', 'title: [[a,\n  b]]', mapping({ title: [['a', 'b']] })],
  ['an alias of a mapping', 'a: &x {b: c}\nd: *x', mapping({ a: { b: 'c' }, d: { b: 'c' } })],
])('R3.3 %s', (_, yaml, reading) => {
  expect(readYaml(yaml)).toEqual(reading);
});

test.each([
  ['a list', '- [x, y]', ['x', 'y']],
  ['an alias', '- *q', 'w'],
  ['a mapping over lines', '- a: b\n  c: d', { a: 'b', c: 'd' }],
  ['a mapping in braces', '- {e: f}', { e: 'f' }],
  ['null as a word', '- null', 'null'],
])('R3.3 beside a label with a colon no other item is lost: %s', (_, item, read) => {
  expect(readYaml(`p: &q w\ncovers:\n- Redis: full\n${item}\n- z`)).toEqual(
    mapping({ p: 'w', covers: ['Redis: full', read, 'z'] }, ['recovered:covers']),
  );
});

test.each([
  ['text', (length: number) => 'v'.repeat(length), 16_383],
  ['list', (length: number) => `[k, ${'v'.repeat(length)}]`, 16_380],
  ['mapping', (length: number) => `{k: ${'v'.repeat(length)}}`, 16_380],
])('R3.3 aliases may add 16,384 nodes and characters, and no more: %s', (_, written, most) => {
  expect(readYaml(`a: &x ${written(most)}\nb: *x`).kind).toBe('mapping');
  expect(readYaml(`a: &x ${written(most + 1)}\nb: *x`)).toEqual({ kind: 'refused' });
});

test('R3.3 a value may lie 62 lists or mappings deep, and no deeper', () => {
  const lists = (depth: number) => `${'['.repeat(depth)}x${']'.repeat(depth)}`;
  const mappings = (depth: number) => `${'{a: '.repeat(depth)}x${'}'.repeat(depth)}`;
  for (const nested of [lists, mappings]) {
    expect(readYaml(`a: ${nested(62)}`).kind).toBe('mapping');
    expect(readYaml(`a: ${nested(63)}`)).toEqual({ kind: 'refused' });
  }
  expect(readYaml(`? ${lists(63)}`)).toEqual({ kind: 'refused' });
});
