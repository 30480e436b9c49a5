import { FILLERS, SYNONYMS } from '#lib/adapters/standin/lexicon.ts';
import type { Token } from '#lib/adapters/standin/words.ts';
import { normalForm, tokensOf, tokensOfNormal } from '#lib/adapters/standin/words.ts';

/** The smallest statement that rules compare: a part of a sentence between commas, a list item, a line of code. */
export interface Clause {
  /** Its words without fillers, each between blanks: equal keys say the same. */
  key: string;
  words: readonly string[];
  tokens: readonly Token[];
  /** All clauses of its sentence. */
  sentence: readonly Clause[];
}

/** Full-width commas come as tabs, which part the cells of a table too. */
const PART = '\t';
const SENTENCE_END = /[。！？；!?;]+|\.(?=[*_`"')\]]*(?:\s|$))/u;
/** Not within a number, nor within brackets: `[1, 256]` is one thing. */
const COMMA = /\t|,(?!\d)(?![^[\](){}]{0,80}[\])}])/;
const LIST_MARK = /^[\s>#|*+-]*(?:\d{1,3}[.)、]\s*)?(?:\[[ xX]\]\s*)?/;
const LINK = /!?\[([^\]]*)\]\([^)]*\)/g;

/** The key of some words, for words of the lexicon too. */
export const keyOf = (words: readonly string[]): string => ` ${words.join(' ')} `;
export const keyOfText = (text: string): string => keyOf(tokensOf(text).map((token) => token.word));

/** Finds any of these keys in a key, without its last blank: neighbours share one. */
export const anyOf = (keys: readonly string[]): RegExp =>
  new RegExp(`(?:${keys.map((key) => key.trimEnd()).join('|')})(?= )`, 'gu');

const SYNONYM_OF = new Map(
  SYNONYMS.flatMap(([first = '', ...others]) =>
    others.map((other) => [keyOfText(other).trimEnd(), keyOfText(first).trimEnd()] as const),
  ),
);
const SYNONYM = anyOf([...SYNONYM_OF.keys()]);

/** The clauses of a Markdown text, one a key, in order. */
export function clausesOf(text: string): Clause[] {
  const clauses = new Map<string, Clause>();
  const lines = normalForm(text.replaceAll('，', PART)).replace(LINK, '$1').split('\n');
  for (const line of lines) {
    if (/^\s*(?:```|~~~)/.test(line)) continue;
    for (const part of line.replace(LIST_MARK, '').split(SENTENCE_END)) {
      const sentence: Clause[] = [];
      for (const clauseText of part.split(COMMA)) {
        const clause = clauseOf(clauseText, sentence);
        if (clause === undefined) continue;
        sentence.push(clause);
        if (!clauses.has(clause.key)) clauses.set(clause.key, clause);
      }
    }
  }
  return [...clauses.values()];
}

function clauseOf(text: string, sentence: readonly Clause[]): Clause | undefined {
  const tokens = tokensOfNormal(text).filter((token) => !FILLERS.has(token.lower));
  if (tokens.length === 0) return undefined;
  const words = tokens.map((token) => token.word);
  const key = keyOf(words);
  const merged = key.replace(SYNONYM, (found) => SYNONYM_OF.get(found) ?? found);
  return { key: merged, words: merged === key ? words : merged.trim().split(' '), tokens, sentence };
}
