import { expect, test } from 'vitest';
import { ModelUnavailable } from '#lib/core/errors.ts';
import { judge } from '#lib/usecases/judge.ts';
import { entryView } from '#test/support/judge-views.ts';
import { type Answer, pairwiseJudge, scriptedModel } from '#test/support/scripted-model.ts';

const A = 'knowledge-20260317-143022-aaaaaaaa';
const B = 'knowledge-20260317-143023-bbbbbbbb';
const newcomer = entryView('Restart the gateway', 'Drain it, restart it.');
const candidates = [
  { id: A, ...entryView('Restart the gateway', 'Drain it.') },
  { id: B, ...entryView('Restart the gateway', 'Restart it only at night.') },
];
const reply = (final_decision: string, ...relations: [string, string][]) =>
  JSON.stringify({ final_decision, relations: relations.map(([old_id, type]) => ({ old_id, type })) });

/** Judges with a model that gives these answers in turn. */
async function judged(...answers: Answer[]) {
  const rest = [...answers];
  const model = scriptedModel({ judge: () => rest.shift() ?? new Error('asked once too often') });
  return { model, outcome: await judge(model)(newcomer, candidates) };
}

test('R4.2 a verdict takes one call and names the model', async () => {
  const model = scriptedModel({
    judge: pairwiseJudge((_, old) => (old.content === 'Drain it.' ? 'superset' : 'conflict')),
  });
  expect(await judge(model)(newcomer, candidates)).toEqual({
    kind: 'verdict',
    decision: 'approved',
    relations: [
      { to: A, type: 'superset', reverse: 'subset', ground: false },
      { to: B, type: 'conflict', reverse: 'conflict', ground: false },
    ],
    model: 'scripted-writer',
    calls: 1,
  });
  expect(model.completions.map(({ prompt, input, repairs }) => ({ prompt, input, repairs }))).toEqual([
    { prompt: 'judge-relations@2', input: { newcomer, candidates }, repairs: [] },
  ]);
});

test('R4.2 a rejection says which relations it rests on', async () => {
  const { outcome } = await judged(reply('rejected', [A, 'subset'], [B, 'conflict']));
  expect(outcome).toMatchObject({
    decision: 'rejected',
    relations: [
      { to: A, type: 'subset', reverse: 'superset', ground: true },
      { to: B, type: 'conflict', reverse: 'conflict', ground: false },
    ],
  });
});

test('R4.2 a coined type alone may be the ground of a rejection', async () => {
  const { outcome } = await judged(reply('rejected', [A, 'obsolete_by_policy'], [B, 'complement']));
  expect(outcome).toMatchObject({
    decision: 'rejected',
    relations: [
      { to: A, type: 'obsolete_by_policy', ground: true },
      { to: B, type: 'complement', ground: false },
    ],
  });
});

test('R4.5 a contradiction is sent back once with the reason, and the mended reply counts', async () => {
  const wrong = reply('approved', [A, 'duplicate']);
  const { model, outcome } = await judged(wrong, reply('rejected', [A, 'duplicate']));
  expect(outcome).toMatchObject({ kind: 'verdict', decision: 'rejected', calls: 2 });
  expect(model.completions[1]?.repairs).toEqual([
    { reply: wrong, problem: expect.stringContaining('final_decision is "approved"') },
  ]);
});

test('R4.5 a second contradiction is unreadable', async () => {
  const wrong = reply('approved', [A, 'duplicate']);
  const { outcome } = await judged(wrong, wrong, reply('approved'));
  expect(outcome).toMatchObject({ kind: 'unreadable', calls: 2 });
});

test('R4.5 an unreadable answer is asked for twice more, the same way, and then given up', async () => {
  const { model, outcome } = await judged('', 'I think so.', '{"final_decision":');
  expect(outcome).toEqual({
    kind: 'unreadable',
    problem: 'The reply holds no complete JSON object.',
    calls: 3,
  });
  expect(model.completions.map(({ repairs }) => repairs)).toEqual([[], [], []]);
});

test('R4.5 the third answer still counts, after a cut one and a contradiction too', async () => {
  const wrong = reply('rejected', [A, 'conflict']);
  for (const bad of [
    ['', ''],
    ['', wrong],
    [wrong, ''],
  ]) {
    const { outcome } = await judged(...bad, reply('approved', [A, 'conflict']));
    expect(outcome).toMatchObject({ kind: 'verdict', decision: 'approved', calls: 3 });
  }
});

test('R4.5 a model out of reach is the caller’s to wait for', async () => {
  const outage = new ModelUnavailable('throttled');
  await expect(judged(outage)).rejects.toBe(outage);
  await expect(judged('', outage)).rejects.toBe(outage);
});

test('a scripted model throws at whatever it was not told, and counts', async () => {
  const model = scriptedModel();
  await expect(judge(model)(newcomer, candidates)).rejects.toThrow(
    'not told how to answer "judge-relations"',
  );
  await expect(model.embed(['x'], 'query')).rejects.toThrow('not told how to answer "embed"');
  expect([model.calls(), model.calls('judge-relations'), model.calls('frontmatter')]).toEqual([1, 1, 0]);
  expect(model.embeds).toEqual([['x']]);
});
