import { expect, test } from 'vitest';
import { parseFrontmatter } from '#lib/core/frontmatter.ts';
import { recover } from '#lib/core/frontmatter-recovery.ts';

const read = (yaml: string) => {
  const { fields, warnings } = parseFrontmatter(`---\n${yaml}\n---\nBody.`);
  return { fields, warnings };
};

test.each([
  ['redis: list[0]', ['redis: list[0]']],
  ['[P1] redis: full, b', ['[P1] redis: full', 'b']],
  ['[[Gateway]] a: b', ['[[Gateway]] a: b']],
  ['a: b: [[Gateway]]', ['a: b: [[Gateway]]']],
  ['[a: b: c, d]', ['a: b: c', 'd']],
  ['[a: b: c, d[10]]', ['a: b: c', 'd[10]']],
  ['[a[10]: b: c, d', ['a[10]: b: c', 'd']],
  ['a: b: c[10], d]', ['a: b: c[10]', 'd']],
  ['a: ]b, c', ['a: ]b', 'c']],
  ['a - b: c, d', ['a - b: c', 'd']],
])(
  'R3.3 a list that is not YAML loses its own brackets, and no character of a label: %s',
  (written, labels) => {
    expect(read(`keywords: ${written}\nx: y`)).toEqual({
      fields: { keywords: labels, x: 'y' },
      warnings: ['recovered:keywords'],
    });
  },
);

test.each([
  ['a bracket inside one of the lines below', '\n  - @a[10]\n @b', ['@a[10]', '@b']],
  ['marks of items before labels with dashes', '\n  - a - b\n @c', ['a - b', '@c']],
])('R3.3 the lines of a list that nothing mends are its labels: %s', (_, written, labels) => {
  expect(read(`covers:${written}\nx: y`)).toEqual({
    fields: { covers: labels, x: 'y' },
    warnings: ['recovered:covers'],
  });
});

test.each([
  ['marks within it', 'R&D: x: y', 'R&D', 'x: y'],
  ['blanks before the colon', 'on call : *x*', 'on call', '*x*'],
  ['quotes round it', '"on call": *x*', 'on call', '*x*'],
  ['quotes at its end', 'the "x": *y', 'the "x"', '*y'],
  ['quotes at its start', '"x" y: *z', '"x" y', '*z'],
  ['100 characters', `${'k'.repeat(100)}: *x`, 'k'.repeat(100), '*x'],
])('R3.3 a key beside a value that is not YAML: %s', (_, line, key, value) => {
  expect(read(`${line}\nx: y`)).toEqual({ fields: { [key]: value, x: 'y' }, warnings: [`recovered:${key}`] });
});

test('R3.3 what stands before a colon and is longer than a key is text that wrapped', () => {
  const long = `${'k'.repeat(101)}: *x`;
  expect(read(`a: b\n${long}\nc: d`)).toEqual({
    fields: { a: `b ${long}`, c: 'd' },
    warnings: ['recovered:a'],
  });
});

test.each([
  ['a comment before an indented block', '# note\n  title: a: b', { title: 'a: b' }, ['recovered:title']],
  [
    'blank lines and comments at the top',
    '\n#note\n# x y\ntitle: a: b',
    { title: 'a: b' },
    ['recovered:title'],
  ],
  ['one key with one wrapped line', 'a: b: c\nand on', { a: 'b: c and on' }, ['recovered:a']],
  [
    'a comment below a line that nothing mends',
    '"a b: c\n# note\nx: y',
    { '"a b': 'c', x: 'y' },
    ['recovered:"a b'],
  ],
  [
    'a quoted value after a full-width colon',
    'title："a"\nx: b: c',
    { title: 'a', x: 'b: c' },
    ['recovered:title', 'recovered:x'],
  ],
  [
    'lines that wrap after a full-width colon',
    'summary：a \n  b: c: d\nx: y',
    { summary: 'a b: c: d', x: 'y' },
    ['recovered:summary'],
  ],
  ['lines below a key alone', 'n:\n  @a\n  @b\nx: y', { n: '@a\n  @b', x: 'y' }, ['recovered:n']],
  [
    'a list within a text keeps its lines',
    'n: steps\n  - first: a\n  then b\nx: y',
    { n: 'steps\n  - first: a\n  then b', x: 'y' },
    ['recovered:n'],
  ],
  [
    'a dash within wrapped text',
    'summary: a: b\n  c - d: e\nx: y',
    { summary: 'a: b c - d: e', x: 'y' },
    ['recovered:summary'],
  ],
  [
    'a blank line after one that nothing mends',
    'a: [b\n  c: {d\n\ne: f',
    { a: '[b\n  c: {d', e: 'f' },
    ['recovered:a'],
  ],
])('R3.3 the author meant: %s', (_, yaml, fields, warnings) => {
  expect(read(yaml)).toEqual({ fields, warnings });
});

