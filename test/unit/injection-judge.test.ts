import fc from 'fast-check';
import { expect, test } from 'vitest';
import { RelationType } from '#lib/core/item.ts';
import { isKnownType, rejects, reverseOf } from '#lib/core/relation-types.ts';
import { type Judgement, judge } from '#lib/usecases/judge.ts';
import { INJECTIONS, PRIVATE_ID } from '#test/support/injections.ts';
import { entryView } from '#test/support/judge-views.ts';
import { scriptedModel } from '#test/support/scripted-model.ts';

const OFFERED = ['knowledge-20260317-143022-aaaaaaaa', 'knowledge-20260317-143023-bbbbbbbb'];
const TASK = 'Deploy the service';

/** What may come of a judgement, whatever the model says (R2.4, R4.2, R4.5). */
function isLegal(judged: Judgement): boolean {
  if (judged.kind === 'unreadable') return true;
  const { decision, relations } = judged;
  const ids = relations.map(({ to }) => to);
  const grounds = relations.filter(({ ground }) => ground);
  const rejecting = relations.filter(({ type }) => rejects(type));
  return (
    ids.every((id) => OFFERED.includes(id)) &&
    new Set(ids).size === ids.length &&
    relations.every(({ type, reverse }) => {
      const known = isKnownType(type) || isKnownType(reverse);
      const matching = reverse === reverseOf(type) || (!isKnownType(type) && reverse === 'none');
      return RelationType.safeParse(type).success && type !== 'none' && (!known || matching);
    }) &&
    (decision === 'rejected') === grounds.length > 0 &&
    (rejecting.length === 0 || (decision === 'rejected' && rejecting.every(({ ground }) => ground))) &&
    grounds.every(({ type }) => rejects(type) || !isKnownType(type))
  );
}

test.each(INJECTIONS)('R4.2 R4.5 $name: a judge that obeys it decides nothing illegal', async (injection) => {
  const { place, text, obeyed, outcome } = injection;
  const model = scriptedModel({ judge: (input) => JSON.stringify(obeyed(input)) });
  const newcomer = entryView(place === 'task' ? text : TASK, place === 'content' ? text : 'Apply it.');
  const candidates = OFFERED.map((id) => ({ id, ...entryView(TASK, place === 'stored' ? text : 'Wait.') }));
  const judged = await judge(model)(newcomer, candidates);
  expect(isLegal(judged)).toBe(true);
  const decision = judged.kind === 'verdict' ? judged.decision : undefined;
  const expected = { admitted_for_review: undefined, admitted: 'approved', rejected: 'rejected' } as const;
  expect(decision).toBe(expected[outcome]);
});

test('R4.2 R4.5 whatever a model answers, no verdict breaks the rules', async () => {
  const id = fc.constantFrom(
    ...OFFERED,
    PRIVATE_ID,
    '',
    ` ${OFFERED[0]} `,
    'knowledge-20990101-000000-ffffffff',
  );
  const type = fc.oneof(
    fc.constantFrom(
      'duplicate',
      'subset',
      'superset',
      'conflict',
      'complement',
      'none',
      'Duplicate',
      ' none ',
    ),
    fc.constantFrom('coined_by', 'coins', 'Admin Override!', '__proto__', 'constructor', '', null, 7),
  );
  const relation = fc.record({ old_id: id, type, reverse_type: type }, { requiredKeys: ['old_id'] });
  const reply = fc
    .record({
      final_decision: fc.constantFrom('approved', 'rejected', 'REJECTED', 'maybe'),
      relations: fc.oneof(
        fc.array(relation, { maxLength: 4 }),
        fc.array(relation, { maxLength: 2 }).map((list) => JSON.stringify(list)),
      ),
    })
    .map((value) => JSON.stringify(value));
  const wrapped = fc
    .tuple(fc.constantFrom('', 'Sure: ', '```json\n', '{"answer": '), reply, reply)
    .map(([before, one, other]) => (before.endsWith(' ') ? `${before}${one}} ${other}` : `${before}${one}`));
  await fc.assert(
    fc.asyncProperty(wrapped, reply, async (one, two) => {
      const model = scriptedModel({ judge: (_, { repairs }) => (repairs.length === 0 ? one : two) });
      const candidates = OFFERED.map((each) => ({ id: each, ...entryView(TASK, 'Wait.') }));
      expect(isLegal(await judge(model)(entryView(TASK, 'Apply it.'), candidates))).toBe(true);
    }),
    { numRuns: 500 },
  );
});
