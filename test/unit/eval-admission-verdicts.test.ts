import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, onTestFinished, test, vi } from 'vitest';
import * as z from 'zod';
import { createStandinModel } from '#lib/adapters/standin/model.ts';
import { startHttpStub } from '#test/support/http-stub.ts';
import { bodyOf, json } from '#test/support/openai-stub.ts';
import { admission } from '../../eval/admission.ts';
import { readOptions } from '../../eval/support/admission-options.ts';
import { judgeCases } from '../../eval/support/judge-cases.ts';
import type { LabelledPair } from '../../eval/support/labelled-pairs.ts';
import { siblingPools, wholeBase } from '../../eval/support/twin-pools.ts';
import { scoreVerdicts, verdictOn } from '../../eval/support/verdicts.ts';

const running = { signal: new AbortController().signal, tell: () => undefined };

/** A judge that says of each newcomer what stands in its content after `say:`. */
const obedient = {
  ...createStandinModel(),
  complete: async ({ input }: { input: unknown }) => {
    const Input = z.object({
      newcomer: z.object({ content: z.string() }),
      candidates: z.array(z.object({ id: z.string() })),
    });
    const { newcomer, candidates } = Input.parse(input);
    const type = /say:(\w+)/.exec(newcomer.content)?.[1] ?? 'none';
    if (type === 'nothing') return { text: 'I would rather not.', model: 'obedient' };
    const rejected = type === 'duplicate' || type === 'subset';
    const relations = candidates.map(({ id }) => ({ old_id: id, type, reverse_type: type }));
    return {
      text: JSON.stringify({ final_decision: rejected ? 'rejected' : 'approved', relations }),
      model: 'obedient',
    };
  },
};

const pair = (id: string, label: string, relation: LabelledPair['relation'], says: string): LabelledPair => ({
  ...{ id, set: 'en_sick_full', language: 'en', kind: 'sentence', label, relation },
  new: { task: 'T', content: `new ${id} say:${says}` },
  stored: { task: 'T', content: `stored ${id}` },
});

test('R4.2 verdicts are counted by label: right ones, knowledge lost, knowledge stored twice', async () => {
  const pairs = [
    pair('1', 'duplicate', 'duplicate', 'duplicate'),
    pair('2', 'duplicate', 'duplicate', 'complement'),
    pair('3', 'duplicate', 'duplicate', 'subset'),
    pair('4', 'conflict', 'conflict', 'conflict'),
    pair('5', 'conflict', 'conflict', 'duplicate'),
    pair('6', 'conflict', 'conflict', 'nothing'),
    pair('7', 'none', 'none', 'complement'),
    pair('8', 'none', 'none', 'prerequisite_of'),
    pair('9', 'not_duplicate', 'none', 'conflict'),
  ];
  expect(await scoreVerdicts(obedient, 8000, pairs, 3, running)).toEqual([
    {
      ...{ set: 'en_sick_full', language: 'en', label: 'duplicate', pairs: 3, calls: 3 },
      ...{
        said: { duplicate: 1, complement: 1, subset: 1 },
        right: 1,
        wrongly_rejected: 0,
        admitted_twice: 1,
      },
    },
    {
      ...{ set: 'en_sick_full', language: 'en', label: 'conflict', pairs: 3, calls: 5 },
      ...{
        said: { conflict: 1, duplicate: 1, unreadable: 1 },
        right: 1,
        wrongly_rejected: 1,
        admitted_twice: 0,
      },
    },
    {
      ...{ set: 'en_sick_full', language: 'en', label: 'none', pairs: 2, calls: 2 },
      ...{ said: { complement: 1, coined: 1 }, right: 1, wrongly_rejected: 0, admitted_twice: 0 },
    },
    {
      ...{ set: 'en_sick_full', language: 'en', label: 'not_duplicate', pairs: 1, calls: 1 },
      ...{ said: { conflict: 1 }, right: 1, wrongly_rejected: 0, admitted_twice: 0 },
    },
  ]);
});

test('R4.1 no model is asked about equal texts, nor about what may not be compared', async () => {
  const text = { task: 'T', content: 'Same words.' };
  const judged = (newcomer: object, stored: object | undefined) =>
    verdictOn(obedient, 8000, { ...text, ...newcomer }, stored && { ...text, ...stored });
  const equal = { said: 'duplicate', rejected: true, calls: 0 };
  const nothing = { said: 'none', rejected: false, calls: 0 };
  expect(await judged({}, { content: ' SAME  words.' })).toEqual(equal);
  expect(await judged({ scopes: ['org:a'] }, {})).toEqual(equal);
  expect(await judged({ scopes: ['org:a'] }, { scopes: ['org:b'] })).toEqual(nothing);
  expect(await judged({}, { scopes: ['org:b'] })).toEqual(nothing);
  expect(await judged({}, undefined)).toEqual(nothing);
});

