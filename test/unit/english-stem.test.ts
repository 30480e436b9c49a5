import { expect, test } from 'vitest';
import { stem } from '#lib/core/english-stem.ts';

test.each([
  ['retries', 'retry', 'retrying', 'retried'],
  ['failure', 'failed', 'failing', 'fails'],
  ['connection', 'connect', 'connected'],
  ['configuration', 'configure', 'configuring'],
  ['deployment', 'deploy', 'deployed', 'deploying', 'deploys'],
  ['processes', 'process', 'processing'],
  ['caches', 'cache', 'caching'],
  ['logging', 'logs'],
  ['stopped', 'stops'],
  ['users', 'user'],
])('R3.2 %s and %s are one word', (...words) => {
  expect(new Set(words.map((word) => stem(stem(word)))).size).toBe(1);
});

test.each([
  ['station', 'static'],
  ['container', 'content'],
  ['application', 'approval'],
  ['v25s', 'v25'],
  ['bus', 'busy'],
  ['class', 'clas'],
])('R3.2 %s and %s are two', (one, other) => {
  expect(stem(one)).not.toBe(stem(other));
});

test.each(['k8snodes', 'oauth2tokens', 'max_retries', 'caféteries', '重试ings', 'bus', 'ios'])(
  'R3.2 %s keeps its ending',
  (word) => {
    expect(stem(word)).toBe(word);
  },
);
