import { expect, test } from 'vitest';
import { decisionSentence } from '#lib/core/decision-sentence.ts';
import { idOf } from '#test/support/ledger.ts';

test.each([
  [undefined, 'It waits to be compared with what is stored.'],
  [0, 'It waits to be compared with what is stored.'],
  [1, 'It waits: the judge could not be reached once so far.'],
  [2, 'It waits: the judge could not be reached 2 times so far.'],
])('R4.5 an item that waits says how often the judge was out of reach: %s', (failures, sentence) => {
  expect(decisionSentence({ status: 'pending', grounds: [], failures })).toBe(sentence);
});

test.each([
  ['processing', 'It is being compared with what is stored.'],
  ['checked', 'A human checked it.'],
] as const)('R2.1 an item that is %s needs no more words', (status, sentence) => {
  expect(decisionSentence({ status, grounds: [] })).toBe(sentence);
});

test.each([
  ['no_candidates', 'It was admitted: nothing stored is near to it.'],
  ['judge', 'It was admitted: the judge found something new in it.'],
  ['last_resort', 'It was admitted without a verdict, as the judge gave none.'],
  ['import', 'It was imported without a comparison.'],
  ['human', 'A human restored it.'],
  ['a basis of later days', 'It was admitted.'],
  [undefined, 'It was admitted.'],
])('R4.1 R4.2 R4.5 an approved item tells what its admission rests on: %s', (basis, sentence) => {
  expect(decisionSentence({ status: 'approved', basis, grounds: [] })).toBe(sentence);
});

test.each([
  ['superseded', 'It was rejected: a newer version at its path came first.'],
  ['replaced', 'It was replaced by a newer version at its path.'],
  ['condensed', 'It was condensed into another item.'],
  ['blocked', 'It was rejected: a human had rejected the same text before.'],
  ['human', 'A human rejected it.'],
])('R3.5 R4.3 a rejected item tells why: %s', (reason, sentence) => {
  expect(decisionSentence({ status: 'rejected', reason, grounds: [] })).toBe(sentence);
});

test('R4.3 a human’s own words follow the human’s rejection, and no other', () => {
  const told = (reason: string) =>
    decisionSentence({ status: 'rejected', reason, grounds: [], note: 'out of date' });
  expect(told('human')).toBe('A human rejected it: out of date');
  expect(told('replaced')).toBe('It was replaced by a newer version at its path.');
});

const first = { id: idOf(1), type: 'duplicate' };
const second = { id: idOf(2), type: 'subset' };

test.each([
  [
    'judge',
    [first, second],
    `It was rejected: it is known already: duplicate of ${idOf(1)}, subset of ${idOf(2)}.`,
  ],
  ['judge', [], 'It was rejected: it is known already.'],
  [undefined, [second], `It was rejected: it is known already: subset of ${idOf(2)}.`],
  ['identical', [first], `It was rejected: the same text is stored already: duplicate of ${idOf(1)}.`],
  ['identical', [], 'It was rejected: the same text is stored already.'],
])(
  'R4.1 R4.3 what is known names the items that hold it, if the reader may see any: %s %j',
  (basis, grounds, sentence) => {
    expect(decisionSentence({ status: 'rejected', reason: 'known', basis, grounds })).toBe(sentence);
  },
);
