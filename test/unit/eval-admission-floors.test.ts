import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import {
  deciding,
  highestFloor,
  keeps,
  type Measured,
  mustStay,
  reaching,
  wronglyRejected,
} from '../../eval/support/floor-counts.ts';
import { floorsFor, reachTable } from '../../eval/support/floor-tables.ts';
import { readPairs } from '../../eval/support/labelled-pairs.ts';
import { per } from '../../eval/support/markdown.ts';
import { measureCosines } from '../../eval/support/measure-cosines.ts';
import { readingsOf, taskIn } from '../../eval/support/readings.ts';
import { samplePairs, sampleRelations } from '../../eval/support/sample-pairs.ts';

const measured = (
  relation: Measured['relation'],
  cosines: readonly number[],
  set = 'en_sick_full',
): Measured => ({
  set,
  language: 'en',
  reading: 'sentence',
  relation,
  cosines,
});

/** A folder with invented sets under the names of the real ones. */
function dataOf(sets: Record<string, readonly object[]>): string {
  const data = mkdtempSync(join(tmpdir(), 'eval-admission-'));
  onTestFinished(() => rmSync(data, { recursive: true }));
  for (const [path, lines] of Object.entries(sets)) {
    mkdirSync(join(data, path, '..'), { recursive: true });
    writeFileSync(join(data, path), `${lines.map((line) => JSON.stringify(line)).join('\n')}\n`);
  }
  return data;
}

test('R4.1 the eval counts pairs at the floor as recall does, float32 rounding included', () => {
  const row = measured('duplicate', [0.2, 0.5 - 5e-7, 0.5, 0.9]);
  expect([0.1, 0.5, 0.50001, 0.95].map((floor) => reaching(row, floor))).toEqual([4, 3, 1, 0]);
});

test('R4.1 what a threshold alone would wrongly reject are pairs above it that hold something new', () => {
  const rows = [
    measured('duplicate', [0.9, 0.9]),
    measured('subset', [0.9]),
    measured('covers', [0.9]),
    measured('superset', [0.9, 0.4]),
    measured('conflict', [0.95, 0.6]),
    measured('complement', [0.7]),
    measured('none', [0.1]),
  ];
  expect([0, 0.5, 0.65, 0.92].map((floor) => wronglyRejected(rows, floor))).toEqual([6, 4, 3, 1]);
  expect(mustStay(rows)).toBe(6);
});

test('R4.1 the floor is the highest hundredth at which 99 % of the duplicates of every set are kept', () => {
  const many = (low: number, count: number) => [
    ...Array.from({ length: count }, () => low),
    ...Array.from({ length: 200 - count }, () => 0.9),
  ];
  const two_low = measured('duplicate', many(0.405, 2));
  const three_low = measured('duplicate', many(0.405, 3), 'zh_pawsx_dev');
  expect(highestFloor([two_low])).toBe(0.9);
  expect(highestFloor([two_low, three_low])).toBe(0.4);
  expect(keeps(three_low, 0.4)).toBe(true);
  expect(keeps(three_low, 0.41)).toBe(false);
  expect(highestFloor([])).toBeUndefined();
  expect(highestFloor([measured('duplicate', [-0.5])])).toBe(0);
  // Of other relations one in twenty may be lost.
  expect(highestFloor([measured('conflict', many(0.405, 10))])).toBe(0.9);
  expect(highestFloor([measured('conflict', many(0.405, 11))])).toBe(0.4);
});

test('R4.1 only sets with a hundred duplicates decide', () => {
  const enough = measured('duplicate', Array(100).fill(0.9));
  const few = measured('duplicate', Array(99).fill(0.1));
  const rows = [enough, few, measured('conflict', Array(100).fill(0.1))];
  expect(deciding(rows, true)).toEqual([enough]);
  const translated = { ...enough, language: 'en-zh' };
  expect(deciding([enough, translated], true)).toEqual([enough, translated]);
  expect(deciding([enough, translated], false)).toEqual([enough]);
});

