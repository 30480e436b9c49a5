/** A Han character, a number, or a word of any other script. */
const TOKEN =
  /\p{Script=Han}|\p{N}+(?:[.:,]\p{N}+)*|[[\p{L}\p{M}_]--\p{Script=Han}][[\p{L}\p{M}\p{N}_]--\p{Script=Han}]*/gv;
const HAN = /^\p{Script=Han}/u;
const NUMBER = /^\p{N}/u;
const ORDINAL_END = /^(?:st|nd|rd|th)$/;

export interface Token {
  /** Lower case, without plural and verb endings. */
  word: string;
  /** As written, NFKC. */
  written: string;
  lower: string;
  kind: 'han' | 'number' | 'word';
}

/** A text's words in order. Han characters stand alone: words of Chinese are not known to rules. */
export const tokensOf = (text: string): Token[] => tokensOfNormal(normalForm(text));

/** Compatibility forms made one, apostrophes taken out: `Don’t` becomes `Dont`. */
export const normalForm = (text: string): string => text.normalize('NFKC').replace(/['’]/g, '');

/** The words of a text in `normalForm`. */
export function tokensOfNormal(text: string): Token[] {
  const tokens: Token[] = [];
  for (const found of text.match(TOKEN) ?? []) {
    const written = found.includes('_') ? found.replace(/^_+|_+$/g, '') : found;
    if (written === '') continue;
    const kind = NUMBER.test(written) ? 'number' : HAN.test(written) ? 'han' : 'word';
    if (ORDINAL_END.test(written) && tokens.at(-1)?.kind === 'number') continue;
    const lower = kind === 'word' ? written.toLowerCase() : written;
    tokens.push({ written, lower, kind, word: kind === 'word' ? stem(lower) : written });
  }
  return tokens;
}

/** Whether a word is a name that must be the same on both sides: digits, underscores, capitals inside or throughout. */
export const isIdentifier = ({ written, kind }: Token): boolean =>
  kind === 'word' && /[\p{N}_]|\p{Ll}\p{Lu}|^\p{Lu}{2}/u.test(written);

/** Takes English plural and verb endings off, roughly: both sides are treated alike, so a wrong stem does no harm. */
export function stem(word: string): string {
  if (/[^a-z]/.test(word) || word.length < 4) return word;
  if (word.length > 6 && word.endsWith('ing')) return undoubled(word.slice(0, -3));
  if (word.length > 5 && word.endsWith('ed')) return undoubled(word.slice(0, -2));
  if (word.endsWith('ies')) return `${word.slice(0, -3)}y`;
  if (/(?:ss|sh|ch|x)es$/.test(word)) return word.slice(0, -2);
  return /[^su]s$/.test(word) ? word.slice(0, -1) : word;
}

const undoubled = (word: string): string => (/([bdgmnprt])\1$/.test(word) ? word.slice(0, -1) : word);
