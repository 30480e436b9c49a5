import { expect, test } from 'vitest';
import { markdownTable } from '../../bin/support/markdown-table.ts';

const HEAD = ['call', 'ms'];
const ROWS = [
  ['lookup', 12.5],
  ['status', ''],
];
const right = (column: number) => column === 1;

test('FIGURES a table has its figures on the right, and its columns of one width where it is to be read as it stands', () => {
  expect(markdownTable(HEAD, ROWS, { right, padded: true })).toBe(
    `
| call   |   ms |
| ------ | ---: |
| lookup | 12.5 |
| status |      |`.trim(),
  );
  expect(markdownTable(HEAD, ROWS, { right })).toBe(
    `
| call | ms |
| --- | ---: |
| lookup | 12.5 |
| status |  |`.trim(),
  );
  expect(markdownTable(HEAD, [])).toBe('| call | ms |\n| --- | --- |');
});
