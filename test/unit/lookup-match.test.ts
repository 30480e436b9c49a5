import { expect, test } from 'vitest';
import type { MeaningQuery } from '#lib/core/lookup-evidence.ts';
import {
  confidenceOf,
  isUnique,
  type KnownItem,
  keywordMatch,
  levelOf,
  rankMatches,
} from '#lib/core/lookup-match.ts';
import type { TextHit } from '#lib/core/rows.ts';

const SETTINGS = { vector_weight: 0.4, search_depth: 100, relevance_floor: 0.3, relevance_floor_across: 0.1 };
const QUERY: MeaningQuery = { text: 'pool size', vector: [1, 0], by_words_alone: false };

const item = (id: string, more: Partial<KnownItem> = {}): KnownItem => ({
  id,
  kind: 'document',
  path: `infra/${id}.md`,
  title: '',
  domain: 'infra',
  covers: [],
  keywords: [],
  keywords_by_author: true,
  scopes: [],
  ...more,
});
const hit = (id: string, vector: number[], text = '', section = 0) => ({
  id,
  section,
  heading: 'H',
  text,
  vector,
});
const l0 = (id: string, by_author = true) => keywordMatch(item(id), { id, keyword: 'pool', by_author });
const rank = (
  keyword: ReturnType<typeof l0>[],
  by_vector: ReturnType<typeof hit>[],
  by_text: TextHit[] = [],
  known: (id: string) => KnownItem | undefined = (id) => item(id),
  query: Partial<MeaningQuery> = {},
) => rankMatches({ ...QUERY, ...query }, keyword, { by_vector, by_text }, known, SETTINGS);
const ids = (matches: { id: string }[]) => matches.map(({ id }) => id);

test('R6.3 L0 matches rank first, those that L1 found too in its order', () => {
  const matches = rank(
    [l0('a'), l0('b'), l0('c')],
    [hit('far', [1, 0.1]), hit('c', [1, 1]), hit('b', [1, 3])],
  );
  expect(ids(matches)).toEqual(['c', 'b', 'a', 'far']);
  expect(matches.map(({ score }) => score)).toEqual([1, 1, 1, 0.4]);
});

test('R6.3 a hit counts if it is near, or has a third of the telling words; one that is neither is none', () => {
  const matches = rank(
    [],
    [hit('near', [1, 1]), hit('words', [0, 1], 'the size of it'), hit('neither', [0.1, 1], 'far off')],
    [{ id: 'neither', score: 9 }],
  );
  expect(matches.map(({ id, by_meaning, by_words }) => [id, by_meaning, by_words])).toEqual([
    ['near', true, false],
    ['words', false, true],
  ]);
});

test('R6.3 R6.4 what is found by words alone is judged by the section that has them, and shown by it', () => {
  const section = { n: 2, heading: 'H', text: 'the size of it' };
  const elsewhere = { n: 0, heading: 'H', text: 'of other things' };
  const matches = rank(
    [],
    [],
    [
      { id: 'words', score: 9, section },
      { id: 'other', score: 8, section: elsewhere },
      { id: 'title', score: 7 },
    ],
  );
  expect(matches.map(({ id, by_words, section }) => [id, by_words, section])).toEqual([
    ['words', true, section],
  ]);
});

test('R6.3 where something relevant is stored the first of the ranking is a match, whatever speaks for it', () => {
  // Found by BM25 alone: of its text nothing is known but that it ranks first.
  const by_text = [
    { id: 'first', score: 9 },
    { id: 'near', score: 8 },
    { id: 'third', score: 1 },
  ];
  const found = (vector: number[], query: Partial<MeaningQuery> = { by_words_alone: true }) =>
    ids(rank([], [hit('near', vector)], by_text, undefined, query));
  expect(
    rank([], [hit('near', [1, 1])], by_text.slice(0, 1), undefined, { by_words_alone: true }),
  ).toMatchObject([
    { id: 'first', by_meaning: false, by_words: false },
    { id: 'near', by_meaning: true },
  ]);
  expect(found([1, 1])).toEqual(['near']);
  expect(found([0.1, 1])).toEqual([]);
});

