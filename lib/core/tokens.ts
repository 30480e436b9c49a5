/** Quarters of a token: whole numbers, so that the parts of a text add up to the text. */
const ASCII = 1;
const OTHER = 4;
export const QUARTERS = 4;

/** A text's size in quarters of a token. */
export function weight(text: string): number {
  let sum = 0;
  for (let at = 0; at < text.length; at += 1) sum += text.charCodeAt(at) < 0x80 ? ASCII : OTHER;
  return sum;
}

/**
 * A conservative estimate of a text's tokens, for any model: ASCII counts 1 per 4 characters, all else (CJK letters and
 * punctuation, accents, emoji) 1 per UTF-16 code unit, rounded up.
 */
export const tokens = (text: string): number => Math.ceil(weight(text) / QUARTERS);

/** Size of a value as a double-quoted scalar. */
export const quotedWeight = (text: string): number => weight(JSON.stringify(text));

const ELLIPSIS = '…';

/** The text if its quoted size is at most `room`, else its longest beginning that is, with `…`; `''` if none is. */
export function cutToWeight(text: string, room: number): string {
  if (quotedWeight(text) <= room) return text;
  let left = room - quotedWeight(ELLIPSIS);
  let kept = '';
  for (const character of text) {
    left -= quotedWeight(character) - 2;
    if (left < 0) break;
    kept += character;
  }
  return kept === '' ? '' : kept + ELLIPSIS;
}

/** Divides `room` fairly: who asks for less than an equal share gets all of it, the rest is shared by the others. */
export function fairShares(demands: readonly number[], room: number): number[] {
  const shares = demands.map(() => 0);
  const modest = demands.map((_, at) => at).sort((a, b) => demands[a]! - demands[b]!);
  let left = Math.max(0, room);
  modest.forEach((at, served) => {
    shares[at] = Math.min(demands[at]!, Math.floor(left / (modest.length - served)));
    left -= shares[at]!;
  });
  return shares;
}
