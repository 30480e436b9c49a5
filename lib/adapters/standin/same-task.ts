import { FILLERS, GENRES, OTHERNESS } from '#lib/adapters/standin/lexicon.ts';
import type { Token } from '#lib/adapters/standin/words.ts';
import { tokensOf } from '#lib/adapters/standin/words.ts';

/** Share of common terms from which two titles name one task. */
const SAME_TITLE = 0.7;
/** Share from which two whole task texts (title, summary, covers, when_to_retrieve) do, titles aside. */
const SAME_TEXT = 0.65;

export interface TaskTerms {
  title: ReadonlySet<string>;
  text: ReadonlySet<string>;
  numbers: string;
  otherness: boolean;
}

/** What rules know of a task: the terms of its first line, which is a document's title, and of all its lines. */
export function taskTerms(task: string): TaskTerms {
  const [title = ''] = task.split('\n', 1);
  const tokens = tokensOf(title);
  return {
    title: termsOf(tokens),
    text: termsOf(tokensOf(task)),
    numbers: tokens
      .filter((token) => token.kind === 'number')
      .map((token) => token.word)
      .join(' '),
    otherness: [...OTHERNESS].some((word) =>
      /\p{Script=Han}/u.test(word) ? title.includes(word) : tokens.some((token) => token.word === word),
    ),
  };
}

/** Whether two items serve the same task, as far as words show it (R2.4). */
export function sameTask(a: TaskTerms, b: TaskTerms): boolean {
  if (a.numbers !== b.numbers || a.otherness !== b.otherness) return false;
  return overlap(a.title, b.title) >= SAME_TITLE || overlap(a.text, b.text) >= SAME_TEXT;
}

const HAN_GENRES = [...GENRES].filter((word) => /\p{Script=Han}/u.test(word));

/** Words, and pairs of neighbouring Han characters. */
function termsOf(tokens: readonly Token[]): ReadonlySet<string> {
  const kept = tokens.filter((token) => !FILLERS.has(token.lower) && !GENRES.has(token.lower));
  const terms = new Set(kept.filter((token) => token.kind !== 'han').map((token) => token.word));
  const han = HAN_GENRES.reduce(
    (text, genre) => text.replaceAll(genre, ''),
    kept.map((token) => (token.kind === 'han' ? token.word : ' ')).join(''),
  );
  for (const run of han.split(' ')) {
    const characters = [...run];
    if (characters.length === 1) terms.add(run);
    for (let at = 1; at < characters.length; at += 1) terms.add(`${characters[at - 1]}${characters[at]}`);
  }
  return terms;
}

function overlap(a: ReadonlySet<string>, b: ReadonlySet<string>): number {
  const common = a.intersection(b).size;
  return a.size + b.size === 0 ? 1 : common / (a.size + b.size - common);
}
