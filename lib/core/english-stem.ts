/** Longest first, each with how many letters must stand before it. */
const ENDINGS: readonly (readonly [ending: string, before: number])[] = [
  ['urations', 4],
  ['uration', 4],
  ['ations', 4],
  ['ation', 4],
  ['yments', 4],
  ['yment', 4],
  ['ments', 4],
  ['ment', 4],
  ['uring', 4],
  ['ured', 4],
  ['ures', 4],
  ['ions', 4],
  ['ings', 3],
  ['ying', 3],
  ['yed', 3],
  ['ure', 4],
  ['ion', 4],
  ['ing', 3],
  ['ies', 3],
  ['ied', 3],
  ['ers', 4],
  ['er', 4],
  ['ed', 3],
  ['es', 3],
  ['ly', 4],
  ['s', 3],
  ['e', 3],
  ['y', 4],
];

/**
 * An English word without its ending, so that `retries` meets `retry` and `failure` meets `failed`; light on purpose: two
 * words that meet by mistake do less harm here than two that do not. Other words, and what has digits, stay.
 */
export function stem(word: string): string {
  if (!/^[a-z]{4,}$/.test(word) || word.endsWith('ss')) return word;
  const found = ENDINGS.find(
    ([ending, before]) => word.endsWith(ending) && word.length >= ending.length + before,
  );
  if (!found) return word;
  const rest = word.slice(0, -found[0].length);
  // `stopped`, `logging`
  return /([bgmnprt])\1$/.test(rest) ? rest.slice(0, -1) : rest;
}
