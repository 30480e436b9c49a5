import { kindOf } from '#lib/core/characters.ts';
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
interface Pattern {
  text: string;
  words: number;
  cjk: number;
  /** Matches nothing: it is empty, or a single Latin letter or digit. */
  mute: boolean;
}

/** Case is folded by way of upper case, so that `ß` equals `SS`, and `ς` is no letter of its own. */
const folded = (text: string): string =>
  normalise(text.normalize('NFKC').toUpperCase()).replaceAll('ς', 'σ').normalize('NFKC');

function patternOf(written: string): Pattern {
  const text = folded(written);
  const kinds = [...text].map(kindOf).filter((kind) => kind !== 'mark');
  const words = kinds.filter((kind) => kind === 'word').length;
  const cjk = kinds.filter((kind) => kind === 'cjk').length;
  return { text, words, cjk, mute: text === '' || (words === 1 && kinds.length === 1) };
}

/** Signs alone, and one CJK character, must be equal to match. */
const isFindable = ({ words, cjk }: Pattern): boolean => words > 0 || cjk > 1;

/** From 3 Latin or 2 CJK characters on a keyword may hold the query; of a mixture each counts its share. */
const isLongEnough = ({ words, cjk }: Pattern): boolean => 2 * words + 3 * cjk >= 6;

/** Whether `text` has `part` at word bounds, and not inside a character made of several. */
function contains(text: string, part: string): boolean {
  for (let at = text.indexOf(part); at >= 0; at = text.indexOf(part, at + 1))
    if (isBound(text, at) && isBound(text, at + part.length)) return true;
  return false;
}

function isBound(text: string, at: number): boolean {
  if (at === 0 || at === text.length) return true;
  const after = String.fromCodePoint(text.codePointAt(at)!);
  if (isLowSurrogate(text, at) || kindOf(after) === 'mark') return false;
  return !(kindOf(after) === 'word' && kindOf(baseBefore(text, at)) === 'word');
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

/**
 * L0 (R6.2): the entries of which a keyword contains the query or is contained in it, NFKC and without regard to case;
 * Latin letters and digits at word bounds, CJK anywhere. One match an entry, in the order of the entries.
 */
export function matchKeywords(entries: Iterable<KeywordEntry>, query: string): KeywordMatch[] {
  const asked = patternOf(query);
  const found: KeywordMatch[] = [];
  for (const { id, keywords, keywords_by_author } of entries) {
    let longest = -1;
    patternsOf(keywords).forEach((pattern, at, all) => {
      if (matches(asked, pattern) && pattern.text.length > (all[longest]?.text.length ?? -1)) longest = at;
    });
    if (longest >= 0) found.push({ id, keyword: keywords[longest]!, by_author: keywords_by_author });
  }
  return found;
}
