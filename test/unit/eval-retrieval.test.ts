import { execFile } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, expect, test } from 'vitest';
import { createStandinModel } from '#lib/adapters/standin/model.ts';
import { byRule, floorRows, lostBy, servedBy } from '../../eval/support/relevance-floors.ts';
import { rankOf, summaryOf } from '../../eval/support/retrieval-measure.ts';
import { readOptions } from '../../eval/support/retrieval-options.ts';
import { measureSet, openWorlds } from '../../eval/support/retrieval-run.ts';
import { readSet, spread } from '../../eval/support/retrieval-sets.ts';
import { missed } from '../../eval/support/retrieval-tell.ts';
import { measureRouting } from '../../eval/support/routing.ts';
import { leaveOneOut } from '../../eval/support/weight-check.ts';

const DATA = mkdtempSync(join(tmpdir(), 'knowhub-eval-'));
const FOLDER = join(DATA, 'retrieval');
afterAll(() => rmSync(DATA, { recursive: true, force: true }));

const DOCUMENTS = [
  {
    _id: 'kiln/glaze',
    title: 'Glaze faults',
    text: 'A crawling glaze leaves bare clay: the bisque was dusty.',
    keywords: ['crawling'],
    tag: null,
  },
  {
    _id: 'kiln/firing',
    title: 'Firing schedule',
    text: 'Heat slowly until the water is gone, then soak at cone six.',
    keywords: ['cone six', 'soak'],
  },
  {
    _id: 'hive/swarm',
    title: 'Swarming',
    text: 'A crowded hive raises queen cells. Split the colony before it leaves.',
    keywords: ['queen cells'],
    category: 'bees',
  },
];
const QUERIES = [
  { _id: 'q1', text: 'soak', right: 'kiln/firing' },
  { _id: 'q2', text: 'why do crowded colonies raise queen cells', right: 'hive/swarm' },
  { _id: 'q3', text: 'bare clay under the glaze', right: 'kiln/glaze' },
  { _id: 'q4', text: 'bisque', right: 'hive/swarm' },
];

function writeSet(name: string): void {
  const folder = join(FOLDER, name);
  const lines = (rows: readonly object[]) => rows.map((row) => JSON.stringify(row)).join('\n');
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, 'corpus.jsonl'), lines(DOCUMENTS));
  writeFileSync(join(folder, 'queries.jsonl'), lines(QUERIES.map(({ _id, text }) => ({ _id, text }))));
  const rows = QUERIES.map(({ _id, right }) => `${_id}\t${right}\t1`);
  writeFileSync(
    join(folder, 'qrels.tsv'),
    ['query-id\tcorpus-id\tscore', ...rows, 'q1\tkiln/glaze\t0'].join('\n'),
  );
}
writeSet('own');
writeSet('own_keyword');

const QUIET = { signal: new AbortController().signal, tell: () => undefined };

test('FIGURES R@1, R@5 and MRR@10 are shares of all questions', () => {
  expect(summaryOf([1, 2, 0, 6])).toEqual({ r1: 0.25, r5: 0.5, mrr: (1 + 1 / 2 + 1 / 6) / 4 });
  expect(rankOf(['a', 'b', 'c'], new Set(['c', 'b']))).toBe(2);
  expect(rankOf([...'abcdefghijk'], new Set(['k']))).toBe(0);
  expect(rankOf([], new Set(['a']))).toBe(0);
});

test('FIGURES a set is read as written; a grade of 0 is no answer, fewer questions are spread evenly', () => {
  const set = readSet(FOLDER, 'own');
  expect(set.documents.map(({ id, keywords, labels, group }) => [id, keywords, labels, group])).toEqual([
    ['kiln/glaze', ['crawling'], [], 'kiln'],
    ['kiln/firing', ['cone six', 'soak'], [], 'kiln'],
    ['hive/swarm', ['queen cells'], ['bees'], 'hive'],
  ]);
  expect(set.queries[0]).toEqual({ id: 'q1', text: 'soak', right: new Set(['kiln/firing']) });
  expect(readSet(FOLDER, 'own', 2).queries.map(({ id }) => id)).toEqual(['q1', 'q3']);
  expect([spread([1, 2, 3, 4, 5], 5), spread([1, 2], 9)]).toEqual([
    [1, 2, 3, 4, 5],
    [1, 2],
  ]);
});

test('FIGURES the product’s own lookup is ranked beside its sides; keywords help in L0 alone', async () => {
  const worlds = openWorlds(createStandinModel(), QUIET);
  const { ranks, without_l0 } = await measureSet(worlds, readSet(FOLDER, 'own_keyword'), true, QUIET);
  // The last question has the wrong answer for its right one: a faithful count does not find it.
  expect(ranks.bm25).toEqual([1, 1, 1, 0]);
  expect(ranks.shipped).toEqual([1, 1, 1, 0]);
  expect(without_l0).toEqual([1, 1, 1, 0]);
  expect(ranks.vectors.slice(0, 3)).toEqual([1, 1, 1]);
  // What one side does not find comes last, and is ranked all the same.
  expect(ranks.fused.get('none 0')).toEqual([1, 1, 1, 3]);
  expect(ranks.fused.get('by words 1')).toEqual(ranks.vectors);
  expect(ranks.first.map((support) => support?.by_words)).toEqual([true, true, true, undefined]);
});