test('R4.2 a case is right when relation and decision are; one of many stored texts is left out', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'eval-cases-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const file = join(folder, 'admission.json');
  const one = (id: string, says: string, relations: string[], decision: string) => ({
    ...{ id, relations, decision },
    stored: [{ task: 'T', content: 'stored' }],
    new: { task: 'T', content: `say:${says}` },
  });
  writeFileSync(
    file,
    JSON.stringify([
      one('A1', 'conflict', ['conflict'], 'approved'),
      one('A2', 'duplicate', ['conflict'], 'approved'),
      one('A3', 'none', ['none', 'complement'], 'approved'),
      { id: 'A16', stored: [], new: { task: 'T', content: 'x' }, relations: [], decision: 'approved' },
      { id: 'A20', stored: '50 entries', new: 'one of them', decision: 'rejected' },
    ]),
  );
  const judged = await judgeCases(file, obedient, 8000, running);
  expect(judged.map(({ id, said, calls, right }) => [id, said, calls, right])).toEqual([
    ['A1', 'conflict', 1, true],
    ['A2', 'duplicate', 1, false],
    ['A3', 'none', 1, true],
    ['A16', 'none', 0, true],
  ]);
});

const sections = Array.from({ length: 60 }, (_, n): LabelledPair => {
  const content = `Turn the valve ${n * 7} of line ${n} to ${n * 13} bar and note the figure ${n * 31}.`;
  return {
    ...{ id: `p${n}`, set: 'zh_rev_tidb_docs', language: 'en', kind: 'section', label: 'duplicate' },
    relation: 'duplicate',
    new: { task: `Valve ${n}`, content: `${content} Twice.` },
    stored: { task: `Valve ${n}`, content },
  };
});

test('R4.1 A20 among 50 siblings of one task the counterpart is found by its content, by the task alone by chance', () => {
  const [row, ...more] = siblingPools([
    ...sections,
    { ...sections[0]!, id: 'other', label: 'none', relation: 'none' },
  ]);
  expect(more).toEqual([]);
  expect(row).toMatchObject({ pool: 'one task', size: 50, newcomers: 60, ranked: 60, first: 60 });
  expect(row!.by_task).toBeLessThan(30);
});

test('R4.1 in the whole base the floor counts, and an item with the counterpart’s text is the counterpart', () => {
  const some = sections.slice(0, 12);
  const vectors = new Map(some.map(({ stored: { task } }, n) => [task, n === 3 ? [0, 1] : [1, n / 100]]));
  const found = wholeBase(some, 'entry', vectors, 0.5);
  expect(found).toMatchObject([{ pool: 'entry', size: 12, newcomers: 12, ranked: 12, first: 12 }]);
  const far = new Map([...vectors, ['Valve 3', [0, 0]]]);
  expect(wholeBase(some, 'entry', far, 0.5)).toMatchObject([{ newcomers: 12, ranked: 11, first: 11 }]);
});

test.each([
  [['--sets', 'en_sick'], '--sets: "en_sick" is none of'],
  [['--sample', '0'], '--sample: "0" is no number'],
  [['--embedder', 'magic'], '--embedder: "magic" is not known'],
  [['--embeddings', 'ftp://x'], '--embeddings: not an http or https URL'],
  [['--embedder', 'stand-in', '--embeddings', 'http://x'], 'one of them, not both'],
  [['--model', 'e5'], 'belong to --embeddings'],
  [['--models', 'http://x', '--writer', 'm'], 'only with --judge'],
  [['--judge', '--models', 'http://x'], '--writer NAME'],
  [['--judge', '--models', 'x', '--writer', 'm'], '--models: not an http or https URL'],
  [['--judge', '--bedrock', '--models', 'http://x', '--writer', 'm'], 'one of them'],
  [['--what'], "Unknown option '--what'"],
])('wrong options are named: %j', (args, problem) => {
  expect(readOptions(args, '../shared')).toContain(problem);
});

test('options name embedder and judge, the stand-in unless said otherwise', () => {
  const given = (...args: string[]) => readOptions(args, '../shared');
  expect(given()).toMatchObject({
    embeddings: undefined,
    writer: 'stand-in',
    judge: false,
    sample: undefined,
  });
  expect(given('--embeddings', 'http://e:1/v1', '--sample', '50')).toMatchObject({
    embeddings: { url: 'http://e:1/v1', model: 'multilingual-e5-small', dimensions: 384 },
    sample: 50,
  });
  expect(given('--judge', '--bedrock')).toMatchObject({ writer: { bedrock: 'amazon.nova-pro-v1:0' } });
  expect(given('--judge', '--models', 'http://m/v1', '--writer', 'qwen')).toMatchObject({
    writer: { models: 'http://m/v1', name: 'qwen' },
  });
});

