import type { WriteStream } from 'node:tty';
import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { createProgress } from '../../bin/support/progress.ts';
import {
  counted,
  createTerminal,
  displayWidth,
  hanging,
  padded,
  printable,
  shortened,
  wrapped,
} from '../../bin/support/terminal.ts';

function stream(options: { isTTY?: boolean; columns?: number } = {}) {
  const written: string[] = [];
  return { ...options, written, write: (text: string) => written.push(text) };
}

test.each([
  ['plain', 5],
  ['支付超时', 8],
  ['（ERR）：', 9],
  ['ｶﾞﾅ', 3],
  ['カナー', 6],
  ['한글', 4],
  ['e\u0301', 1],
  ['a\u200bb', 2],
  ['🚀!', 3],
  ['…—│', 3],
])('%j takes %i columns', (text, width) => {
  expect(displayWidth(text)).toBe(width);
});

test('padding and cutting count columns, not characters', () => {
  expect(padded('支付', 6)).toBe('支付  ');
  expect(padded('支付', 3)).toBe('支付');
  expect(shortened('支付超时', 8)).toBe('支付超时');
  expect(shortened('支付超时', 7)).toBe('支付超…');
  expect(shortened('支付超时', 6)).toBe('支付…');
});

test('text wraps at spaces and between CJK characters, closing signs stay with what they close', () => {
  expect(wrapped('one two  three', 8)).toEqual(['one two', 'three']);
  expect(wrapped('先看网关，再看渠道。', 8)).toEqual(['先看网', '关，再看', '渠道。']);
  expect(wrapped('abcdefghij', 4)).toEqual(['abcd', 'efgh', 'ij']);
  expect(wrapped('', 10)).toEqual(['']);
  expect(hanging('* ', 'aaaaaaaaaa bbbbbbbbbb cccccccccc', 24)).toEqual([
    '* aaaaaaaaaa bbbbbbbbbb',
    '  cccccccccc',
  ]);
});

test('wrapping loses nothing but spaces and keeps to the width', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'grapheme-composite' }), fc.integer({ min: 4, max: 40 }), (raw, width) => {
      const text = printable(raw);
      const lines = wrapped(text, width);
      expect(lines.join('').replaceAll(/\s/g, '')).toBe(text.replaceAll(/\s/g, ''));
      for (const line of lines) expect(displayWidth(line)).toBeLessThanOrEqual(width);
    }),
  );
});

test('what would steer the terminal, or turn a line around, is shown as a dot', () => {
  expect(printable('a\u001b[31mb\r\nc\u202ed\u2028e')).toBe('a·[31mb··c·d·e');
});

test('colours only on a terminal, and never against NO_COLOR or a dumb terminal', () => {
  const red = (isTTY: boolean, environment: Record<string, string>) =>
    createTerminal(stream({ isTTY }), environment).style.red('x');
  expect(red(true, {})).toBe('\u001b[31mx\u001b[39m');
  expect(red(true, { NO_COLOR: '' })).toBe('\u001b[31mx\u001b[39m');
  expect(red(true, { NO_COLOR: '1' })).toBe('x');
  expect(red(true, { TERM: 'dumb' })).toBe('x');
  expect(red(false, { FORCE_COLOR: '1' })).toBe('x');
});

test('lines are between 60 and 120 columns wide, 100 where nobody knows', () => {
  const width = (columns?: number) => createTerminal(stream(columns ? { columns } : {}), {}).width;
  expect([width(), width(20), width(80), width(400)]).toEqual([100, 60, 80, 120]);
  const out = stream();
  createTerminal(out, {}).line('text');
  createTerminal(out, {}).line();
  expect(out.written).toEqual(['text\n', '\n']);
});

test('numbers are grouped, and one is one', () => {
  expect([counted(1, 'file'), counted(0, 'file'), counted(1234, 'entry', 'entries')]).toEqual([
    '1 file',
    '0 files',
    '1,234 entries',
  ]);
});

test('without a terminal progress is a line at every quarter, and nothing for little work', () => {
  const told = (total: number) => {
    const out = stream();
    const progress = createProgress(out as unknown as WriteStream, 'decided', total);
    for (let n = 0; n < total; n += 1) progress.step();
    progress.end();
    return out.written;
  };
  expect(told(50)).toEqual(['decided 13/50\n', 'decided 25/50\n', 'decided 38/50\n', 'decided 50/50\n']);
  expect(told(39)).toEqual([]);
});

test('on a terminal progress is a bar that goes away', () => {
  const out = stream({ isTTY: true });
  const progress = createProgress(out as unknown as WriteStream, 'decided', 2);
  progress.step();
  progress.step();
  expect(out.written.at(-1)).toBe(`decided ${'█'.repeat(30)} 2/2`);
  progress.end();
  expect(out.written.at(-1)).toBe('\u001b[2K');
});
