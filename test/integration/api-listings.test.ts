import { expect, test } from 'vitest';
import { apiWorld, SCOPE_A } from '#test/support/api-world.ts';
import { file } from '#test/support/instance.ts';

test('API: the listing is paged, complete, filtered, and shows an item to nobody who may not see it', async () => {
  const { base, ok } = apiWorld();
  const ids: string[] = [];
  for (let n = 0; n < 7; n++)
    ids.unshift(
      await base.admitted(`task ${n}`, `content ${n}`, {
        domain: n % 2 === 0 ? 'even' : 'odd',
        types: n < 2 ? ['strategy', 'small'] : ['strategy'],
        tags: n === 3 ? { 'a:b': 'c', env: 'prod' } : {},
        owner: n === 4 ? 'agent:four' : 'agent:runner',
        ...(n === 5 && { scopes: ['org:a'] }),
      }),
    );
  const list = async (query: string, headers: Record<string, string> = {}) => {
    const page = await ok<{ items: { id: string }[]; next_cursor?: string }>('GET', '/api/knowledge', {
      query,
      headers,
    });
    return page;
  };
  const seen: string[] = [];
  let cursor: string | undefined;
  do {
    const page = await list(`limit=2${cursor ? `&cursor=${encodeURIComponent(cursor)}` : ''}`, SCOPE_A);
    expect(page.items.length).toBeLessThanOrEqual(2);
    seen.push(...page.items.map(({ id }) => id));
    cursor = page.next_cursor;
  } while (cursor);
  expect(seen).toEqual(ids);
  const found = async (query: string, headers = {}) =>
    (await list(query, headers)).items.map(({ id }) => ids.length - 1 - ids.indexOf(id));
  expect(await found('')).toEqual([6, 4, 3, 2, 1, 0]);
  expect(await found('scopes=org:a')).toEqual([6, 5, 4, 3, 2, 1, 0]);
  expect(await found('domain=odd', SCOPE_A)).toEqual([5, 3, 1]);
  expect(await found('types=small&types=strategy')).toEqual([1, 0]);
  expect(await found('tags=a:b:c&tags=env')).toEqual([3]);
  expect(await found('tags=a:b')).toEqual([3]);
  expect(await found('owner=agent:four')).toEqual([4]);
  expect(await found('related=true')).toEqual([]);
});

test('R2.4 R2.5 API: related items are listed, and the relation cache shows ids and pairs by type', async () => {
  const { base, ok } = apiWorld();
  const old = await base.admitted('Timeout', 'a b');
  const more = await base.admitted('Timeout', 'a b c');
  await base.admitted('Refund', 'x');
  const { items } = await ok<{ items: { id: string; relationships: unknown }[] }>('GET', '/api/knowledge', {
    query: 'related=true',
  });
  expect(items.map(({ id, relationships }) => [id, relationships])).toEqual([
    [more, [{ type: 'superset', target: old }]],
    [old, [{ type: 'subset', target: more }]],
  ]);
  const superset = { type: 'superset', ids: [more, old].sort(), pairs: [[more, old]] };
  expect(
    await ok('GET', '/api/relations/superset', { query: `item=${old}` }, '/api/relations/{type}'),
  ).toEqual(superset);
  expect(await ok('GET', '/api/relations')).toEqual({
    ids: [more, old].sort(),
    types: [{ type: 'subset', ids: [more, old].sort(), pairs: [[old, more]] }, superset],
  });
});

test('API: rejected items are listed for who may see them, by domain and page, and no live one among them', async () => {
  const { base, ok } = apiWorld();
  await base.published('payment/a.md', file('Timeout', 'a b c'));
  const copy = (await base.upload('ops/b.md', file('Timeout', 'a b'))).id;
  await base.work();
  await base.admitted('Refund', 'd e', { scopes: ['org:a'] });
  const secret = await base.admitted('Refund', 'd', { scopes: ['org:a'] });
  const listed = async (query: string, headers = {}) => {
    const { items, next_cursor } = await ok<{
      items: { id: string; status: string }[];
      next_cursor?: string;
    }>('GET', '/api/knowledge', { query: `status=rejected${query}`, headers });
    return [...items.map(({ id, status }) => `${id} ${status}`), ...(next_cursor ? ['more'] : [])];
  };
  expect(await listed('')).toEqual([`${copy} rejected`]);
  expect(await listed('', SCOPE_A)).toEqual([`${secret} rejected`, `${copy} rejected`]);
  expect(await listed('&limit=1', SCOPE_A)).toEqual([`${secret} rejected`, 'more']);
  expect(await listed('&domain=ops', SCOPE_A)).toEqual([`${copy} rejected`]);
  expect(await listed('&domain=payment', SCOPE_A)).toEqual([]);
  expect(await listed('&needs_review=true', SCOPE_A)).toEqual([]);
});