test('R6.3 BM25 counts by the share of the telling terms that its best text has; the rest is left to the vectors', () => {
  const hits = [
    hit('by-meaning', [1, 0.1], 'of something else'),
    hit('by-words', [1, 2], 'the pool is full'),
  ];
  const by_text = [
    { id: 'by-words', score: 9 },
    { id: 'by-meaning', score: 1 },
  ];
  const scores = (query: Partial<MeaningQuery>) =>
    rank([], hits, by_text, (id) => item(id), query).map(({ id, score }) => [id, score]);
  expect(scores({ text: 'pool of water' })).toEqual([
    ['by-meaning', 0.4],
    ['by-words', expect.closeTo(0.6 / 2, 10)],
  ]);
  expect(scores({ text: 'how is the pool?' })).toEqual([
    ['by-words', 0.6],
    ['by-meaning', 0.4],
  ]);
  expect(scores({ text: 'pool of water', by_words_alone: true })).toEqual([
    ['by-words', 0.6],
    ['by-meaning', 0.4],
  ]);
});

test('R6.3 what is asked in one language is near a text of another from a floor of its own on', () => {
  const english = hit('a', [0.2, 1], 'Nothing of what was asked stands here in the same words.');
  const near = (text: string, section = english) =>
    ids(rank([], [section], [], undefined, { text })).length > 0;
  expect(near('连接池的大小怎么设置才合适')).toBe(true);
  expect(near('how large a connection pool ought to be')).toBe(false);
  expect(near('how large a connection pool ought to be', { ...english, text: '这里讲的是别的事情' })).toBe(
    true,
  );
  // A word or two, often a name, is in no language.
  expect(near('连接池')).toBe(false);
  expect(near('Kafka', { ...english, text: '这里讲的是别的事情' })).toBe(false);
});

test('R6.3 words count as found where a text has all of the terms that its language can have', () => {
  const far = (text: string) => hit('a', [0, 1], text);
  const found = (query: string, text: string) =>
    ids(rank([], [far(text)], [], undefined, { text: query })).length > 0;
  expect(found('黑豹队的 Kawann Short 有多少次擒杀', 'Kawann Short led the team in sacks')).toBe(true);
  expect(found('黑豹队的 Kawann Short 有多少次擒杀', 'Short passes led the team to victory')).toBe(false);
  expect(found('黑豹队有多少次擒杀', 'Kawann Short led the team in sacks')).toBe(false);
  expect(found('黑豹队的 Kawann Short 有多少次擒杀', 'Kawann Short 是一名球员')).toBe(false);
});

test('R6.3 the floor itself is near enough, and just below it is not', () => {
  const settings = { ...SETTINGS, relevance_floor: 0.6 };
  const near = (vector: number[]) =>
    rankMatches(QUERY, [], { by_vector: [hit('a', vector)], by_text: [] }, (id) => item(id), settings);
  expect(near([3, 4])).toMatchObject([{ id: 'a', by_meaning: true }]);
  expect(near([2.99, 4])).toEqual([]);
});

test('R6.3 words are looked for in title, keywords, covers, and the heading and text of the section', () => {
  const query = { text: 'violin' };
  const worded = (more: Partial<KnownItem>, section = hit('a', [0, 1])) =>
    rank([], [section], [], (id) => item(id, more), query).map(({ by_words }) => by_words);
  expect(worded({ title: 'A violin' })).toEqual([true]);
  expect(worded({ keywords: ['bow', 'violin'] })).toEqual([true]);
  expect(worded({ covers: ['violin', 'strings'] })).toEqual([true]);
  expect(worded({}, { ...hit('a', [0, 1]), heading: 'Violin' })).toEqual([true]);
  expect(worded({}, hit('a', [0, 1], 'of a violin'))).toEqual([true]);
  expect(worded({ title: 'vio', keywords: ['lin'], covers: ['violinist'] })).toEqual([]);
});

test('R6.3 one of three telling words is enough, one of four is not', () => {
  const found = (text: string) => ids(rank([], [hit('a', [0, 1], 'the violin')], [], undefined, { text }));
  expect(found('violin bridge varnish')).toEqual(['a']);
  expect(found('violin bridge varnish rosin')).toEqual([]);
});