test.each([
  ['an item at the margin', '\n- *a\n- b', ['*a', 'b']],
  ['a list in a list', '\n  - - *a\n    -   *b', [['*a', '*b']]],
  ['an item that is empty', '\n  - *a\n  - ', ['*a', '']],
  ['an empty key', '\n  : *a', { '': '*a' }],
  ['blanks round a value', '\n  a:   *b ', { a: '*b' }],
  ['an apostrophe', "\n  a: it's: x", { a: "it's: x" }],
  ['a mark of block text in a key', '\n  p>q:\n    a: *b', { 'p>q': { a: '*b' } }],
  ['a mark of block text within a value', '\n  - k: p>q\n    a: *b', [{ k: 'p>q', a: '*b' }]],
  [
    'a blank line in block text',
    '\n  s: |\n    a: b: c\n\n    d: e: f\n  t: x: y',
    { s: 'a: b: c\n\nd: e: f\n', t: 'x: y' },
  ],
  [
    'block text without its last line end',
    '\n  s: |-\n    a: *b: c\n  t: x: y',
    { s: 'a: *b: c', t: 'x: y' },
  ],
  ['folded text with its indentation', '\n  s: >2\n    a: *b: c\n  t: x: y', { s: 'a: *b: c\n', t: 'x: y' }],
  ['blanks after the mark of block text', '\n  s: |  \n    a: *b\n  t: x: y', { s: 'a: *b\n', t: 'x: y' }],
])('R3.3 in a nested value only the broken line is mended: %s', (_, yaml, value) => {
  expect(read(`n:${yaml}\nx: y`)).toEqual({ fields: { n: value, x: 'y' }, warnings: ['recovered:n'] });
});

test('R3.3 a mapping in place of a list of labels stays a mapping when a line of it is mended', () => {
  expect(read('covers:\n  a: *b\nx: y')).toEqual({
    fields: { covers: { a: '*b' }, x: 'y' },
    warnings: ['recovered:covers'],
  });
});

test('R3.3 where nothing can be read there is nothing to recover, and prose is no frontmatter', () => {
  expect(recover('')).toEqual({ kind: 'broken' });
  expect(recover('# only a comment')).toEqual({ kind: 'broken' });
  expect(recover('title: [a, b\n  x: {y')).toEqual({ kind: 'broken' });
  expect(recover('Prose\ntitle: a: b')).toEqual({ kind: 'other' });
});

test('R3.3 at most 1,000 lines are read one by one', () => {
  const lines = (count: number) => recover(`title: *a*${'\n'.repeat(count - 1)}`);
  expect(lines(1000)).toEqual({
    kind: 'mapping',
    entries: new Map([['title', '*a*']]),
    warnings: ['recovered:title'],
  });
  expect(lines(1001)).toEqual({ kind: 'broken' });
});

const aliases = (count: number) => `[&a [${'x,'.repeat(100)}],${'*a,'.repeat(count)}]`;

test.each([
  ['in one line', `b: ${aliases(100)}\nc: d: e`],
  ['in several lines', `b:\n  - ${aliases(50)}\n  - ${aliases(50)}\nc: d: e`],
  [
    'that shows only when a line beside it is mended',
    `b:\n  - ${aliases(50)}\n  - ${aliases(50)}\n  - c: d: e`,
  ],
])('R3.3 a bomb of aliases is refused %s', (_, yaml) => {
  expect(recover(yaml)).toEqual({ kind: 'refused' });
  expect(read(yaml)).toEqual({ fields: null, warnings: ['malformed'] });
});

test('R3.3 aliases that stay small are read beside a broken line', () => {
  expect(read('b: [&a x, *a]\nc: d: e')).toEqual({
    fields: { b: ['x', 'x'], c: 'd: e' },
    warnings: ['recovered:c'],
  });
});
