import { expect, test } from 'vitest';
import { checkQuestion, parseLookup } from '#lib/core/lookup-request.ts';

test.each([
  { query: '?' },
  { query: '池'.repeat(4000) },
  { query: 'pool', session_id: 's' },
  { query: 'pool', session_id: 's'.repeat(256) },
  { query: 'pool', domain: 'infra' },
  { query: 'pool', domain: '支'.repeat(64) },
  { query: 'pool', scopes: [] },
  { query: 'pool', scopes: Array.from({ length: 50 }, (_, n) => `org:${n}`) },
  { query: 'pool', scopes: ['o', 'o'.repeat(128)] },
  { query: 'pool', request_id: 'r' },
  { query: 'pool', request_id: 'Az_09.:-' },
  { query: 'pool', request_id: 'r'.repeat(64) },
])('R6.1 a request within the limits is taken as it is: %#', (input) => {
  expect(parseLookup(input)).toEqual(input);
});

test.each([
  [{ query: 'x'.repeat(4001) }, 'query', 'query: must have at most 4000 characters'],
  [
    { query: 'pool', session_id: 's'.repeat(257) },
    'session_id',
    'session_id: must have at most 256 characters',
  ],
  [{ query: 'pool', session_id: '' }, 'session_id', 'session_id: must not be empty'],
  [
    { query: 'pool', scopes: Array.from({ length: 51 }, () => 'o') },
    'scopes',
    'scopes: must have at most 50 entries',
  ],
  [{ query: 'pool', scopes: ['org:a', ''] }, 'scopes.1', 'scopes.1: must not be empty'],
  [{ query: 'pool', scopes: ['o'.repeat(129)] }, 'scopes.0', 'scopes.0: must have at most 128 characters'],
  [{ query: 'pool', top_k: 3 }, 'top_k', 'unknown field "top_k"'],
  [{ query: ' \u200b\n' }, 'query', 'query is blank'],
  [{ query: 'a\ud800b' }, 'query', 'query holds half a character'],
  [{ query: 'pool', domain: ' ' }, 'domain', 'domain is blank'],
])(
  'R3.7 R6.1 a request beyond a limit is refused for its field, in plain words: %#',
  (input, field, message) => {
    expect(() => parseLookup(input)).toThrow(
      expect.objectContaining({ code: 'invalid_input', field, message }),
    );
  },
);

test.each(['', 'a b', ' a', 'a\n', 'é', 'a/b', 'r'.repeat(65)])(
  'R6.1 a request id that no log line could carry is refused: %j',
  (request_id) => {
    expect(() => parseLookup({ query: 'pool', request_id })).toThrow(
      expect.objectContaining({ code: 'invalid_input', field: 'request_id' }),
    );
  },
);

test('R3.7 R6.6 a domain is asked for under the name that it is stored by', () => {
  expect(parseLookup({ query: 'pool', domain: 'cafe\u0301' })).toEqual({
    query: 'pool',
    domain: 'caf\u00e9',
  });
});

test.each([
  ['', 'q is blank'],
  [' \u200b\n', 'q is blank'],
  ['pool \udc00', 'q holds half a character'],
])('R3.7 a question is refused under the name that the caller knows it by: %j', (question, message) => {
  expect(() => checkQuestion(question, 'q')).toThrow(
    expect.objectContaining({ code: 'invalid_input', field: 'q', message }),
  );
});
