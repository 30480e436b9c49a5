import { type CharacterKind, kindAt, kindOf } from '#lib/core/characters.ts';
import { normalise } from '#lib/core/normalise.ts';

/** An item as L0 sees it. */
export interface KeywordEntry {
  id: string;
  keywords: readonly string[];
  /** The keywords were written by the item's author, not by the model. */
  keywords_by_author: boolean;
}

/** `keyword` is as written, the longest one of the item's that matches. */
export interface KeywordMatch {
  id: string;
  keyword: string;
  by_author: boolean;
}

/** A text as L0 compares it. `words`: its letters and digits that need word bounds; `cjk`: those that need none. */
export interface Pattern {
  text: string;
  words: number;
  cjk: number;
  /** Matches nothing: it is empty, or a single Latin letter or digit. */
  mute: boolean;
}

/** Case is folded by way of upper case, so that `ß` equals `SS`, and `ς` is no letter of its own. */
const folded = (text: string): string =>
  ASCII.test(text)
    ? normalise(text)
    : normalise(text.normalize('NFKC').toUpperCase()).replaceAll('ς', 'σ').normalize('NFKC');

/** Most of what is written; nothing of it changes on the way to upper case and back. */
const ASCII = /^[\x20-\x7e]*$/;

/** A query, or a keyword as written, made ready for comparing (R6.2). */
export function patternOf(written: string): Pattern {
  const text = folded(written);
  let words = 0;
  let cjk = 0;
  let others = 0;
  for (let at = 0; at < text.length; ) {
    const codePoint = text.codePointAt(at)!;
    const kind = kindAt(codePoint);
    at += unitsOf(codePoint);
    if (kind === 'word') words += 1;
    else if (kind === 'cjk') cjk += 1;
    else if (kind === 'other') others += 1;
  }
  return { text, words, cjk, mute: text === '' || (words === 1 && cjk + others === 0) };
}

const unitsOf = (codePoint: number): number => (codePoint > 0xffff ? 2 : 1);

/** Signs alone, and one CJK character, must be equal to match. */
export const isFindable = ({ words, cjk }: Pattern): boolean => words > 0 || cjk > 1;

/** From 3 Latin or 2 CJK characters on a keyword may hold the query; of a mixture each counts its share. */
export const isLongEnough = ({ words, cjk }: Pattern): boolean => 2 * words + 3 * cjk >= 6;

/** Whether `text` has `part` at word bounds, and not inside a character made of several. */
function contains(text: string, part: string): boolean {
  for (let at = text.indexOf(part); at >= 0; at = text.indexOf(part, at + 1))
    if (isBound(text, at) && isBound(text, at + part.length)) return true;
  return false;
}

/** Whether a word may begin or end at `at` (UTF-16 units); never inside a character. */
export function isBound(text: string, at: number): boolean {
  if (at === 0 || at === text.length) return true;
  const after = String.fromCodePoint(text.codePointAt(at)!);
  if (isLowSurrogate(text, at) || kindOf(after) === 'mark') return false;
  return !(kindOf(after) === 'word' && kindOf(baseBefore(text, at)) === 'word');
}

/** `isBound` of every place in the text and of its end, in one pass: 1 where it holds. */
export function boundsOf(text: string): Uint8Array {
  const bounds = new Uint8Array(text.length + 1);
  let base: CharacterKind = 'other';
  for (let at = 0; at < text.length; ) {
    const codePoint = text.codePointAt(at)!;
    const kind = kindAt(codePoint);
    if (at === 0 || !(kind === 'mark' || (kind === 'word' && base === 'word'))) bounds[at] = 1;
    if (kind !== 'mark') base = kind;
    at += unitsOf(codePoint);
  }
  bounds[text.length] = 1;
  return bounds;
}

/** The character before `at`, past the marks that stand on it. */
function baseBefore(text: string, at: number): string {
  for (let end = at; ; ) {
    const start = end - (isLowSurrogate(text, end - 1) ? 2 : 1);
    const character = text.slice(start, end);
    if (start === 0 || kindOf(character) !== 'mark') return character;
    end = start;
  }
}

function isLowSurrogate(text: string, at: number): boolean {
  const unit = text.charCodeAt(at);
  const before = text.charCodeAt(at - 1);
  return unit >= 0xdc00 && unit <= 0xdfff && before >= 0xd800 && before <= 0xdbff;
}

function matches(query: Pattern, keyword: Pattern): boolean {
  if (query.mute || keyword.mute) return false;
  if (query.text === keyword.text) return true;
  if (isFindable(keyword) && contains(query.text, keyword.text)) return true;
  return isLongEnough(query) && contains(keyword.text, query.text);
}

// A catalog asks for the same lists again and again, and never changes one.
const prepared = new WeakMap<readonly string[], Pattern[]>();

function patternsOf(keywords: readonly string[]): Pattern[] {
  const patterns = prepared.get(keywords) ?? keywords.map(patternOf);
  prepared.set(keywords, patterns);
  return patterns;
}

/** Which of an item's keywords matches, the longest if several do, the first of these if two are as long; -1 if none. */
export function longestMatch(asked: Pattern, keywords: readonly string[]): number {
  let longest = -1;
  patternsOf(keywords).forEach((pattern, at, all) => {
    if (matches(asked, pattern) && pattern.text.length > (all[longest]?.text.length ?? -1)) longest = at;
  });
  return longest;
}

/**
 * L0 (R6.2): the entries of which a keyword contains the query or is contained in it, NFKC and without regard to case;
 * Latin letters and digits at word bounds, CJK anywhere. One match an entry, in the order of the entries. It reads every
 * keyword: `keyword-index` finds the same without that.
 */
export function matchKeywords(entries: Iterable<KeywordEntry>, query: string): KeywordMatch[] {
  const asked = patternOf(query);
  const found: KeywordMatch[] = [];
  for (const { id, keywords, keywords_by_author } of entries) {
    const longest = longestMatch(asked, keywords);
    if (longest >= 0) found.push({ id, keyword: keywords[longest]!, by_author: keywords_by_author });
  }
  return found;
}
