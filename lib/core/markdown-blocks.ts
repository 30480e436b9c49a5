/** One block of Markdown as {@link splitSections} needs it: where it lies in the text, and whether it may be cut. */
export interface Block {
  kind: 'heading' | 'code' | 'table' | 'text' | 'blank';
  start: number;
  end: number;
  /** Headings only: 1 to 6, and the text without its marks. */
  level: number;
  title: string;
}

interface Line {
  start: number;
  /** After the line end. */
  end: number;
  text: string;
}

interface Fence {
  mark: string;
  length: number;
  quoted: boolean;
  /** Indented so far that it may as well be an example of a fence in indented code. */
  deep: boolean;
}

/** No fence stands further right; a longer prefix would cost the regular expression its stack. */
const FENCE_PREFIX = 1000;

// A fence also opens inside a quote or a list item: `> ` and `- ` may stand before it.
const FENCE = /^((?:[ \t>]|[-*+][ \t]|\d{1,9}[.)][ \t])*)(`{3,}|~{3,})/;
const ATX = /^ {0,3}(#{1,6})(?:[ \t]+(.*))?$/;
const SETEXT = /^ {0,3}(?:=+|-+)[ \t]*$/;
const CONTAINER = /^ {0,3}(?:>|[-*+][ \t]|\d{1,9}[.)][ \t])|^(?: {4}|\t)/;

function* linesOf(text: string): Generator<Line> {
  for (let start = 0; start < text.length; ) {
    const newline = text.indexOf('\n', start);
    const end = newline < 0 ? text.length : newline + 1;
    yield { start, end, text: text.slice(start, end).replace(/\r?\n?$/, '') };
    start = end;
  }
}

function fenceOf(line: string): Fence | undefined {
  const [, prefix = '', marks = ''] = FENCE.exec(line.slice(0, FENCE_PREFIX)) ?? [];
  const mark = marks[0];
  // Three backticks with another one after them are code inside a sentence.
  if (mark === undefined || (mark === '`' && line.includes('`', prefix.length + marks.length)))
    return undefined;
  return { mark, length: marks.length, quoted: prefix.includes('>'), deep: /^(?: {4}|\t)/.test(prefix) };
}

function closes(fence: Fence, line: string): boolean {
  const text = line.replace(/^[ \t>]+/, '').trimEnd();
  return text.length >= fence.length && text === fence.mark.repeat(text.length);
}

const isTableRule = (line: string): boolean =>
  line.includes('|') && line.includes('-') && /^[\s>|:-]+$/.test(line);

/** A heading's text: without closing marks and without the `{#anchor}` that several tools put there. */
function headingTitle(text: string): string {
  const title = text.replace(/\s+/g, ' ').trim();
  const anchor = title.endsWith('}') ? title.lastIndexOf('{#') : -1;
  // `C#` keeps its mark: closing ones stand apart.
  return (anchor < 0 ? title : title.slice(0, anchor).trimEnd()).replace(/(?:^| )#+$/, '');
}

/** The blocks of a Markdown text, in order and without gaps: together they are the text. Reads each line once. */
export function blocksOf(body: string): Block[] {
  const lines = [...linesOf(body)];
  const blocks: Block[] = [];
  let at = 0;

  const take = (kind: Block['kind'], count: number, level = 0, title = '') => {
    blocks.push({ kind, start: lines[at]!.start, end: lines[at + count - 1]!.end, level, title });
    at += count;
  };
  /** Blank beyond the last line. */
  const textAt = (index: number): string => lines[index]?.text ?? '';
  const isBlankAt = (index: number): boolean => textAt(index).trim() === '';
  const startsTable = (index: number): boolean =>
    textAt(index).includes('|') && isTableRule(textAt(index + 1));

  /** By mark: the shortest fence known to be closed nowhere below, so that the rest is not searched for it again. */
  const unclosed = new Map<string, number>();
  /** Lines of the fenced block that starts here; 0 when it is none. One that never closes goes on to the end. */
  const fenced = (fence: Fence): number => {
    if (fence.deep && fence.length >= (unclosed.get(fence.mark) ?? Number.POSITIVE_INFINITY)) return 0;
    let count = 1;
    for (; at + count < lines.length; count += 1) {
      const line = textAt(at + count);
      if (fence.quoted && !/^\s*>/.test(line)) return count;
      if (closes(fence, line)) return count + 1;
    }
    if (!fence.deep) return count;
    unclosed.set(fence.mark, fence.length);
    return 0;
  };
  const table = (): number => {
    let count = 2;
    while (textAt(at + count).includes('|')) count += 1;
    return count;
  };
  /** Lines up to what starts something else; a setext underline makes all of them a heading. */
  const paragraph = (): void => {
    for (let count = 1; ; count += 1) {
      const line = textAt(at + count);
      if (SETEXT.test(line) && !CONTAINER.test(textAt(at))) {
        const title = lines.slice(at, at + count).map((part) => part.text);
        take('heading', count + 1, line.includes('=') ? 1 : 2, headingTitle(title.join(' ')));
        return;
      }
      if (isBlankAt(at + count) || ATX.test(line) || fenceOf(line) || startsTable(at + count)) {
        take('text', count);
        return;
      }
    }
  };

  while (at < lines.length) {
    const line = textAt(at);
    const fence = fenceOf(line);
    const code = fence ? fenced(fence) : 0;
    const [, marks, title = ''] = ATX.exec(line) ?? [];
    if (isBlankAt(at)) take('blank', 1);
    else if (code > 0) take('code', code);
    else if (marks) take('heading', 1, marks.length, headingTitle(title));
    else if (startsTable(at)) take('table', table());
    else if (SETEXT.test(line)) take('text', 1);
    else paragraph();
  }
  return blocks;
}
