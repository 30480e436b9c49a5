import { expect, test } from 'vitest';
import { blocksOf } from '#lib/core/markdown-blocks.ts';

const lines = (...all: string[]) => all.join('\n');

/** Kind and text of each block, as a reader of the document would mark them. */
const marked = (body: string) =>
  blocksOf(body).map(({ kind, start, end }) => `${kind}: ${body.slice(start, end).replace(/\n$/, '')}`);

/** Level and title of each heading. */
const headings = (body: string) =>
  blocksOf(body).flatMap(({ kind, level, title }) => (kind === 'heading' ? [[level, title]] : []));

test('R6.4 a document is its blocks, in order and without gaps', () => {
  const body = lines(
    '# Pool',
    '',
    'One',
    'two.',
    '```',
    'x',
    '```',
    '| a |',
    '|---|',
    '| 1 |',
    '| 2 |',
    'End',
  );
  expect(blocksOf(body)).toEqual([
    { kind: 'heading', start: 0, end: 7, level: 1, title: 'Pool' },
    { kind: 'blank', start: 7, end: 8, level: 0, title: '' },
    { kind: 'text', start: 8, end: 17, level: 0, title: '' },
    { kind: 'code', start: 17, end: 27, level: 0, title: '' },
    { kind: 'table', start: 27, end: 51, level: 0, title: '' },
    { kind: 'text', start: 51, end: 54, level: 0, title: '' },
  ]);
  expect(marked('\n# Pool')).toEqual(['blank: ', 'heading: # Pool']);
  expect(blocksOf('')).toEqual([]);
});

test('R6.4 a document with line ends of Windows has the same blocks', () => {
  const body = lines('# Pool', 'x', '', 'Size', '---', '```', 'x', '```', '| a |', '|---|', 'End');
  const kinds = (text: string) => blocksOf(text).map(({ kind, level, title }) => ({ kind, level, title }));
  expect(kinds(body.replaceAll('\n', '\r\n'))).toEqual(kinds(body));
  expect(headings('# Pool\r\n## Size\r')).toEqual([
    [1, 'Pool'],
    [2, 'Size'],
  ]);
});

test.each([
  ['# A', 1, 'A'],
  ['   ###### A', 6, 'A'],
  ['#\tA', 1, 'A'],
  ['#  A \t  long   name ', 1, 'A long name'],
  ['## A ##', 2, 'A'],
  ['## A #', 2, 'A'],
  ['# C#', 1, 'C#'],
  ['# C# #', 1, 'C#'],
  ['# #1 in class', 1, '#1 in class'],
  ['# ##', 1, ''],
  ['##', 2, ''],
  ['# A {#a}', 1, 'A'],
  ['# A {#a} ', 1, 'A'],
  ['# A ## {#a}', 1, 'A'],
  ['# {#a}', 1, ''],
  ['# Styles of {#id in CSS', 1, 'Styles of {#id in CSS'],
  ['A\n=', 1, 'A'],
  ['A\n---  ', 2, 'A'],
  ['  A long\nname\n   ===', 1, 'A long name'],
  ['a | b\n---', 2, 'a | b'],
])('R6.4 %j is a heading', (body, level, title) => {
  expect(headings(body)).toEqual([[level, title]]);
});

test.each([
  '#A',
  '####### A',
  '    # A',
  'A\n    ---',
  '---',
  '---\nA',
  '===\nA',
  'A\n\n---',
  '> A\n---',
  '- A\n---',
  '1. A\n---',
  '\tA\n---',
  '    A\n---',
])('R6.4 %j holds no heading', (body) => {
  expect(headings(body)).toEqual([]);
});

test('R6.4 a rule is a block of its own: what follows it is not read as its text', () => {
  expect(marked('---\nA\n---')).toEqual(['text: ---', 'heading: A\n---']);
});

