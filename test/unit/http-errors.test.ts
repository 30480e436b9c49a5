import { expect, test } from 'vitest';
import {
  Conflict,
  IndexUnavailable,
  InvalidInput,
  KnowHubError,
  ModelUnavailable,
  NotFound,
  Partial,
  Unclear,
} from '#lib/core/errors.ts';
import {
  ERROR_ANSWERS,
  errorReply,
  MethodNotAllowed,
  TooLarge,
  Unauthenticated,
} from '#lib/runtime/errors.ts';

test.each<[number, string, Error]>([
  [400, 'invalid_input', new InvalidInput('task', 'task is blank')],
  [401, 'unauthenticated', new Unauthenticated('the request is not signed')],
  [404, 'not_found', new NotFound('no item x')],
  [405, 'method_not_allowed', new MethodNotAllowed('PUT', ['GET'])],
  [409, 'conflict', new Conflict('its path is taken')],
  [413, 'too_large', new TooLarge('body', 'body: larger than 1 bytes')],
  [500, 'internal', new Error('password=secret')],
  [500, 'internal', new KnowHubError('toString', 'a code of Object')],
  [503, 'unclear', new Unclear('put secret timed out')],
  [503, 'not_prepared', new KnowHubError('not_prepared', 'table secret has no rows')],
  [503, 'partial', new Partial('shard secret')],
  [503, 'index_unavailable', new IndexUnavailable('https://secret')],
  [503, 'model_unavailable', new ModelUnavailable('https://secret')],
])('API: an error becomes HTTP %i %s, and tells nothing of the inside', (status, code, error) => {
  const reply = errorReply(error, 'request-1');
  expect([reply.status, reply.body.error.code, reply.body.request_id]).toEqual([status, code, 'request-1']);
  expect(JSON.stringify(reply)).not.toMatch(/secret|stack|\.ts/);
  expect(reply.headers['retry-after'] !== undefined).toBe(status === 503);
});

test('API: the caller’s fault names its field, in its own words', () => {
  expect(errorReply(new InvalidInput('task', 'task is blank'), 'r').body).toEqual({
    error: { code: 'invalid_input', message: 'task is blank', field: 'task' },
    request_id: 'r',
  });
});

test('API: something thrown that is no error is a fault of ours', () => {
  expect(errorReply(undefined, 'r')).toEqual({
    status: 500,
    headers: {},
    body: { error: { code: 'internal', message: 'A fault of ours; it was logged.' }, request_id: 'r' },
  });
});

test('API: only passing faults have a message in place of their own', () => {
  const replaced = Object.entries(ERROR_ANSWERS).filter(([, { message }]) => message !== undefined);
  expect(replaced.every(([, { status }]) => status === 503)).toBe(true);
});
