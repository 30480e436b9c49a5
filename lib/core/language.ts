/** The two languages that KnowHub answers and writes in (R6.1). */
export type Language = 'zh' | 'en';

// The sound-lengthening marks belong to no script of their own, yet `データ` is one word.
const CJK = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}\u30fc\uff70]/u;
const EVERY_CJK = new RegExp(CJK.source, 'gu');
// An underscore joins: `ERR_TIMEOUT` is one word.
const WORD = /[\p{L}\p{N}_]+/gu;

/** A CJK character carries about half a word, so it is weighed against words and not against letters. */
const CHARACTERS_PER_WORD = 2;

/** Code units after which the language of a text no longer changes. */
const SAMPLE = 20_000;

/** Whether a code point is Han, Hiragana, Katakana or Hangul: scripts that match without word bounds (R6.2). */
export function isCjk(codePoint: number): boolean {
  return codePoint >= 0x1100 && CJK.test(String.fromCodePoint(codePoint));
}

/** The language in which a text is answered: `zh` when its CJK characters outweigh its other words, else `en` (R6.1). */
export function languageOf(text: string): Language {
  const sample = text.slice(0, SAMPLE);
  const characters = sample.match(EVERY_CJK)?.length ?? 0;
  const words = sample.replace(EVERY_CJK, ' ').match(WORD)?.length ?? 0;
  return characters > 0 && characters >= words * CHARACTERS_PER_WORD ? 'zh' : 'en';
}
