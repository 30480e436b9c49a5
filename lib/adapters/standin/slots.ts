import type { Clause } from '#lib/adapters/standin/clauses.ts';
import { anyOf, keyOfText } from '#lib/adapters/standin/clauses.ts';
import { COUNTERS, NEGATIONS, OCCASIONS } from '#lib/adapters/standin/lexicon.ts';
import { isIdentifier, stem } from '#lib/adapters/standin/words.ts';

const OCCASION = anyOf([...OCCASIONS].map(keyOfText));
const NEGATION_WORDS = new Set([...NEGATIONS].map(stem));
/** A number that fills a slot; after a counter it is a name: "step 3". */
const SLOT = new RegExp(
  `(?<!${[...COUNTERS].map((word) => ` ${stem(word)}`).join('|')}) \\p{N}\\S*(?= )`,
  'gu',
);

/** The key with `#` for numbers and `@` for occasions: equal skeletons have the same slots. */
export const skeletonOf = ({ key }: Clause): string => key.replace(OCCASION, ' @').replace(SLOT, ' #');

export const numbersOf = ({ tokens }: Clause): string =>
  tokens
    .filter((token) => token.kind === 'number')
    .map((token) => token.word)
    .join(' ');

/** Names in it that must be the same on both sides, sorted. */
export const identifiersOf = ({ tokens }: Clause): string =>
  tokens
    .filter(isIdentifier)
    .map((token) => token.word)
    .sort()
    .join(' ');

/** Occasions of the whole sentence: they say of when the figures are. */
export const occasionsOf = ({ sentence }: Clause): string =>
  sentence.flatMap((clause) => clause.key.match(OCCASION) ?? []).join('');

export const isNegation = (word: string): boolean => NEGATION_WORDS.has(word);

export const isNegated = ({ words }: Clause): boolean => words.filter(isNegation).length % 2 === 1;
