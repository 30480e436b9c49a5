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
  const { characters, words } = countedIn(text);
  return characters > 0 && characters >= words * CHARACTERS_PER_WORD ? 'zh' : 'en';
}

const CHINESE_GRAMMAR = /怎|如何|什么|为何|哪|吗|呢|的|了|是|不|没|太|请/u;
const ENGLISH_GRAMMAR =
  /\b(a|an|the|is|are|was|were|do|does|did|in|on|of|to|for|with|and|when|how|what|why|which|it)\b/i;

/** The language in which a question is asked: grammar tells it where names outweigh it, as in `payment timeout 怎么办` (R6.1). */
export function languageOfQuestion(question: string): Language {
  const chinese = CHINESE_GRAMMAR.test(question) && !ENGLISH_GRAMMAR.test(question);
  return chinese ? 'zh' : languageOf(question);
}

function countedIn(text: string): { characters: number; words: number } {
  const sample = text.slice(0, SAMPLE);
  return {
    characters: sample.match(EVERY_CJK)?.length ?? 0,
    words: sample.replace(EVERY_CJK, ' ').match(WORD)?.length ?? 0,
  };
}

/** Of two languages in one document the lesser one counts from this part of the other on. */
const SECOND_LANGUAGE = 1 / 3;

/** The languages in which a document may be described: its own, or both where it is written in both (R3.2). */
export function languagesOf(document: string): Language[] {
  const { characters, words } = countedIn(withoutCode(document));
  const zh = characters / CHARACTERS_PER_WORD;
  const both: Language[] = zh >= words ? ['zh', 'en'] : ['en', 'zh'];
  return Math.min(zh, words) >= SECOND_LANGUAGE * Math.max(zh, words) ? both : both.slice(0, 1);
}

/** Code, commands and addresses are in no language. */
const withoutCode = (markdown: string): string =>
  markdown
    .replace(/^[ \t]*(```|~~~)[\s\S]*?(?:^[ \t]*\1.*|(?![\s\S]))/gm, '')
    .replace(/`[^`\n]*`/g, '')
    .replace(/\bhttps?:\/\/\S+/g, '');

/** Whether a sentence about a document is in one of these languages; names of the other one in it do not matter. */
export function isWrittenIn(sentence: string, languages: readonly Language[]): boolean {
  const { characters } = countedIn(sentence);
  return languages.some((language) => (language === 'zh' ? characters > 0 : languageOf(sentence) === 'en'));
}