test('R6.3 of several sections the words are looked for in the nearest', () => {
  const sections = [hit('a', [0.2, 1], 'the violin', 3), hit('a', [0.1, 1], 'of other things', 5)];
  const words = (by_vector: ReturnType<typeof hit>[]) =>
    rank([], by_vector, [], undefined, { text: 'violin' }).map(({ section, by_words }) => [
      section?.n,
      by_words,
    ]);
  expect([words(sections), words(sections.toReversed())]).toEqual([[[3, true]], [[3, true]]]);
  const [nearer, further] = [hit('a', [0.2, 1], 'of other things'), hit('a', [0.1, 1], 'the violin')];
  expect([words([nearer, further]), words([further, nearer])]).toEqual([[], []]);
});

test('R6.3 three telling words are of a language, two are a name', () => {
  const section = hit('a', [0.2, 1], '这里讲的是别的事情');
  const near = (text: string) => ids(rank([], [section], [], undefined, { text }));
  expect(near('violin bridge varnish')).toEqual(['a']);
  expect(near('violin bridge')).toEqual([]);
});

test('R6.2 R6.3 what L0 found alone is its item, found by keyword and by nothing else', () => {
  expect(rank([l0('a', false)], [])).toEqual([
    { ...item('a'), score: 1, keyword: true, by_author: false, by_meaning: false, by_words: false },
  ]);
});

test('R6.3 what L1 found alone is its item with the section, by no keyword of anybody', () => {
  expect(rank([], [hit('a', [1, 0], 'pool size', 4)])).toEqual([
    {
      ...item('a'),
      score: 0.4,
      keyword: false,
      by_author: false,
      by_meaning: true,
      by_words: true,
      section: { n: 4, heading: 'H', text: 'pool size' },
    },
  ]);
});

test('R6.8 R6.9 a hit that the catalog does not show is dropped before anything is ranked by it', () => {
  const known = (id: string) => (id === 'gone' ? undefined : item(id));
  const matches = rank([], [hit('gone', [1, 0]), hit('a', [1, 1])], [{ id: 'gone', score: 5 }], known);
  expect(matches).toMatchObject([{ id: 'a', score: 0.4 }]);
});

test('R6.3 a vector of another length is another model’s and says nothing', () => {
  expect(rank([], [hit('a', [1, 0, 0])])).toEqual([]);
});

test('R6.4 an L1 hit shows its best section; an L0 match only if the meaning points into it', () => {
  const sections = [hit('a', [1, 2], '', 4), hit('a', [1, 1], '', 7), hit('b', [0, 1], '', 2)];
  expect(rank([l0('a'), l0('b')], sections).map(({ section }) => section?.n)).toEqual([7, undefined]);
  expect(rank([], sections).map(({ section }) => section?.n)).toEqual([7]);
});

test('R6.2 exactly one match by an author’s keyword is unique', () => {
  expect([[l0('a')], [l0('a', false)], [l0('a'), l0('b')], []].map(isUnique)).toEqual([
    true,
    false,
    false,
    false,
  ]);
});

test('R6.1 the level names what the matches came from', () => {
  const l1 = rank([], [hit('a', [1, 0])]);
  expect(levelOf([...l1, l0('b')], true)).toBe('L0+L1');
  expect([levelOf([], true), levelOf(l1, true), levelOf([l0('a')], true), levelOf([l0('a')], false)]).toEqual(
    ['none', 'L1', 'L0+L1', 'L0'],
  );
});

test('R6.1 L1 is sure when meaning and words agree on its first', () => {
  const near = rank([], [hit('a', [1, 0])]);
  const both = rank([], [hit('a', [1, 0], 'pool size')]);
  expect([confidenceOf([], false), confidenceOf(near, false), confidenceOf(both, false)]).toEqual([
    'none',
    'low',
    'high',
  ]);
  const words = rank([], [hit('a', [0, 1], 'pool size')]);
  const keyword_too = rank([l0('a', false)], [hit('a', [1, 0], 'pool size')]);
  expect([confidenceOf(words, false), confidenceOf(keyword_too, false)]).toEqual(['low', 'low']);
  expect([confidenceOf([l0('a')], true), confidenceOf([l0('a', false)], false)]).toEqual(['high', 'low']);
});
