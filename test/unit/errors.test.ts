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

const cause = new Error('a lost answer');

test.each<[string, boolean, () => KnowHubError]>([
  ['not_found', false, () => new NotFound('why')],
  ['conflict', false, () => new Conflict('why')],
  ['partial', true, () => new Partial('why')],
  ['unclear', true, () => new Unclear('why', cause)],
  ['index_unavailable', true, () => new IndexUnavailable('why', cause)],
  ['model_unavailable', true, () => new ModelUnavailable('why', cause)],
])('API %s goes by its code, and says whether it may pass by itself: %s', (code, retryable, make) => {
  const error = make();
  expect(error).toBeInstanceOf(KnowHubError);
  const { name, message, field } = error;
  expect({ name, code: error.code, message, retryable: error.retryable, field }).toEqual({
    name: code,
    code,
    message: 'why',
    retryable,
    field: undefined,
  });
});

test('R3.7 the caller’s fault names the field, and is not to be tried again', () => {
  const { code, field, message, retryable } = new InvalidInput('task', 'task is blank');
  expect({ code, field, message, retryable }).toEqual({
    code: 'invalid_input',
    field: 'task',
    message: 'task is blank',
    retryable: false,
  });
});

test.each([
  () => new Unclear('why', cause),
  () => new IndexUnavailable('why', cause),
  () => new ModelUnavailable('why', cause),
  () => new KnowHubError('stopped', 'why', { cause }),
])('API an error keeps what it comes from, for the log: %#', (make) => {
  expect(make().cause).toBe(cause);
});
