import fc from 'fast-check';
import { expect, test } from 'vitest';
import { matchKeywords } from '#lib/core/matching.ts';

const matches = (query: string, ...keywords: string[]) =>
  matchKeywords([{ id: 'x', keywords, keywords_by_author: true }], query).map(({ keyword }) => keyword);

test.each([
  ['hikaricp 参数调优', 'HikariCP', 'the query contains the keyword, whatever the case'],
  ['网关超时', '支付网关超时', 'the keyword contains the query'],
  ['今日はしりとりをした', 'しりとり', 'no spaces between words'],
  ['AI模型', 'AI', 'CJK beside Latin is a word bound'],
  ['模型AI', 'AI', 'on the other side too'],
  ['err_timeout', 'ERR_TIMEOUT', 'equal but for case'],
  ['what is ERR_TIMEOUT?', 'err_timeout', 'punctuation is a bound'],
  ['timeout', 'gateway timeout', '3 Latin characters and more'],
  ['超时', '网关超时', '2 CJK characters'],
  ['锁', '锁', 'a one-character keyword that is equal'],
  ['go', 'Go', 'a short query that is equal'],
  ['go modules', 'Go', 'a two-letter keyword in the query'],
  ['ＡＰＩ 网关', 'api', 'full width is NFKC’s business'],
  ['STRASSE', 'straße', 'ß is SS in upper case'],
  ['ΟΔΟΣ 12', 'οδος', 'a final sigma is a sigma'],
  ['connection   pool\nsize', 'connection pool', 'white space is one blank'],
  ['C++ memory leak', 'c++', 'a letter with signs is a name'],
  ['k8s-pod restarts', 'K8S', 'a hyphen is a bound'],
  ['𠮷野家の注文', '𠮷野家', 'characters beyond the basic plane'],
  ['🔥', '🔥', 'signs that are equal'],
  ['cafe\u0301 menu', 'café', 'a combining mark is composed'],
  ['ﾃﾞｰﾀ移行', 'データ', 'half-width katakana'],
])('R6.2 %j matches the keyword %j: %s', (query, keyword) => {
  expect(matches(query, keyword)).toEqual([keyword]);
});

test.each([
  ['job failed again', 'AI', 'inside a word'],
  ['capital costs', 'api', 'inside a word'],
  ['err', 'ERR_TIMEOUT', 'an underscore belongs to the word'],
  ['ERR_TIMEOUT_2', 'ERR_TIMEOUT', 'an underscore belongs to the word'],
  ['mysql8 upgrade', 'mysql', 'a digit belongs to the word'],
  ['a', 'a', 'a single Latin letter, equal or not'],
  ['7', '7', 'a single digit'],
  ['plan a', 'a', 'a single Latin letter in the query'],
  ['Ａ', 'a', 'a single letter in full width'],
  ['x\u0302', 'x\u0302', 'a single letter with a mark on it'],
  ['死锁排查', '锁', 'a one-character CJK keyword must be equal'],
  ['死锁排查', '锁!', 'a sign does not lengthen it'],
  ['锁', '死锁', 'a one-character query must be equal'],
  ['go', 'go modules', 'two Latin letters must be equal'],
  ['a锁', 'a锁表', 'a mixture counts by its share'],
  ['anything', '', 'an empty keyword'],
  ['anything', '  ', 'a blank keyword'],
  ['', 'anything', 'an empty query'],
  ['what now...', '...', 'signs alone must be equal'],
  ['x\u0302y', 'x', 'half of a character made of two'],
  ['cafe\u0301s', 'café', 'an accented letter belongs to the word'],
  ['あ\u3099い', 'あ', 'half of a CJK character made of two'],
])('R6.2 %j does not match the keyword %j: %s', (query, keyword) => {
  expect(matches(query, keyword)).toEqual([]);
});

test('R6.2 a later occurrence at word bounds is found', () => {
  expect(matches('failed, so the AI stopped', 'AI')).toEqual(['AI']);
});

test('R6.2 an item matches once, by its longest keyword; the order of the items stays', () => {
  const entries = [
    { id: 'b', keywords: ['pool', 'connection pool', 'dns'], keywords_by_author: false },
    { id: 'c', keywords: ['dns'], keywords_by_author: true },
    { id: 'a', keywords: ['Pool'], keywords_by_author: true },
  ];
  expect(matchKeywords(entries, 'connection pool size')).toEqual([
    { id: 'b', keyword: 'connection pool', by_author: false },
    { id: 'a', keyword: 'Pool', by_author: true },
  ]);
});

const text = fc.oneof(
  fc.string({ unit: 'grapheme', maxLength: 12 }),
  fc.string({ unit: 'binary', maxLength: 12 }),
  fc
    .array(fc.constantFrom('a', 'B', '_', '9', ' ', '锁', 'か', '\u3099', '\u0301', 'ß', 'ς', 'Σ', '𠮷', '+'))
    .map((characters) => characters.join('')),
);

test('R6.2 never throws, and a keyword that matches itself matches whatever its case and form', () => {
  fc.assert(
    fc.property(text, text, (query, keyword) => {
      matches(query, keyword);
      const itself = matches(keyword, keyword).length;
      for (const same of [keyword.toUpperCase(), keyword.normalize('NFKC'), keyword.normalize('NFD')])
        expect(matches(same, keyword)).toHaveLength(itself);
    }),
    { numRuns: 500 },
  );
});

test('R6.2 case and form of either side change nothing', () => {
  fc.assert(
    fc.property(text, text, (query, keyword) => {
      const plain = matches(query, keyword).length;
      expect(matches(query.toUpperCase(), keyword)).toHaveLength(plain);
      expect(matches(query.normalize('NFKC'), keyword)).toHaveLength(plain);
      expect(matches(query, keyword.toUpperCase())).toHaveLength(plain);
      expect(matches(query, keyword.normalize('NFD'))).toHaveLength(plain);
    }),
    { numRuns: 500 },
  );
});

test('R6.2 of two texts that are long enough, containment is found from both sides', () => {
  fc.assert(
    fc.property(text, fc.stringMatching(/^[a-zA-Z0-9]{3,8}$/), text, (before, part, after) => {
      const whole = `${before} ${part} ${after}`;
      expect(matches(whole, part)).toEqual([part]);
      expect(matches(part, whole)).toEqual([whole]);
    }),
  );
});
