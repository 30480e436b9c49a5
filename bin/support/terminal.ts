import { styleText } from 'node:util';
import { isCjk } from '#lib/core/language.ts';

type Format = 'bold' | 'dim' | 'red' | 'green' | 'yellow' | 'cyan';
export type Style = (text: string) => string;
export type Styles = Record<Format, Style>;

/** Where a story is told: lines of at most `width` columns. */
export interface Terminal {
  line(text?: string): void;
  width: number;
  style: Styles;
}

const FORMATS: readonly Format[] = ['bold', 'dim', 'red', 'green', 'yellow', 'cyan'];
const WIDTH = { least: 60, most: 120, unknown: 100 };

interface Output {
  isTTY?: boolean;
  columns?: number;
  write(text: string): unknown;
}

/** A terminal over a stream: colours only where the stream is one, and nobody asked for none (`NO_COLOR`, `TERM=dumb`). */
export function createTerminal(
  stream: Output,
  environment: Readonly<Record<string, string | undefined>>,
): Terminal {
  const coloured = stream.isTTY === true && !environment.NO_COLOR && environment.TERM !== 'dumb';
  const style = Object.fromEntries(
    FORMATS.map((format) => [
      format,
      coloured
        ? (text: string) => styleText(format, text, { validateStream: false })
        : (text: string) => text,
    ]),
  ) as Styles;
  const columns = stream.columns ?? WIDTH.unknown;
  return {
    line: (text = '') => stream.write(`${text}\n`),
    width: Math.max(WIDTH.least, Math.min(WIDTH.most, columns)),
    style,
  };
}

const UNPRINTABLE = /[\p{Cc}\p{Zl}\p{Zp}\p{Cs}\u200e\u200f\u202a-\u202e\u2066-\u2069]/gu;

/** Somebody else's text on one line, without what would steer the terminal. */
export const printable = (text: string): string => text.replace(UNPRINTABLE, '·');

const NOTHING = /^[\p{M}\p{Cf}\p{Cc}]$/u;
const EMOJI = /^\p{Emoji_Presentation}$/u;
const HALF_WIDTH = { from: 0xff61, to: 0xffdc };

function characterWidth(character: string): number {
  const code = character.codePointAt(0)!;
  if (code < 0x7f) return code < 0x20 ? 0 : 1;
  if (NOTHING.test(character)) return 0;
  if (code >= HALF_WIDTH.from && code <= HALF_WIDTH.to) return 1;
  const wide =
    isCjk(code) ||
    (code >= 0x2e80 && code <= 0x303f) ||
    (code >= 0xff01 && code <= 0xff60) ||
    isWideSign(code);
  return wide || EMOJI.test(character) ? 2 : 1;
}

const isWideSign = (code: number): boolean => code >= 0xffe0 && code <= 0xffe6;

/** Columns that a text without escape sequences takes: CJK characters and emoji take two. */
export function displayWidth(text: string): number {
  let width = 0;
  for (const character of text) width += characterWidth(character);
  return width;
}

/** Filled up with spaces to `width` columns. */
export const padded = (text: string, width: number): string =>
  text + ' '.repeat(Math.max(0, width - displayWidth(text)));

/** At most `width` columns; what is cut ends with `…`. */
export function shortened(text: string, width: number): string {
  if (displayWidth(text) <= width) return text;
  let kept = '';
  let taken = 0;
  for (const character of text) {
    taken += characterWidth(character);
    if (taken > width - 1) break;
    kept += character;
  }
  return `${kept}…`;
}

/** A text in lines of at most `width` columns, broken at spaces and between CJK characters. */
export function wrapped(text: string, width: number): string[] {
  const lines: string[] = [];
  let line = '';
  for (const piece of piecesOf(text, width)) {
    if (displayWidth(line + piece.trimEnd()) <= width) line += piece;
    else {
      lines.push(line.trimEnd());
      line = piece.trimStart();
    }
  }
  return [...lines, line.trimEnd()];
}

const CLOSING = /^[，。、；：！？）」』】》”’,.;:!?)\]]/u;

/** Words with the spaces behind them, and CJK characters one by one, closing signs kept with what they close. */
function piecesOf(text: string, width: number): string[] {
  const pieces: string[] = [];
  for (const character of text) {
    const last = pieces.at(-1);
    const alone = isWide(character) || (last !== undefined && isWide([...last].at(-1)!));
    const joins =
      last !== undefined &&
      displayWidth(last + character) <= width &&
      (character === ' ' || CLOSING.test(character) || (!last.endsWith(' ') && !alone));
    if (joins) pieces[pieces.length - 1] = last + character;
    else pieces.push(character);
  }
  return pieces;
}

const isWide = (character: string): boolean => characterWidth(character) === 2;

/** The text in wrapped lines: the first behind `head`, the others indented to its width. `style` is put on what is wrapped. */
export function hanging(head: string, text: string, width: number, style: Style = (line) => line): string[] {
  const indent = displayWidth(head);
  return wrapped(text, Math.max(20, width - indent)).map(
    (line, n) => (n === 0 ? head : ' '.repeat(indent)) + style(line),
  );
}

/** `1234567` as `1,234,567`. */
export const grouped = (count: number): string => count.toLocaleString('en-US');

/** `1 document`, `2 documents`. */
export const counted = (count: number, one: string, many = `${one}s`): string =>
  `${grouped(count)} ${count === 1 ? one : many}`;
