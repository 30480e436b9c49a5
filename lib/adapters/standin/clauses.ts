import { COUNTERS, FILLERS, NEGATIONS, OCCASIONS, SYNONYMS } from '#lib/adapters/standin/lexicon.ts';
import { isIdentifier, normalForm, stem, tokensOf, tokensOfNormal } from '#lib/adapters/standin/words.ts';

/** The smallest statement that rules compare: a part of a sentence between commas, a list item, a line of code. */
export interface Clause {
  /** Its words without fillers, each between blanks: equal keys say the same. */
  key: string;
  words: readonly string[];
  /** The key with `#` for numbers and `@` for occasions: equal skeletons fill the same slots. */
  skeleton: string;
  numbers: string;
  occasions: string;
  /** Occasions of the whole sentence: they say of when the figures are. */
  when: string;
  identifiers: string;
  negated: boolean;
}

const SENTENCE_END = /[。！？；!?;]+|\.(?=\s|$)/u;
/** Not within a number, nor within brackets: `[1, 256]` is one thing. Full-width commas come as tabs. */
const COMMA = /\t|,(?!\d)(?![^[\](){}]*[\])}])/;
const LIST_MARK = /^[\s>#|*+-]*(?:\d{1,3}[.)、]\s*)?(?:\[[ xX]\]\s*)?/;
const LINK = /!?\[([^\]]*)\]\([^)]*\)/g;

/** The key of some words, for words of the lexicon too. */
export const keyOf = (words: readonly string[]): string => ` ${words.join(' ')} `;
export const keyOfText = (text: string): string => keyOf(tokensOf(text).map((token) => token.word));

const anyOf = (keys: readonly string[]) =>
  new RegExp(`(?:${keys.map((key) => key.trimEnd()).join('|')})(?= )`, 'gu');
const OCCASION = anyOf([...OCCASIONS].map(keyOfText));
const NEGATION_WORDS = new Set([...NEGATIONS].map(stem));
/** A number that fills a slot; after a counter it is a name: "step 3". */
const SLOT = new RegExp(
  `(?<!${[...COUNTERS].map((word) => ` ${stem(word)}`).join('|')}) \\p{N}\\S*(?= )`,
  'gu',
);
const SYNONYM_OF = new Map(
  SYNONYMS.flatMap(([first = '', ...others]) =>
    others.map((other) => [keyOfText(other).trimEnd(), keyOfText(first).trimEnd()] as const),
  ),
);
const SYNONYM = anyOf([...SYNONYM_OF.keys()]);

export const isNegation = (word: string): boolean => NEGATION_WORDS.has(word);

/** The clauses of a Markdown text, one a key, in order. */
export function clausesOf(text: string): Clause[] {
  const clauses = new Map<string, Clause>();
  for (const line of normalForm(text.replaceAll('，', '\t')).replace(LINK, '$1').split('\n')) {
    if (/^\s*(?:```|~~~)/.test(line)) continue;
    for (const sentence of line.replace(LIST_MARK, '').split(SENTENCE_END)) {
      const parts = sentence.split(COMMA).map(clauseOf);
      const when = parts.map((part) => part.occasions).join('');
      for (const part of parts) {
        if (part.words.length > 0 && !clauses.has(part.key)) clauses.set(part.key, { ...part, when });
      }
    }
  }
  return [...clauses.values()];
}

function clauseOf(text: string): Clause {
  const tokens = tokensOfNormal(text).filter((token) => !FILLERS.has(token.lower));
  const key = keyOf(tokens.map((token) => token.word)).replace(
    SYNONYM,
    (found) => SYNONYM_OF.get(found) ?? found,
  );
  const words = key.trim() === '' ? [] : key.trim().split(' ');
  const occasions = key.match(OCCASION) ?? [];
  const numbers = tokens.filter((token) => token.kind === 'number').map((token) => token.word);
  const timeless = occasions.length === 0 ? key : key.replace(OCCASION, ' @');
  return {
    key,
    words,
    skeleton: numbers.length === 0 ? timeless : timeless.replace(SLOT, ' #'),
    numbers: numbers.join(' '),
    occasions: occasions.join(''),
    when: '',
    identifiers: tokens
      .filter(isIdentifier)
      .map((token) => token.word)
      .sort()
      .join(' '),
    negated: words.filter(isNegation).length % 2 === 1,
  };
}