test('the tables show the shipped floor, and fine steps where unrelated texts lie high', () => {
  const low = floorsFor([measured('none', [0.1, 0.2, 0.3])], 0.33);
  expect(low).toContain(0.33);
  expect([Math.min(...low), Math.max(...low), low.length]).toEqual([0.15, 0.9, 17]);
  const high = floorsFor([measured('none', [0.7, 0.8, 0.82])], 0.75);
  expect([Math.min(...high), Math.max(...high), high.length]).toEqual([0.75, 0.98, 12]);
  expect(reachTable([measured('duplicate', [0.1, 0.6, 0.9])], [0.5, 0.95])).toBe(
    [
      '| set | task | relation | pairs | 0.50 | 0.95 |',
      '| --- | --- | --- | ---: | ---: | ---: |',
      '| en_sick_full | sentence | duplicate | 3 | 66.6 | 0.0 |',
    ].join('\n'),
  );
  expect([per(999, 1000), per(9999, 10_000), per(3, 3)]).toEqual(['99.9', '99.9', '100']);
});

test('pairs are read newcomer against stored; labels that say two things are left out', () => {
  const data = dataOf({
    'pairs/en_sick_full.jsonl': [
      { id: 's1', lang: 'en', a: 'A dog runs.', b: 'A dog runs fast.', rel: 'subset' },
      { id: 's2', lang: 'en', a: 'A', b: 'B', rel: 'conflict_one_sided' },
      { id: 's3', lang: 'en', a: 'A', b: 'B', rel: 'none' },
    ],
    'doc-relations/zh_rev_tidb_docs.jsonl': [
      { id: 'd1', lang: 'zh', heading: '重启', stored: '旧。', new: '旧。新。', rel: 'superset' },
    ],
    'doc-relations/zh_tidb_siblings_and_random.jsonl': [
      {
        ...{ id: 'r1', lang: 'zh', heading_stored: '甲', heading_new: '乙' },
        ...{ stored: '一。', new: '二。', rel: 'sibling_weak_complement' },
      },
    ],
  });
  const sentences = readPairs(data, 'en_sick_full');
  expect(sentences.map(({ id, relation }) => [id, relation])).toEqual([
    ['s1', 'subset'],
    ['s3', 'none'],
  ]);
  const task = 'What is seen in the picture';
  expect(sentences[0]).toEqual({
    ...{
      id: 's1',
      set: 'en_sick_full',
      language: 'en',
      kind: 'sentence',
      label: 'subset',
      relation: 'subset',
    },
    new: { task, content: 'A dog runs.' },
    stored: { task, content: 'A dog runs fast.' },
  });
  expect(readPairs(data, 'zh_rev_tidb_docs')).toMatchObject([
    {
      relation: 'superset',
      new: { task: '重启', content: '旧。新。' },
      stored: { task: '重启', content: '旧。' },
    },
  ]);
  expect(readPairs(data, 'zh_tidb_siblings_and_random')).toMatchObject([
    { relation: 'complement', new: { task: '乙' }, stored: { task: '甲' } },
  ]);
});

test('a question and its translation are duplicates, beside another one’s translation they are not', () => {
  const lines = (text: (n: number) => string) =>
    Array.from({ length: 3 }, (_, n) => ({ _id: `q${n}`, text: text(n), answer: '' }));
  const data = dataOf({
    'retrieval/en_xquad/queries.jsonl': lines((n) => `Who is ${n}?`),
    'retrieval/xl_xquad_zhq_endoc/queries.jsonl': lines((n) => `谁是${n}？`).slice(0, 2),
  });
  expect(
    readPairs(data, 'xquad_questions_en_zh').map(({ relation, language, ...pair }) => [
      ...[relation, language],
      ...[pair.new.content, pair.stored.content],
    ]),
  ).toEqual([
    ['duplicate', 'en-zh', 'Who is 0?', '谁是0？'],
    ['none', 'en-zh', 'Who is 0?', '谁是1？'],
    ['duplicate', 'en-zh', 'Who is 1?', '谁是1？'],
    ['none', 'en-zh', 'Who is 1?', '谁是0？'],
  ]);
});

