import { FILLERS, GENRES, NEGATIONS } from '#lib/adapters/standin/lexicon.ts';
import type { Token } from '#lib/adapters/standin/words.ts';
import { isIdentifier, tokensOf } from '#lib/adapters/standin/words.ts';

const COUNT = { names: 6, words: 4, phrases: 4 };
/** Where Chinese phrases end: at characters that join or close them. */
const PHRASE_END = /[的了着是和与及或把将被让从向并而]/u;

/** Terms that a reader would search for: names written like identifiers, words of the title, frequent words (R3.2). */
export function termsIn(title: string, body: string): string[] {
  const tokens = tokensOf(`${title}\n${body}`);
  const names = frequent(tokens.filter((token) => isIdentifier(token) && token.written.length > 2));
  const titled = tokensOf(title).filter((token) => token.kind === 'word' && !isCommon(token));
  const words = frequent(
    tokens.filter((token) => token.kind === 'word' && token.written.length > 3 && !isCommon(token)),
  );
  return [
    ...names.slice(0, COUNT.names),
    ...chinesePhrases(title, body).slice(0, COUNT.phrases),
    ...titled.map((token) => token.written),
    ...words.slice(0, COUNT.words),
  ].filter(firstOfItsKind());
}

const isCommon = ({ lower, word }: Token): boolean =>
  FILLERS.has(lower) || GENRES.has(lower) || NEGATIONS.has(lower) || GENRES.has(word);

/** As first written, most frequent first. */
function frequent(tokens: readonly Token[]): string[] {
  const counted = new Map<string, { written: string; count: number }>();
  for (const { word, written } of tokens) {
    const known = counted.get(word);
    if (known) known.count += 1;
    else counted.set(word, { written, count: 1 });
  }
  return [...counted.values()].sort((a, b) => b.count - a.count).map(({ written }) => written);
}

/** Runs of two to six Han characters of the title that come again in the body, longest first, and the title's own. */
function chinesePhrases(title: string, body: string): string[] {
  const runs = title.split(/[^\p{Script=Han}]+/u).flatMap((run) => run.split(PHRASE_END));
  const found: string[] = [];
  for (const run of runs) {
    for (let length = Math.min(6, run.length); length >= 2; length -= 1) {
      for (let at = 0; at + length <= run.length; at += 1) {
        const phrase = run.slice(at, at + length);
        if (GENRES.has(phrase) || found.some((longer) => longer.includes(phrase))) continue;
        if (body.split(phrase).length > 2) found.push(phrase);
      }
    }
  }
  return found.length > 0 ? found : runs.filter((run) => run.length >= 2 && run.length <= 8);
}

/** Keeps the first of terms that differ in case alone. */
function firstOfItsKind(): (term: string) => boolean {
  const seen = new Set<string>();
  return (term) => {
    const key = term.toLowerCase();
    return !seen.has(key) && Boolean(seen.add(key));
  };
}