test('FIGURES a floor loses what lies below it without words, and the highest that loses little is the rule’s', () => {
  const support = (same: number, by_words = false) => ({ same, across: -1, by_words });
  const first = [support(0.8), support(0.72), support(0.5, true), undefined];
  expect(lostBy(first, { same: 0.75, across: 0.5 })).toBe(0.25);
  const served = [
    { same: 0.74, across: -1, by_words: false },
    { same: 0.6, across: -1, by_words: true },
    { same: 0.6, across: -1, by_words: false },
  ];
  expect(servedBy(served, { same: 0.73, across: 2 })).toBeCloseTo(2 / 3, 10);
  const foreign = [{ set: 'own', corpus: 'other', by_keyword: false, served }];
  const rows = floorRows('same', [{ name: 'own', first }], foreign, { same: 0, across: 0.5 }, [0.7, 0.75]);
  expect(rows.map(({ floor, lost }) => [floor, lost])).toEqual([
    [0.7, 0],
    [0.71, 0],
    [0.72, 0],
    [0.73, 0.25],
    [0.74, 0.25],
    [0.75, 0.25],
  ]);
  expect(byRule(rows)).toBe(0.72);
});

test('FIGURES a set left out is given the fusion that is best on the others', () => {
  const fused = (good: string) =>
    new Map(
      ['none 0', 'none 0.4', 'by words 0.4'].map((key) => [key, key === good ? [1, 1] : [1, 0]] as const),
    );
  const sets = ['none 0.4', 'none 0.4', 'none 0'].map((good, n) => ({ name: `s${n}`, fused: fused(good) }));
  expect(leaveOneOut(sets).at(-1)).toEqual({
    ...{ set: 's2', chosen: { damping: 'none', weight: 0.4 }, r1: 0.5, best: 1 },
  });
});

test('FIGURES a bar that is missed is named: the better side, or BM25 for a stand-in', () => {
  const share = (r1: number) => ({ r1, r5: r1, mrr: r1 });
  const set = {
    ...{ set: 'own', documents: 3, queries: 4, carried: '', without_l0: undefined },
    ...{ shipped: share(0.85), bm25: share(0.84), vectors: share(0.9) },
  };
  const facts = {
    ...{ embedder: 'e', command: '', sample: undefined, sets: [set, set], weights: [], left_out: [] },
    shipped_fusion: { damping: 'none', weight: 0 } as const,
  };
  expect(missed({ ...facts, stand_in: true })).toEqual([]);
  expect(missed({ ...facts, stand_in: false })).toEqual(Array(2).fill('own: .850 is below .900'));
  const low = { ...set, shipped: share(0.7), bm25: share(0.7), vectors: share(0.6) };
  expect(missed({ ...facts, stand_in: false, sets: [low, low] })).toEqual([
    'the mean R@1 of L1 is .700, below 0.8',
  ]);
});

test('FIGURES R5.3 a question is routed to the domain whose text matches it best', async () => {
  const { corpora, groups } = await measureRouting(createStandinModel(), [readSet(FOLDER, 'own')], QUIET);
  expect(corpora).toMatchObject([{ set: 'own', domains: 1, right: { none: 1, generated: 1 } }]);
  const [row] = groups;
  expect(row).toMatchObject({ set: 'own', domains: 2 });
  // "Soak" and "crowded colonies" stand in no title.
  expect(row!.right.none).toBeLessThan(row!.right["authors'"]!);
});

test('FIGURES what is no option is said, and nothing is measured', () => {
  const of = (...args: string[]) => readOptions(args, '/data');
  expect([
    of('--sets', 'nowhere'),
    of('--only', 'speed'),
    of('--sample', '0'),
    of('--embedder', 'e5'),
    of('--embedder', 'standin', '--embeddings', 'http://x/v1'),
    of('--model', 'm'),
    of('--embeddings', 'file:///x'),
    of('--fast'),
  ]).toEqual([
    expect.stringContaining('--sets: "nowhere" is none of'),
    expect.stringContaining('--only: "speed" is none of'),
    '--sample: "0" is no number',
    expect.stringContaining('--embedder: "e5" is not known'),
    '--embedder and --embeddings: one of them, not both',
    '--model and --dimensions belong to --embeddings URL',
    '--embeddings: not an http or https URL: file:///x',
    expect.stringContaining("Unknown option '--fast'"),
  ]);
  expect(of('--embeddings', 'http://x/v1', '--sets', 'en_xquad')).toMatchObject({
    sets: ['en_xquad'],
    embeddings: { url: 'http://x/v1', model: 'multilingual-e5-small', dimensions: 384 },
  });
});

test('FIGURES npm run eval -- retrieval prints its tables, and 1 when a bar is missed', async () => {
  const run = promisify(execFile)(process.execPath, [
    ...['eval/run.ts', 'retrieval', '--data', DATA, '--sets', 'own', '--json'],
  ]);
  const { stdout } = await run;
  const { ranking, floor, routing } = JSON.parse(stdout) as Record<string, Record<string, unknown>>;
  expect(ranking).toMatchObject({
    ...{ embedder: 'stand-in-hash-512', stand_in: true },
    sets: [{ set: 'own', documents: 3, queries: 4, shipped: { r1: 0.75 }, bm25: { r1: 0.75 } }],
  });
  expect(floor).toMatchObject({ sets: [{ name: 'own' }], foreign: [] });
  expect(routing).toMatchObject({ writer: 'stand-in-rules' });
});