let out: string[] = [];
let err: string[] = [];
beforeEach(() => {
  [out, err] = [[], []];
  vi.spyOn(console, 'log').mockImplementation((text) => void out.push(String(text)));
  vi.spyOn(console, 'error').mockImplementation((text) => void err.push(String(text)));
});
afterEach(() => vi.restoreAllMocks());

/** A folder `data` with one invented set, and `cases` beside it. */
function shared(lines: readonly object[]): string {
  const root = mkdtempSync(join(tmpdir(), 'eval-shared-'));
  onTestFinished(() => rmSync(root, { recursive: true }));
  for (const folder of ['data/pairs', 'cases']) mkdirSync(join(root, folder), { recursive: true });
  writeFileSync(
    join(root, 'data/pairs/en_sick_full.jsonl'),
    lines.map((line) => JSON.stringify(line)).join('\n'),
  );
  const one = { task: 'T', content: 'Port 80.' };
  const two = { task: 'T', content: 'Port 443.' };
  const conflict = { id: 'A1', stored: [one], new: two, relations: ['conflict'], decision: 'approved' };
  writeFileSync(join(root, 'cases/admission.json'), JSON.stringify([conflict]));
  return join(root, 'data');
}

const Shown = z.object({
  judge: z.string(),
  cases: z.array(z.object({ right: z.boolean() })),
  scored: z.array(
    z.object({ label: z.string(), pairs: z.number(), right: z.number(), wrongly_rejected: z.number() }),
  ),
});

test('R4.2 --judge asks an OpenAI-compatible server and scores what it says', async () => {
  const data = shared([
    { id: '1', lang: 'en', a: 'A dog runs.', b: 'A dog is running.', rel: 'duplicate' },
    { id: '2', lang: 'en', a: 'A dog runs.', b: 'No dog runs.', rel: 'conflict' },
  ]);
  const server = await startHttpStub((request) => {
    const sent = JSON.stringify(bodyOf(request));
    const old_id = /knowledge-[\w-]+/.exec(sent)?.[0];
    // Of all that is not about ports it says "duplicate".
    const type = sent.includes('Port 443') ? 'conflict' : 'duplicate';
    const verdict = {
      final_decision: type === 'conflict' ? 'approved' : 'rejected',
      relations: [{ old_id, type, reverse_type: type }],
    };
    return json(JSON.stringify({ choices: [{ message: { content: JSON.stringify(verdict) } }] }));
  });
  const args = ['--judge', '--models', `${server.url}/v1`, '--writer', 'qwen3', '--data', data];
  try {
    expect(await admission([...args, '--sets', 'en_sick_full', '--json'])).toBe(0);
  } finally {
    await server.stop();
  }
  expect(server.requests.map(({ url }) => url)).toEqual(Array(3).fill('/v1/chat/completions'));
  expect(Shown.parse(JSON.parse(out.join('')))).toEqual({
    judge: 'qwen3',
    cases: [{ right: true }],
    scored: [
      { label: 'duplicate', pairs: 1, right: 1, wrongly_rejected: 0 },
      { label: 'conflict', pairs: 1, right: 0, wrongly_rejected: 1 },
    ],
  });
});

test('R4.1 the exit code says whether the shipped floor keeps the true duplicates', async () => {
  const same = Array.from({ length: 100 }, (_, n) => ({
    ...{ id: `${n}`, lang: 'en', rel: 'duplicate' },
    ...{ a: `The dog number ${n} runs`, b: `The dog number ${n} is running` },
  }));
  const foreign = same.map((line, n) => (n < 2 ? { ...line, b: '完全不同的句子' } : line));
  expect(await admission(['--data', shared(same), '--sets', 'en_sick_full'])).toBe(0);
  expect(out.join('\n')).toMatch(/\| en_sick_full \| sentence \| 100 \| [\d.]+ \| [\d.]+ \| 0 \| yes \|/);
  expect(err).toEqual([]);
  expect(await admission(['--data', shared(foreign), '--sets', 'en_sick_full'])).toBe(1);
  expect(err.join('\n')).toMatch(/^The floor [\d.]+ of stand-in-hash-512 loses more than 1 %/);
  expect(await admission(['--nothing'])).toBe(2);
  expect(await admission(['--help'])).toBe(0);
});
