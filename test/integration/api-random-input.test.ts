import fc from 'fast-check';
import { expect, test } from 'vitest';
import { ROUTES } from '#lib/runtime/routes.ts';
import { apiOf } from '#test/support/api.ts';
import { knowledgeBase } from '#test/support/instance.ts';
import { idOf } from '#test/support/ledger.ts';

/** Parts that names, paths and texts go wrong by. */
const nasty = fc.oneof(
  fc.string({ unit: 'binary' }),
  fc.constantFrom(
    '..',
    '.',
    '/',
    '\\',
    '%',
    '%00',
    '%2e%2e',
    '%ZZ',
    '__proto__',
    'constructor',
    '*',
    '\u0000',
    '\ud800',
    '\uFEFF',
    idOf(1),
  ),
);
const path = fc.oneof(
  fc.array(nasty, { maxLength: 5 }).map((parts) => `/api/${parts.join('/')}`),
  fc
    .tuple(fc.constantFrom(...ROUTES), fc.array(nasty, { minLength: 3, maxLength: 3 }))
    .map(([route, parts]) => {
      let n = 0;
      return route.path.replace(/\{\w+\+?\}/g, () => parts[n++] ?? '');
    }),
);
const value = fc.oneof(
  fc.jsonValue({ maxDepth: 4 }),
  nasty,
  fc.constantFrom({ ['__proto__']: 1 }, [[[]]], 1e308, -0),
);
const names = [
  'task',
  'content',
  'category',
  'filename',
  'query',
  'session_id',
  'domain',
  'scopes',
  'tags',
  'source',
  'action',
  'reason',
  'force',
  '__proto__',
  'constructor',
  'toString',
];
const body = fc.oneof(
  nasty,
  fc.json(),
  fc.dictionary(fc.constantFrom(...names), value).map((object) => JSON.stringify(object)),
  fc.dictionary(nasty, value).map((object) => JSON.stringify(object)),
);

test('R3.7 API: whatever is sent, the answer is never a fault of ours', async () => {
  const base = knowledgeBase({ script: { frontmatter: () => '{}' } });
  await base.published('payment/a.md', '# A\n\ntext\n');
  const requests = fc.record({
    method: fc.constantFrom('GET', 'POST', 'DELETE', 'PUT', ''),
    path,
    query: fc.oneof(
      nasty,
      fc
        .tuple(fc.constantFrom('limit', 'cursor', 'domain', 'types', 'scopes', 'q', '__proto__'), nasty)
        .map(([name, text]) => `${name}=${text}`),
    ),
    body,
    headers: fc.dictionary(fc.constantFrom('x-knowhub-scopes', '__proto__', 'content-type'), nasty),
    path_encoding: fc.constantFrom('decoded' as const, 'encoded' as const),
  });
  await fc.assert(
    fc.asyncProperty(requests, async ({ method, path, query, body, headers, path_encoding }) => {
      const api = apiOf(base.instance, { path_encoding });
      const { status, text } = await api.call(method, path, { query, body, headers });
      expect([status < 500, api.faults]).toEqual([true, []]);
      expect(text).not.toContain('node_modules');
    }),
    { numRuns: 1500 },
  );
});
