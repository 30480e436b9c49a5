import { cut } from '#lib/core/limits.ts';
import { type Block, blocksOf } from '#lib/core/markdown-blocks.ts';
import { normalise } from '#lib/core/normalise.ts';
import type { Section } from '#lib/core/rows.ts';

/** Code units of a section; what may not be cut (a code block, a table) may be longer, up to the second. */
const SECTION = 1500;
const WHOLE_BLOCK = 6000;
const MOST_SECTIONS = 128;

/** Characters that one heading gives to the heading path and to the outline. */
const HEADING = 100;

/** A piece of the body. */
interface Span {
  heading: string;
  start: number;
  end: number;
  /** Whether it holds more than headings and blank lines. */
  content: boolean;
}

/** The text that is embedded for a section: its heading path, then its text (design, section 3). */
export function sectionText({ heading, text }: Section): string {
  return heading === '' ? text : `${heading}\n\n${text}`;
}

/** The headings of a body, one a line, indented by two blanks a level. */
export function outline(body: string): string {
  return blocksOf(body)
    .filter((block) => block.title !== '')
    .map(({ level, title }) => '  '.repeat(level - 1) + cut(title, HEADING))
    .join('\n');
}

/**
 * Splits a document's body at its headings, for vectors and for what an L1 hit shows (R6.3, R6.4). `heading` is the
 * path `Title > A > B`; `text` is the body as written, heading lines included, at most 1,500 characters. Code blocks
 * and tables stay whole up to 6,000 and are cut at line ends beyond. At most 128 sections: the last one takes the
 * first 6,000 characters of the rest. A body without text is one section with the title alone.
 */
export function splitSections(body: string, title: string): Section[] {
  const spans = spansOf(body, title).filter(({ start, end }) => trimmed(body, start, end) !== '');
  const last = spans[MOST_SECTIONS - 1];
  if (last) last.end = whole(body, Math.min(last.start + WHOLE_BLOCK, body.length));
  const sections = spans
    .slice(0, MOST_SECTIONS)
    .map(({ heading, start, end }) => ({ heading, text: trimmed(body, start, end) }));
  return sections.length > 0 ? sections : [{ heading: headingPath(title, []), text: '' }];
}

/** The pieces of the body in order, without gaps. */
function spansOf(body: string, title: string): Span[] {
  const spans: Span[] = [];
  let open: Span = { heading: headingPath(title, []), start: 0, end: 0, content: false };
  let above: Block[] = [];

  const close = (at: number) => {
    spans.push({ ...open, end: at });
    open = { ...open, start: at, end: at, content: false };
  };
  const fill = (block: Block, most: number) => {
    while (block.end - open.start > most) {
      close(cutAt(body, Math.max(block.start, open.start), open.start + most));
    }
    open = { ...open, end: block.end };
  };
  const add = (block: Block) => {
    if (open.content && block.end - open.start > SECTION) close(block.start);
    // Headings stay with what they head, also where that is too long for a section of its own.
    fill(block, block.kind === 'code' || block.kind === 'table' ? WHOLE_BLOCK : SECTION);
    open = { ...open, content: true };
  };

  for (const block of blocksOf(body)) {
    if (block.kind === 'heading') {
      if (open.content || block.end - open.start > SECTION) close(block.start);
      above = [...above.filter(({ level }) => level < block.level), block];
      open = { ...open, heading: headingPath(title, above) };
      fill(block, SECTION);
    } else if (block.kind !== 'blank') add(block);
    else if (open.end === open.start) open = { ...open, start: block.end, end: block.end };
  }
  close(body.length);
  return spans;
}

/** The document's title and the headings above; a first heading that repeats the title counts once. */
function headingPath(title: string, above: readonly Block[]): string {
  const names = [title, ...above.map((block) => block.title)].map((name) => name.replace(/\s+/g, ' ').trim());
  return names
    .filter((name, n) => name !== '' && !(n === 1 && normalise(name) === normalise(title)))
    .map((name) => cut(name, HEADING))
    .join(' > ');
}

/** Where to cut a text that must not reach beyond `most`: after a line, else a sentence, else a word, else a character. */
function cutAt(body: string, start: number, most: number): number {
  const from = Math.max(start, most - SECTION / 2);
  const window = body.slice(from, most);
  const line = window.lastIndexOf('\n');
  if (line >= 0) return from + line + 1;
  const sentences = [...window.matchAll(/[。！？；]|[.!?;](?=\s)/g)];
  const sentence = sentences.at(-1);
  if (sentence) return from + sentence.index + 1;
  const word = Math.max(window.lastIndexOf(' '), window.lastIndexOf('\t'));
  return word >= 0 ? from + word + 1 : whole(body, most);
}

/** The position, or the one before it where it would halve a character. */
function whole(body: string, at: number): number {
  return (body.codePointAt(at - 1) ?? 0) > 0xffff ? at - 1 : at;
}

/** The text without blank lines around it; its first line keeps its indentation. */
function trimmed(body: string, start: number, end: number): string {
  return body
    .slice(start, end)
    .trimEnd()
    .replace(/^(?:[^\S\n]*\n)+/, '');
}
