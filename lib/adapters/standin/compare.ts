import type { Clause } from '#lib/adapters/standin/clauses.ts';
import { anyOf, keyOf, keyOfText } from '#lib/adapters/standin/clauses.ts';
import { ANTONYMS } from '#lib/adapters/standin/lexicon.ts';
import {
  identifiersOf,
  isNegated,
  isNegation,
  numbersOf,
  occasionsOf,
  skeletonOf,
} from '#lib/adapters/standin/slots.ts';

/** A text's clauses with what finds one fast. */
export interface Statements {
  clauses: readonly Clause[];
  keys: ReadonlySet<string>;
  weight: number;
}

export const statements = (clauses: readonly Clause[]): Statements => ({
  clauses,
  keys: new Set(clauses.map((clause) => clause.key)),
  weight: weightOf(clauses),
});

/** Clauses of `a` that `b` does not say, equal words and small insertions aside. */
export function unsaid(a: Statements, b: Statements): Clause[] {
  const missing = a.clauses.filter((clause) => !b.keys.has(clause.key));
  if (missing.length === 0) return missing;
  const byWord = new Map<string, Clause[]>();
  for (const clause of missing) for (const word of clause.words) byWord.set(word, []);
  for (const clause of b.clauses) for (const word of clause.words) byWord.get(word)?.push(clause);
  return missing.filter((clause) => !nearest(clause, byWord).some((other) => sameClaim(clause, other)));
}

/** How many clauses are tried for one: those that share its rarest words. */
const TRIED = 24;

function nearest(clause: Clause, byWord: ReadonlyMap<string, Clause[]>): Clause[] {
  const holders = clause.words.map((word) => byWord.get(word) ?? []).filter((found) => found.length > 0);
  return holders
    .sort((x, y) => x.length - y.length)
    .slice(0, 2)
    .flatMap((found) => found.slice(0, TRIED));
}

/** One clause is the other with a few words put in; a word in place of another may be another claim. */
function sameClaim(a: Clause, b: Clause): boolean {
  const [short, long] = a.words.length <= b.words.length ? [a, b] : [b, a];
  if (short.words.length < 3 || short.words.length / long.words.length < 0.75) return false;
  let at = 0;
  for (const word of long.words) if (word === short.words[at]) at += 1;
  return (
    at === short.words.length &&
    numbersOf(a) === numbersOf(b) &&
    identifiersOf(a) === identifiersOf(b) &&
    isNegated(a) === isNegated(b)
  );
}

export const weightOf = (clauses: readonly Clause[]): number =>
  clauses.reduce((sum, clause) => sum + clause.words.length, 0);

/** Words that a clause needs to say what it is about, in two long texts that are not versions of one. */
const TELLING = 4;

/**
 * Whether some clause of one side contradicts one of the other; both lists hold what the other side does not say.
 * Without `close`, "port 80" and "port 443" may be two ports, and only longer clauses count.
 */
export function contradict(a: readonly Clause[], b: readonly Clause[], close: boolean): boolean {
  const telling = (clauses: readonly Clause[]) =>
    close ? clauses : clauses.filter((clause) => clause.words.length > TELLING);
  const [mine, theirs] = [telling(a), telling(b)];
  return otherFigures(mine, theirs) || oppositeWords(mine, theirs) || negated(mine, theirs);
}

/** The same slots filled otherwise; a figure and its occasion together are two observations. */
function otherFigures(a: readonly Clause[], b: readonly Clause[]): boolean {
  const theirs = bySkeleton(b);
  return [...bySkeleton(a)].some(([skeleton, mine]) => {
    const other = theirs.get(skeleton);
    // A skeleton that comes more than once is a table or a log, not one setting.
    if (other?.length !== 1 || mine.length !== 1 || !statesSomething(skeleton)) return false;
    const figures = numbersOf(mine[0]!) !== numbersOf(other[0]!);
    const occasion = occasionsOf(mine[0]!) !== occasionsOf(other[0]!);
    return figures !== occasion;
  });
}

function bySkeleton(clauses: readonly Clause[]): Map<string, Clause[]> {
  const found = Map.groupBy(clauses, skeletonOf);
  for (const skeleton of found.keys()) if (!/ [#@] /.test(skeleton)) found.delete(skeleton);
  return found;
}

const statesSomething = (skeleton: string): boolean => /[^ #@]/.test(skeleton);

const ANTONYM_KEYS = ANTONYMS.flatMap(([x, y]) => {
  const pair = [keyOfText(x), keyOfText(y)] as const;
  return [pair, [pair[1], pair[0]] as const];
});

const ANY_ANTONYM = new RegExp(anyOf(ANTONYM_KEYS.map(([from]) => from)).source, 'u');

function oppositeWords(a: readonly Clause[], b: readonly Clause[]): boolean {
  const theirs = new Set(b.map((clause) => clause.key));
  return a.some(
    ({ key }) =>
      ANY_ANTONYM.test(key) &&
      ANTONYM_KEYS.some(([from, to]) => key.includes(from) && theirs.has(key.replace(from, to))),
  );
}

/** The same words, said of one and denied of the other. */
function negated(a: readonly Clause[], b: readonly Clause[]): boolean {
  const positive = (clause: Clause) => keyOf(clause.words.filter((word) => !isNegation(word)));
  const theirs = new Map(b.map((clause) => [positive(clause), isNegated(clause)]));
  return a.some((clause) => {
    const other = theirs.get(positive(clause));
    return other !== undefined && other !== isNegated(clause);
  });
}
