import { expect, test } from 'vitest';
import { health } from '#lib/usecases/health.ts';
import { apiWorld } from '#test/support/api-world.ts';
import { knowledgeBase } from '#test/support/instance.ts';

test('API: health names what works and what does not, and never what a store said', async () => {
  const { base, ok } = apiWorld();
  await base.admitted('Timeout', 'a');
  expect(await ok('GET', '/api/health')).toMatchObject({
    status: 'ok',
    projections: [
      { name: 'records', behind: 0, parked: [] },
      { name: 'mirror', behind: 0, parked: [] },
      { name: 'index', behind: 0, parked: [] },
    ],
  });
  base.options.before = ({ port }) => {
    if (port === 'sessions') throw new Error('password=secret');
  };
  const sick = await ok<{ status: string; parts: { name: string; works: boolean; problem?: string }[] }>(
    'GET',
    '/api/health',
  );
  expect([
    sick.status,
    sick.parts.filter(({ works }) => !works).map(({ name, problem }) => [name, problem]),
  ]).toEqual(['degraded', [['sessions', 'internal']]]);
});

test('API: health does not wait for a store that does not answer', async () => {
  const base = knowledgeBase({
    before: ({ port }) => (port === 'mirror' ? new Promise(() => undefined) : undefined),
  });
  const { parts } = await health(base.instance, 20)();
  expect(parts.filter(({ works }) => !works)).toMatchObject([{ name: 'mirror', problem: 'no_answer' }]);
});
