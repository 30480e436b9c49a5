import { kindOf } from '#lib/core/characters.ts';
import { isCjk } from '#lib/core/language.ts';
import { normalise } from '#lib/core/normalise.ts';

const RUN = /[\p{L}\p{M}\p{N}_]+/gu;
const PLAIN = /^[^\u1100-\u{10ffff}]*$/u;

/**
 * The terms by which texts are compared word for word: lower-cased words (an underscore joins) and bigrams of CJK
 * characters, in order, repeats kept. A CJK character on its own is a term.
 */
export function terms(text: string): string[] {
  const found: string[] = [];
  for (const [run] of normalise(text).matchAll(RUN)) {
    if (PLAIN.test(run)) found.push(run);
    else addMixed(run, found);
  }
  return found;
}

/** Splits a run where CJK meets other letters; a combining mark stays with the character before it. */
function addMixed(run: string, found: string[]): void {
  let word = '';
  let cjk: string[] = [];
  const flush = () => {
    if (word !== '') found.push(word);
    if (cjk.length === 1) found.push(cjk[0]!);
    for (let at = 1; at < cjk.length; at++) found.push(cjk[at - 1]! + cjk[at]!);
    word = '';
    cjk = [];
  };
  for (const character of run) {
    const kind = kindOf(character);
    if (kind === 'mark' && cjk.length > 0) cjk[cjk.length - 1] += character;
    else if (kind === 'cjk') cjk.push(character);
    else {
      if (cjk.length > 0) flush();
      word += character;
    }
  }
  flush();
}

/** Words that say how something is asked, not what: sharing them is no match. */
const EMPTY_WORDS: ReadonlySet<string> = new Set(
  `a an the and or but not no of in on at to for from by with as is are was were be been do does did can could should
  would will may how what why when where which who i we you it its this that these those my our your me us if then there
  here about into than so up out any some all have has had get
  怎么 么办 如何 什么 么样 为什 哪些 哪个 是否 可以 一个 这个 那个 我们 你们 请问 帮我 一下`.split(/\s+/),
);

/** The query's telling terms, each once. */
export function tellingTerms(query: string): string[] {
  return [...new Set(terms(query).filter((term) => !EMPTY_WORDS.has(term)))];
}

/** Share of the query's telling terms that the text has; in [0, 1], 0 without any. */
export function coverage(query: string, text: string): number {
  return shareOf(tellingTerms(query), new Set(terms(text)));
}

/**
 * How much of the query's telling terms a text has. `all`: of all of them. `possible`: of those that it can have: what is
 * asked in Chinese finds its names and numbers in an English text, and nothing else. Both in [0, 1], 0 without any.
 */
export function coverages(telling: readonly string[], text: string): { all: number; possible: number } {
  const there = new Set(terms(text));
  const all = shareOf(telling, there);
  const cjk = [...there].some(isCjkTerm);
  const words = [...there].some((term) => !isCjkTerm(term));
  const possible = telling.filter((term) => (isCjkTerm(term) ? cjk : words));
  return { all, possible: shareOf(possible, there) };
}

const shareOf = (asked: readonly string[], there: ReadonlySet<string>): number =>
  asked.length === 0 ? 0 : asked.filter((term) => there.has(term)).length / asked.length;

// A term is of one kind throughout: `terms` splits where they meet.
const isCjkTerm = (term: string): boolean => isCjk(term.codePointAt(0)!);
