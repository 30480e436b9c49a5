const ENGLISH: Readonly<Record<string, number>> = {
  ...{ one: 1, two: 2, three: 3, four: 4, five: 5, six: 6, seven: 7, eight: 8, nine: 9, ten: 10 },
  ...{ eleven: 11, twelve: 12, fifteen: 15, twenty: 20, thirty: 30, forty: 40, fifty: 50, sixty: 60 },
};
const ENGLISH_WORD = new RegExp(`\\b(${Object.keys(ENGLISH).join('|')})\\b`, 'giu');

const DIGITS = '零一二三四五六七八九';
/** Before a measure word only: `统一` and `十分` count nothing. */
const CHINESE =
  /(?<![零一二两三四五六七八九十百千万])([一二两三四五六七八九])?(十)?([一二三四五六七八九])?(?=个|次|分钟|秒|小时|天|条|步|台|倍|种|项|层|级|年|月|日|号|类|名|位|周|点)/gu;

/** The figures, up to 99, that a text writes in words: `three times`, `三十秒`. */
export function figuresInWords(text: string): string[] {
  const figures: string[] = [];
  for (const [word] of text.matchAll(ENGLISH_WORD)) figures.push(String(ENGLISH[word.toLowerCase()]));
  for (const [, first, ten, last] of text.matchAll(CHINESE)) {
    const digit = (character: string | undefined) =>
      character === '两' ? 2 : DIGITS.indexOf(character ?? '零');
    // Two digits without a ten between them are a list.
    if (ten === undefined && (first === undefined) === (last === undefined)) continue;
    const units = ten === undefined ? digit(first) : (digit(first) || 1) * 10 + digit(last);
    figures.push(String(units));
  }
  return figures;
}
