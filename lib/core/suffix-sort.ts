/** Places in a text, each with the number of what it is a place of: sorted together. */
export interface Places {
  at: Uint32Array;
  owner: Uint32Array;
}

/** Below this many an insertion sort is quicker. */
const FEW = 12;

/**
 * Sorts places by the text from there, up to the next 0, in place: a quicksort that splits by one unit at a time
 * (Bentley and Sedgewick), as common beginnings are then compared once.
 */
export function sortSuffixes(text: Uint32Array, places: Places): void {
  const waiting = [0, places.at.length, 0];
  while (waiting.length > 0) {
    const depth = waiting.pop()!;
    const to = waiting.pop()!;
    const from = waiting.pop()!;
    if (to - from <= FEW) insertionSort(text, places, from, to, depth);
    else split(text, places, from, to, depth, waiting);
  }
}

/** Three parts by their unit at `depth`, lower, equal and higher than a middling one: what of them is left to sort. */
function split(
  text: Uint32Array,
  places: Places,
  from: number,
  to: number,
  depth: number,
  waiting: number[],
): void {
  const { at } = places;
  const pivot = middling(
    text[at[from]! + depth]!,
    text[at[(from + to) >>> 1]! + depth]!,
    text[at[to - 1]! + depth]!,
  );
  let low = from;
  let high = to;
  for (let n = from; n < high; ) {
    const unit = text[at[n]! + depth]!;
    if (unit < pivot) swap(places, low++, n++);
    else if (unit > pivot) swap(places, n, --high);
    else n += 1;
  }
  waiting.push(from, low, depth, high, to, depth);
  // Texts that have ended are equal.
  if (pivot !== 0) waiting.push(low, high, depth + 1);
}

const middling = (a: number, b: number, c: number): number =>
  Math.max(Math.min(a, b), Math.min(Math.max(a, b), c));

function insertionSort(text: Uint32Array, places: Places, from: number, to: number, depth: number): void {
  for (let n = from + 1; n < to; n += 1)
    for (let m = n; m > from && isAfter(text, places.at[m - 1]! + depth, places.at[m]! + depth); m -= 1)
      swap(places, m - 1, m);
}

function isAfter(text: Uint32Array, one: number, other: number): boolean {
  let n = 0;
  while (text[one + n] === text[other + n] && text[one + n] !== 0) n += 1;
  return text[one + n]! > text[other + n]!;
}

function swap({ at, owner }: Places, one: number, other: number): void {
  const place = at[one]!;
  at[one] = at[other]!;
  at[other] = place;
  const number = owner[one]!;
  owner[one] = owner[other]!;
  owner[other] = number;
}
