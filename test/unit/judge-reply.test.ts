import { readFileSync } from 'node:fs';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import * as z from 'zod';
import { readJudgeReply } from '#lib/core/judge-reply.ts';
import { cpuMs } from '#test/support/cpu-ms.ts';

const file = z.object({
  offered: z.array(z.string()),
  cases: z.array(
    z.looseObject({
      id: z.string(),
      reply: z.string(),
      decision: z.enum(['approved', 'rejected']).optional(),
      edges: z.number().optional(),
      helpful: z.number().optional(),
      why: z.string().default(''),
    }),
  ),
});
const { offered, cases } = file.parse(
  JSON.parse(readFileSync(new URL('../../../shared/cases/judge-replies.json', import.meta.url), 'utf8')),
);
const [A, B] = offered as [string, string];
const reply = (final_decision: string, relations: unknown[]) => JSON.stringify({ final_decision, relations });

/** What would come of a reply, in the words of cases/judge-replies.json. */
function outcome(raw: string) {
  const read = readJudgeReply(raw, offered);
  if (read.kind !== 'verdict') return { refused: read.kind };
  const helpful = read.grounds.filter(({ type }) => type === 'duplicate' || type === 'subset').length;
  return {
    decision: read.decision,
    edges: read.decision === 'approved' ? read.relations.length : 0,
    helpful,
  };
}

for (const { id, reply: raw, why, decision, edges, helpful, then: refused } of cases) {
  test(`R4.5 ${id} ${why}`, () => {
    expect(outcome(raw)).toEqual(refused ? { refused } : { decision, edges, helpful: helpful ?? 0 });
  });
}

test('R2.4 a known type has its fixed inverse, whatever the reply says', () => {
  const raw = reply('approved', [
    { old_id: A, type: 'superset', reverse_type: 'none' },
    { old_id: B, type: 'conflict' },
  ]);
  expect(readJudgeReply(raw, offered)).toEqual({
    kind: 'verdict',
    decision: 'approved',
    relations: [
      { old_id: A, type: 'superset', reverse_type: 'subset' },
      { old_id: B, type: 'conflict', reverse_type: 'conflict' },
    ],
    grounds: [],
  });
});

test('R2.4 a coined type brings its own inverse', () => {
  const relations = [{ old_id: A, type: 'prerequisite_of', reverse_type: 'requires' }];
  expect(readJudgeReply(reply('approved', relations), offered)).toMatchObject({ relations });
});

test.each([{}, { reverse_type: null }, { reverse_type: '' }])(
  'R2.4 a coined type without an inverse is its own: %j',
  (more) => {
    const raw = reply('approved', [{ old_id: A, type: 'translation_of', ...more }]);
    expect(readJudgeReply(raw, offered)).toMatchObject({
      relations: [{ old_id: A, type: 'translation_of', reverse_type: 'translation_of' }],
    });
  },
);

test('R2.4 a coined type whose inverse is a known one is sent back: that side would be in the wrong cache', () => {
  const raw = reply('approved', [{ old_id: A, type: 'mirror_of', reverse_type: 'duplicate' }]);
  expect(readJudgeReply(raw, offered)).toEqual({
    kind: 'repair',
    problem: `The relation to ${A} is "mirror_of" one way and "duplicate" the other. The inverse of a known type is known: give a type of your own for both ways, or a known one.`,
  });
  const one_sided = reply('approved', [{ old_id: A, type: 'mirror_of', reverse_type: 'none' }]);
  expect(readJudgeReply(one_sided, offered).kind).toBe('verdict');
});

test('R4.5 capitals in a verdict do no harm', () => {
  const raw = reply('Rejected', [{ old_id: A, type: ' Duplicate ', reverse_type: 'DUPLICATE' }]);
  expect(readJudgeReply(raw, offered)).toMatchObject({
    decision: 'rejected',
    relations: [{ old_id: A, type: 'duplicate', reverse_type: 'duplicate' }],
  });
});

test('R4.3 a rejection rests on its duplicates and subsets, and keeps the rest beside them', () => {
  const raw = reply('rejected', [
    { old_id: A, type: 'subset', reverse_type: 'superset' },
    { old_id: B, type: 'obsolete_by_policy', reverse_type: 'current_policy' },
  ]);
  expect(readJudgeReply(raw, offered)).toEqual({
    kind: 'verdict',
    decision: 'rejected',
    relations: [
      { old_id: A, type: 'subset', reverse_type: 'superset' },
      { old_id: B, type: 'obsolete_by_policy', reverse_type: 'current_policy' },
    ],
    grounds: [{ id: A, type: 'subset' }],
  });
});

test('R4.5 none beside another type for one id yields to it, in either order', () => {
  const none = { old_id: A, type: 'none', reverse_type: 'none' };
  const complement = { old_id: A, type: 'complement', reverse_type: 'complement' };
  for (const relations of [
    [none, complement],
    [complement, none],
  ]) {
    expect(readJudgeReply(reply('approved', relations), offered)).toMatchObject({
      relations: [complement],
    });
  }
});

