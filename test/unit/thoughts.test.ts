import { expect, test } from 'vitest';
import { withoutThoughts } from '#lib/core/thoughts.ts';

const ANSWER = '{"final_decision":"approved","relations":[]}';
const DRAFT = '{"final_decision":"rejected","relations":[]}';

test.each([
  ['nothing but the answer', ANSWER],
  ['a thought', `<think>\n${DRAFT}?\n</think>\n\n${ANSWER}`],
  ['an empty thought', `<think>\n\n</think>${ANSWER}`],
  ["Nova's thought", `<thinking> ${DRAFT} </thinking>\n${ANSWER}`],
  ['two thoughts, in capitals', ` <Reasoning>a</Reasoning><THINK>b</THINK> ${ANSWER}`],
  ['a thought that the template opened', `First I said ${DRAFT}.\n</think>\n${ANSWER}`],
])('R4.5 of %s the answer is left', (_, text) => {
  expect(withoutThoughts(text)).toBe(ANSWER);
});

test('R4.5 a thought that was cut off leaves nothing, whatever it weighed', () => {
  expect(withoutThoughts(`<think>\nMaybe ${DRAFT}`)).toBe('');
});

test.each([
  '{"summary": "</think> ends a thought"}',
  '```json\n{"summary": "<think>a</think>"}\n```',
  '[{"summary": "</thinking>"}]',
  'Here you are: {"summary": "<think>a thought"}',
])('R4.5 tags within an answer are part of it: %s', (text) => {
  expect(withoutThoughts(text)).toBe(text);
});
