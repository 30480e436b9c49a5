import { expect, test } from 'vitest';
import { readJudgeReply } from '#lib/core/judge-reply.ts';

const [A, B] = ['knowledge-00000000-a', 'knowledge-00000000-b'] as const;
const offered = [A, B];

const reply = (final_decision: string, relations: unknown) => JSON.stringify({ final_decision, relations });
const relation = (type: unknown, more: object = {}) => ({ old_id: A, type, ...more });
const approved = (...relations: unknown[]) => reply('approved', relations);
const rejected = (...relations: unknown[]) => reply('rejected', relations);

const SNAKE_CASE = 'is not lower snake case, such as "complement" or "prerequisite_of".';
const NO_GROUND =
  'final_decision is "rejected" without a ground. Only a duplicate, a subset or a coined relation to an offered item is a ground; superset, conflict, complement and none mean "approved".';
const ALWAYS_REJECTED =
  'A duplicate or a subset of one stored item is always rejected: change the decision, or the type if it was wrong.';

test.each([
  ['no JSON', 'They are alike.', 'The reply holds no complete JSON object.'],
  ['nothing but null', 'null', 'The reply holds no complete JSON object.'],
  [
    'a verdict cut off',
    `{"final_decision":"approved","relations":[{"old_id":"${A}"}`,
    'The reply holds no complete JSON object.',
  ],
])('R4.5 nothing can be read: %s', (_, raw, problem) => {
  expect(readJudgeReply(raw, offered)).toEqual({ kind: 'retry', problem });
});

test.each([
  [
    'two verdicts',
    `${approved()} or ${rejected()}`,
    'The reply holds several different verdicts. Answer with exactly one JSON object.',
  ],
  [
    'no decision, no list',
    reply('maybe', {}),
    '"final_decision" must be "approved" or "rejected". "relations" must be a list of objects {old_id, type, reverse_type}.',
  ],
  [
    'an id that is no text',
    approved({ old_id: 12, type: 'complement' }),
    '"relations.0.old_id" must be a string.',
  ],
  ['a type with a sign', approved(relation('X!')), `The type "X!" of the relation to ${A} ${SNAKE_CASE}`],
  ['a type that is no text', approved(relation(7)), `The type 7 of the relation to ${A} ${SNAKE_CASE}`],
  [
    'no type',
    approved({ old_id: A }),
    `The relation to ${A} has no type, such as "complement" or "prerequisite_of".`,
  ],
  [
    'an inverse with a sign',
    approved(relation('part_of', { reverse_type: 'X!' })),
    `The reverse_type "X!" of the relation to ${A} ${SNAKE_CASE}`,
  ],
  [
    'a known inverse of a coined type',
    approved(relation('mirror_of', { reverse_type: 'Subset' })),
    `The relation to ${A} is "mirror_of" one way and "subset" the other. The inverse of a known type is known: give a type of your own for both ways, or a known one.`,
  ],
  [
    'two types for one id',
    approved(relation('conflict'), relation('complement')),
    `Two different relations to ${A}: "conflict" and "complement". Give the one that fits best.`,
  ],
  [
    'approved beside a subset',
    approved({ old_id: B, type: 'complement' }, relation('subset')),
    `The relation to ${A} is "subset", but final_decision is "approved". ${ALWAYS_REJECTED}`,
  ],
  [
    'approved beside a duplicate',
    approved(relation('duplicate')),
    `The relation to ${A} is "duplicate", but final_decision is "approved". ${ALWAYS_REJECTED}`,
  ],
  ['rejected for nothing', rejected(), NO_GROUND],
  ['rejected for a complement', rejected(relation('complement')), NO_GROUND],
  ['rejected for none', rejected(relation('none')), NO_GROUND],
  [
    'rejected for ids that were not offered, a long one cut',
    rejected(
      { old_id: '12', type: 'subset' },
      { old_id: 'x'.repeat(90), type: 'duplicate' },
      relation('superset'),
    ),
    `final_decision is "rejected", but "12", "${'x'.repeat(80)}" is no id that was offered. Use only these ids: ${A}, ${B}.`,
  ],
])('R4.2 R4.5 what is wrong is written for the model: %s', (_, raw, problem) => {
  expect(readJudgeReply(raw, offered)).toEqual({ kind: 'repair', problem });
});