test('R4.5 two different types for one id are sent back', () => {
  const raw = reply('rejected', [
    { old_id: A, type: 'duplicate' },
    { old_id: A, type: 'conflict' },
  ]);
  expect(readJudgeReply(raw, offered)).toEqual({
    kind: 'repair',
    problem: `Two different relations to ${A}: "duplicate" and "conflict". Give the one that fits best.`,
  });
});

test('R4.5 two verdicts in one reply are sent back, the same one twice is read', () => {
  const approved = reply('approved', []);
  expect(readJudgeReply(`${approved} or ${reply('rejected', [])}`, offered).kind).toBe('repair');
  expect(readJudgeReply(`${approved}\n\n${approved}`, offered).kind).toBe('verdict');
});

test('R4.5 a cut reply is not read from the complete object inside it', () => {
  const raw = `{"final_decision":"approved","relations":[{"old_id":"${A}","type":"complement"}`;
  expect(readJudgeReply(raw, offered).kind).toBe('retry');
});

test('R4.5 a complete object of another shape is sent back', () => {
  expect(readJudgeReply('{"decision":"approved"}', offered).kind).toBe('repair');
  expect(readJudgeReply('null', offered).kind).toBe('retry');
});

test('R4.5 a verdict in the call of a tool is read, with its relations as text', () => {
  const relations = [{ old_id: ` ${A} `, type: 'complement', reverse_type: 'complement' }];
  const input = { final_decision: 'approved', relations: JSON.stringify(relations) };
  expect(readJudgeReply(JSON.stringify({ name: 'answer', arguments: input }), offered)).toEqual({
    kind: 'verdict',
    decision: 'approved',
    relations: [{ old_id: A, type: 'complement', reverse_type: 'complement' }],
    grounds: [],
  });
});

test('R4.5 of several objects in a list the verdict is read', () => {
  const raw = `[{"thought":"none of them is near"}, ${reply('approved', [])}]`;
  expect(readJudgeReply(raw, offered)).toMatchObject({ kind: 'verdict', decision: 'approved' });
});

test('R4.2 a relation of type none is no relation', () => {
  expect(readJudgeReply(reply('approved', [{ old_id: A, type: 'none' }]), offered)).toEqual({
    kind: 'verdict',
    decision: 'approved',
    relations: [],
    grounds: [],
  });
});

test('R4.2 with a coined type the word of the judge stands, and it is the ground', () => {
  const relations = [
    { old_id: A, type: 'complement', reverse_type: 'complement' },
    { old_id: B, type: 'obsolete_by_policy', reverse_type: 'current_policy' },
  ];
  expect(readJudgeReply(reply('rejected', relations), offered)).toEqual({
    kind: 'verdict',
    decision: 'rejected',
    relations,
    grounds: [{ id: B, type: 'obsolete_by_policy' }],
  });
  expect(readJudgeReply(reply('approved', relations), offered)).toEqual({
    kind: 'verdict',
    decision: 'approved',
    relations,
    grounds: [],
  });
});

test('R4.5 the same relation twice is one, and the first of it stands', () => {
  const first = { old_id: A, type: 'mirror_of', reverse_type: 'mirrored_by' };
  const relations = [first, { ...first, reverse_type: 'other_way' }];
  expect(readJudgeReply(reply('approved', relations), offered)).toMatchObject({ relations: [first] });
});

test('R4.5 a stray brace in the prose and keys that nobody asked for do no harm', () => {
  const raw =
    'Set {x first. {"reasoning": "a } in a \\"string\\"", "final_decision": "approved", "relations": []}';
  expect(readJudgeReply(raw, offered).kind).toBe('verdict');
});

test('R4.2 whatever is read as a verdict obeys the rule of decision', () => {
  const type = fc.constantFrom(
    'duplicate',
    'subset',
    'superset',
    'conflict',
    'complement',
    'none',
    'coined_type',
  );
  const relation = fc.record({ old_id: fc.constantFrom(A, B, 'knowledge-unknown'), type });
  const any = fc.tuple(fc.constantFrom('approved', 'rejected'), fc.array(relation, { maxLength: 5 }));
  fc.assert(
    fc.property(any, ([decision, relations]) => {
      const read = readJudgeReply(reply(decision, relations), offered);
      if (read.kind !== 'verdict') return read.kind === 'repair';
      const rejecting = read.relations.filter((r) => r.type === 'duplicate' || r.type === 'subset');
      const ids = read.relations.map((r) => r.old_id);
      return (
        (rejecting.length === 0 || read.decision === 'rejected') &&
        (read.decision === 'rejected') === read.grounds.length > 0 &&
        read.relations.every((r) => r.type !== 'none' && offered.includes(r.old_id)) &&
        new Set(ids).size === ids.length
      );
    }),
  );
});

test('R4.5 any text is read without a throw, and a large one at once', () => {
  fc.assert(
    fc.property(fc.string({ maxLength: 200 }), (raw) => readJudgeReply(raw, offered).kind !== 'verdict'),
  );
  const large = '{'.repeat(200_000);
  expect(cpuMs(() => expect(readJudgeReply(large, offered).kind).toBe('retry'))).toBeLessThan(1000);
});
