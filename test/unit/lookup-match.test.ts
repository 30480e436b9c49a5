import { expect, test } from 'vitest';
import {
  confidenceOf,
  isUnique,
  type KnownItem,
  keywordMatch,
  levelOf,
  rankMatches,
} from '#lib/core/lookup-match.ts';

const SETTINGS = { vector_weight: 0.4, search_depth: 100, relevance_floor: 0.3 };
const QUERY = { text: 'pool size', vector: [1, 0] };

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
  by_text: { id: string; score: number }[] = [],
  known: (id: string) => KnownItem | undefined = (id) => item(id),
) => rankMatches(QUERY, keyword, { by_vector, by_text }, known, SETTINGS);
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
  expect([confidenceOf([l0('a')], true), confidenceOf([l0('a', false)], false)]).toEqual(['high', 'low']);
});
