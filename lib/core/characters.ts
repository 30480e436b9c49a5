import { isCjk } from '#lib/core/language.ts';

/** `word`: letters, digits and the underscore, which stand in words; `cjk` needs no words; a `mark` stands on another. */
export type CharacterKind = 'word' | 'cjk' | 'mark' | 'other';

const WORD = /^[\p{L}\p{N}_]$/u;
const MARK = /^\p{M}$/u;

// Properties of Unicode are slow to ask for, and a text asks for the same few thousand again and again.
const known = new Map<string, CharacterKind>();

/** The kind of one character (code point). */
export function kindOf(character: string): CharacterKind {
  let kind = known.get(character);
  if (kind === undefined) {
    kind = classify(character);
    known.set(character, kind);
  }
  return kind;
}

function classify(character: string): CharacterKind {
  if (MARK.test(character)) return 'mark';
  if (isCjk(character.codePointAt(0)!)) return 'cjk';
  return WORD.test(character) ? 'word' : 'other';
}
