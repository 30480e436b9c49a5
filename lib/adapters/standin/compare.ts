import type { Clause } from '#lib/adapters/standin/clauses.ts';
import { isNegation, keyOf, keyOfText } from '#lib/adapters/standin/clauses.ts';
import { ANTONYMS } from '#lib/adapters/standin/lexicon.ts';

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
  for (const clause of b.clauses) {
    for (const word of new Set(clause.words)) {
      const holders = byWord.get(word);
      if (holders) holders.push(clause);
      else byWord.set(word, [clause]);
    }
  }
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
  if (a.numbers !== b.numbers || a.identifiers !== b.identifiers || a.negated !== b.negated) return false;
  let at = 0;
  for (const word of long.words) if (word === short.words[at]) at += 1;
  return at === short.words.length;
}

export const weightOf = (clauses: readonly Clause[]): number =>
  clauses.reduce((sum, clause) => sum + clause.words.length, 0);

/** Whether some clause of one side contradicts one of the other; both lists hold what the other side does not say. */
export function contradict(a: readonly Clause[], b: readonly Clause[]): boolean {
  return otherFigures(a, b) || oppositeWords(a, b) || negated(a, b);
}

/** The same slots filled otherwise; a figure and its occasion together are two observations. */
function otherFigures(a: readonly Clause[], b: readonly Clause[]): boolean {
  const theirs = bySkeleton(b);
  return [...bySkeleton(a)].some(([skeleton, mine]) => {
    const other = theirs.get(skeleton);
    // A skeleton that comes more than once is a table or a log, not one setting.
    if (other?.length !== 1 || mine.length !== 1 || !statesSomething(skeleton)) return false;
    const figures = mine[0]!.numbers !== other[0]!.numbers;
    const occasion = mine[0]!.when !== other[0]!.when;
    return figures !== occasion;
  });
}

function bySkeleton(clauses: readonly Clause[]): Map<string, Clause[]> {
  return Map.groupBy(
    clauses.filter((clause) => clause.skeleton !== clause.key),
    (clause) => clause.skeleton,
  );
}

const statesSomething = (skeleton: string): boolean => /[^ #@]/.test(skeleton);

const ANTONYM_KEYS = ANTONYMS.flatMap(([x, y]) => {
  const pair = [keyOfText(x), keyOfText(y)] as const;
  return [pair, [pair[1], pair[0]] as const];
});

function oppositeWords(a: readonly Clause[], b: readonly Clause[]): boolean {
  const theirs = new Set(b.map((clause) => clause.key));
  return a.some(({ key }) =>
    ANTONYM_KEYS.some(([from, to]) => key.includes(from) && theirs.has(key.replace(from, to))),
  );
}

/** The same words, said of one and denied of the other. */
function negated(a: readonly Clause[], b: readonly Clause[]): boolean {
  const positive = (clause: Clause) => keyOf(clause.words.filter((word) => !isNegation(word)));
  const theirs = new Map(b.map((clause) => [positive(clause), clause.negated]));
  return a.some((clause) => {
    const other = theirs.get(positive(clause));
    return other !== undefined && other !== clause.negated;
  });
}
