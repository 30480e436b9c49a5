import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { reverseOf } from '#lib/core/relation-types.ts';
import { importEntry } from '#lib/usecases/import-entry.ts';
import { JudgeInput } from '#prompts/judge-relations.ts';
import { curator, knowledgeBase, stranger } from '#test/support/instance.ts';
import { pairwiseJudge } from '#test/support/scripted-model.ts';

interface Text {
  task: string;
  content: string;
  scopes?: string[];
}
interface Case {
  id: string;
  stored: Text[];
  new: Text;
  relations: string[];
  reverse?: string[];
  decision: 'approved' | 'rejected';
  model_calls?: number;
  note?: string;
}

const all: Case[] = JSON.parse(readFileSync('../shared/cases/admission.json', 'utf8'));
const pairs = all.filter(({ id }) => id !== 'A20');

/** A right judge has these answers, one at a time: A15 has two. */
const runs = pairs.flatMap((one) =>
  one.relations.length > 1 ? one.relations.map((type) => ({ ...one, relations: [type] })) : [one],
);

/** Where nobody is asked: an identical text (A5, A18), or nothing that may be compared (A16, A17, A19). */
const callsFor = ({ id, model_calls }: Case): number => model_calls ?? (id === 'A18' || id === 'A19' ? 0 : 1);

const near = () => [1, 0];

/** Stores what is stored, and takes the newcomer in with a judge that says `type`. */
async function play(one: Case) {
  const type = one.relations[0] ?? 'none';
  const base = knowledgeBase({ script: { embed: near, judge: pairwiseJudge(() => type) } });
  const [stored] = await Promise.all(
    one.stored.map(({ task, content, ...more }) => base.admitted(task, content, more)),
  );
  base.judgeCalls();
  const { task, content, ...more } = one.new;
  const newcomer = await base.admitted(task, content, more);
  return { base, stored, newcomer, type };
}

test.each(runs)('R4.1 R4.2 R4.3 R4.4 $id ($relations): $decision', async (one) => {
  const { base, stored, newcomer, type } = await play(one);
  const approved = one.decision === 'approved';
  const grounds = approved ? [] : [{ id: stored, type }];
  const relations =
    approved && stored !== undefined && type !== 'none'
      ? [{ to: stored, type, reverse: one.reverse?.[0] ?? reverseOf(type) }]
      : [];

  const { status, decision } = await base.row(newcomer);
  expect(status).toBe(one.decision);
  expect(decision).toMatchObject({
    status: one.decision,
    ...(!approved && { reason: 'known' }),
    grounds,
    relations,
  });
  expect(base.judgeCalls()).toBe(callsFor(one));

  const edges = relations.map(({ to, type }) => ({ type, target: to }));
  const back = relations.map(({ reverse }) => ({ type: reverse, target: newcomer }));
  expect(await base.relations(newcomer)).toEqual(edges);
  if (stored === undefined) return;
  expect(await base.relations(stored)).toEqual(back);
  expect(await base.helpful(stored)).toBe(approved ? 1 : 2);
  expect(await base.status(stored)).toBe('approved');
});

test.each(['A17', 'A19'])('R4.1 R6.8 %s leaves no trace of the private twin, nor on it', async (id) => {
  const { base, stored = '', newcomer } = await play(all.find((one) => one.id === id)!);
  const { decision } = await base.row(newcomer);
  expect(decision).toEqual({
    status: 'approved',
    attempt: 1,
    grounds: [],
    relations: [],
    lineage: newcomer,
    basis: 'no_candidates',
    decided_at: decision?.decided_at,
  });
  const entries = await base.ports.ledger.readAfter(0, 10);
  expect(JSON.stringify(entries.filter(({ item_id }) => item_id === newcomer))).not.toContain(stored);
  expect(await base.ports.evaluations.get(stored)).toBeUndefined();
});

test('R4.3 A18 the history row of a point names the newcomer, and whom it may be shown to', async () => {
  const { base, stored = '', newcomer } = await play(all.find((one) => one.id === 'A18')!);
  expect(await base.ports.evaluations.get(stored)).toEqual({
    lineage: stored,
    points: 1,
    pos: 2,
    history: [
      {
        source: 'dedup',
        related_id: newcomer,
        relation_type: 'duplicate',
        ground_id: stored,
        timestamp: (await base.row(newcomer)).decision?.decided_at,
        scopes: ['org:b'],
      },
    ],
  });
});

const TASK = 'Nightly benchmark of the parser';
const run = (n: number) =>
  `Run ${n}: ${(40 + n / 7).toFixed(2)} MB/s, p95 ${10 + (n % 9)} ms, ${n * 37} files.`;
const siblingId = (n: number) => `knowledge-20250101-000000-${n.toString(16).padStart(8, '0')}`;

async function fiftySiblings() {
  const base = knowledgeBase({ script: { embed: near, judge: pairwiseJudge(() => 'complement') } });
  for (let n = 1; n <= 50; n += 1)
    await importEntry(base.instance)(curator, siblingId(n), { task: TASK, content: run(n) });
  return base;
}

test('R4.1 A20 the twin is found among 50 siblings whose task vectors are all equal, without a model call', async () => {
  const base = await fiftySiblings();
  const newcomer = await base.admitted(TASK, run(17));
  expect((await base.row(newcomer)).decision).toMatchObject({
    status: 'rejected',
    reason: 'known',
    basis: 'identical',
    grounds: [{ id: siblingId(17), type: 'duplicate' }],
  });
  expect(base.judgeCalls()).toBe(0);
  const helpful = await Promise.all([16, 17, 18].map((n) => base.helpful(siblingId(n))));
  expect(helpful).toEqual([1, 2, 1]);
});

test('R4.1 of 50 siblings the judge sees ten, the reworded twin first, in one call', async () => {
  const base = await fiftySiblings();
  base.model.script.judge = pairwiseJudge((_, old) => (old.content === run(17) ? 'duplicate' : 'complement'));
  const newcomer = await base.admitted(TASK, run(17).replace('files', 'source files'));
  const [asked] = base.model.completions.filter(({ prompt }) => prompt.startsWith('judge-relations'));
  const { candidates } = JudgeInput.parse(asked?.input);
  expect([candidates.length, candidates[0]?.id]).toEqual([10, siblingId(17)]);
  expect(base.judgeCalls()).toBe(1);
  expect((await base.row(newcomer)).decision?.grounds).toEqual([{ id: siblingId(17), type: 'duplicate' }]);
  expect(await base.relations(newcomer, stranger)).toEqual([]);
});
