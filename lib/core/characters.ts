import { isCjk } from '#lib/core/language.ts';

/** `word`: letters, digits and the underscore, which stand in words; `cjk` needs no words; a `mark` stands on another. */
export type CharacterKind = 'word' | 'cjk' | 'mark' | 'other';

const WORD = /^[\p{L}\p{N}_]$/u;
const MARK = /^\p{M}$/u;

const KINDS: readonly CharacterKind[] = ['word', 'cjk', 'mark', 'other'];

// Properties of Unicode are slow to ask for, and texts ask for the same few thousand again and again: a byte for each
// code point, 0 where nobody has asked yet.
const known = new Uint8Array(0x110000);

/** The kind of one character. */
export const kindOf = (character: string): CharacterKind => kindAt(character.codePointAt(0)!);

/** The kind of the character with this code point. */
export function kindAt(codePoint: number): CharacterKind {
  const kind = KINDS[known[codePoint]! - 1];
  if (kind !== undefined) return kind;
  const classified = classify(codePoint);
  known[codePoint] = KINDS.indexOf(classified) + 1;
  return classified;
}

function classify(codePoint: number): CharacterKind {
  const character = String.fromCodePoint(codePoint);
  if (MARK.test(character)) return 'mark';
  if (isCjk(codePoint)) return 'cjk';
  return WORD.test(character) ? 'word' : 'other';
}