const section = { task: 'Restart', content: 'Drain the node first. Then restart it.\n\nMore.' };

test('R4.1 a text’s task: the sentence, the heading, the document’s fields, or the summary alone', () => {
  expect(readingsOf({ kind: 'sentence' })).toEqual(['sentence']);
  expect(readingsOf({ kind: 'section' })).toEqual(['entry', 'document', 'summary']);
  expect(taskIn('sentence', section)).toBe(section.content);
  expect(taskIn('entry', section)).toBe('Restart');
  expect(taskIn('summary', section)).toBe('Drain the node first. Then restart it.');
  expect(taskIn('document', section)).toBe(
    'Restart\nDrain the node first. Then restart it.\nRestart\nRetrieve when the question is about Restart.',
  );
});

const numbered = (set: string, rel: string, count: number) =>
  Array.from({ length: count }, (_, n) => ({
    id: `${set}-${rel}-${n}`,
    lang: 'en',
    a: `a${n}`,
    b: `b${n}`,
    rel,
  }));

test('samples are always the same, longer ones begin with the shorter, duplicates come threefold', () => {
  const data = dataOf({
    'pairs/en_sick_full.jsonl': [...numbered('s', 'duplicate', 40), ...numbered('s', 'conflict', 40)],
    'pairs/zh_ocnli_dev.jsonl': [...numbered('o', 'conflict', 2), ...numbered('o', 'covers', 9)],
  });
  const pairs = ['en_sick_full', 'zh_ocnli_dev'].flatMap((set) => readPairs(data, set));
  const ids = (some: { id: string }[]) => some.map(({ id }) => id);
  const counts = (some: typeof pairs) =>
    Object.fromEntries(
      [...Map.groupBy(some, ({ set, relation }) => `${set} ${relation}`)].map(([key, all]) => [
        key,
        all.length,
      ]),
    );
  const five = samplePairs(pairs, 5);
  expect(counts(five)).toEqual({
    'en_sick_full duplicate': 15,
    'en_sick_full conflict': 5,
    'zh_ocnli_dev conflict': 2,
    'zh_ocnli_dev covers': 5,
  });
  expect(ids(samplePairs(pairs.toReversed(), 5)).sort()).toEqual(ids(five).sort());
  expect(ids(samplePairs(pairs, 8))).toEqual(expect.arrayContaining(ids(five)));
  // From the sets in turn: what one set lacks comes from the other; `covers` names no one relation.
  expect(counts(sampleRelations(pairs, 10))).toEqual({
    'en_sick_full duplicate': 10,
    'en_sick_full conflict': 8,
    'zh_ocnli_dev conflict': 2,
  });
});

test('R4.1 cosines are of the two tasks as passages; one text on both sides is not embedded', async () => {
  const data = dataOf({
    'pairs/en_sick_full.jsonl': [
      { id: '1', lang: 'en', a: 'x', b: 'y', rel: 'duplicate' },
      { id: '2', lang: 'en', a: 'z', b: 'z', rel: 'duplicate' },
      { id: '3', lang: 'en', a: 'x', b: 'w', rel: 'none' },
    ],
  });
  const vectors: Record<string, number[]> = { x: [1, 0], y: [0.6, 0.8], w: [0, 1] };
  const asked: string[] = [];
  const told: string[] = [];
  const found = await measureCosines(
    {
      embed: async (texts, role) => {
        asked.push(...texts.map((text) => `${role} ${text}`));
        return texts.map((text) => vectors[text]!);
      },
    },
    readPairs(data, 'en_sick_full'),
    { signal: new AbortController().signal, tell: (progress) => told.push(progress) },
  );
  expect(
    found.map(({ relation, cosines }) => [relation, cosines.map((cosine) => cosine.toFixed(4))]),
  ).toEqual([
    ['duplicate', ['0.6000', '1.0000']],
    ['none', ['0.0000']],
  ]);
  expect(asked).toEqual(['passage x', 'passage y', 'passage w']);
  expect(told).toEqual(['3/3 tasks embedded']);
});