test.each([
  ['closed by as many marks', lines('```', '# x', '```'), 'After'],
  ['closed by more marks', lines('```', '# x', '`````'), 'After'],
  ['closed by marks further right', lines('```', '# x', '   ```'), 'After'],
  ['closed with blanks after the marks', lines('```', '# x', '``` \t'), 'After'],
  ['not closed by fewer marks', lines('````', '# x', '```', '````'), 'After'],
  ['not closed by other marks', lines('```', '~~~', '# x', '```'), 'After'],
  ['not closed by marks with text', lines('```', '```sh', '# x', '```'), 'After'],
  ['not closed by marks with a blank between them', lines('```', '`` `', '# x', '```'), 'After'],
  ['of one line only', lines('```', '```'), 'After'],
  ['with a language', lines('```sh', '# x', '```'), 'After'],
  ['with a language that holds a tilde', lines('```a~b', '# x', '```'), 'After'],
  ['of tildes with a backtick', lines('~~~ a`b', '# x', '~~~'), 'After'],
  ['in a list', lines('- ```', '  # x', '  ```'), 'After'],
  ['in a numbered list', lines('10) ```', '    # x', '    ```'), 'After'],
  ['in a quote', lines('> ```', '> # x', '> ```'), 'After'],
  ['in a quote, with its lines further right', lines('> ```', '  > # x', '>```'), 'After'],
  ['in a quote, without blanks', lines('>```', '># x', '>```'), 'After'],
  ['that ends with its quote', lines('> ```', '> # x'), 'After'],
  ['that ends with its quote, though an arrow follows', lines('> ```', '> # x'), 'a > b'],
  ['indented by four blanks', lines('    ```', '# x', '    ```'), 'After'],
  ['indented by a tab', lines('\t```', '# x', '\t```'), 'After'],
])('R6.4 a code block %s is one block', (_, code, after) => {
  expect(marked(`${code}\n${after}`)).toEqual([`code: ${code}`, `text: ${after}`]);
});

test.each([
  ['```', '# x', '', 'more'],
  ['  ```', '# x', '', 'more'],
  ['-\t```', '\t# x', '', 'more'],
])('R6.4 a code block that is never closed goes on to the end: %j', (...code) => {
  expect(marked(lines(...code))).toEqual([`code: ${lines(...code)}`]);
});

test.each([
  ['    ```', '# A', '    ~~~', '# x', '    ~~~'],
  ['\t~~~', '# A', '\t```', '# x', '\t```'],
  ['    ````', '# A', '    ```', '# x', '    ```'],
])(
  'R6.4 %j that is never closed is an example of a fence, and a later one may be code',
  (fence, title, ...code) => {
    expect(marked(lines(fence, title, ...code))).toEqual([
      `text: ${fence}`,
      `heading: ${title}`,
      `code: ${lines(...code)}`,
    ]);
  },
);

test.each(['```x``` is how code is written', '``', 'Use ```', `${'>'.repeat(1001)}\`\`\``])(
  'R6.4 no code block begins in a line such as %.40j',
  (line) => {
    expect(marked(lines(line, '# A'))).toEqual([`text: ${line}`, 'heading: # A']);
  },
);

test.each([
  ['with bars around', lines('| a | b |', '|---|---|', '| 1 | 2 |', '| 3 | 4 |')],
  ['with bars between', lines('a | b', '--|--', '1 | 2', '3 | 4')],
  ['with sides and blanks', lines('| a | b |', ' | :-- | --: | ', '| 1 | 2 |')],
  ['in a quote', lines('> | a |', '> |---|', '> | 1 |')],
  ['without rows', lines('| a |', '|---|')],
])('R6.4 a table %s is one block, up to a line without a bar', (_, table) => {
  expect(marked(lines('Before', table, 'After'))).toEqual(['text: Before', `table: ${table}`, 'text: After']);
  expect(marked(lines(table, '', '| x |'))).toEqual([`table: ${table}`, 'blank: ', 'text: | x |']);
});

test.each([
  lines('a | b', 'plain'),
  lines('a | b', 'c | d'),
  lines('a | b', '| |'),
  lines('a | b', '|-|x'),
  lines('a | b', 'x|-|'),
  lines('a | b', '+'),
  lines('Prose and prose.', '|---|---|'),
])('R6.4 %j is no table', (body) => {
  expect(marked(body)).toEqual([`text: ${body}`]);
});

test('R6.4 a paragraph ends where something else begins, and a blank line may hold blanks', () => {
  expect(
    marked(lines('One', 'two', ' \t ', 'three', '## A', 'four', '~~~', '~~~', '| a |', '|-|', 'five')),
  ).toEqual([
    'text: One\ntwo',
    'blank:  \t ',
    'text: three',
    'heading: ## A',
    'text: four',
    'code: ~~~\n~~~',
    'table: | a |\n|-|',
    'text: five',
  ]);
});
