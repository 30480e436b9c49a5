import { expect, test } from 'vitest';
import type { SessionClaim, SessionRow } from '#lib/core/rows.ts';
import {
  afterClaim,
  answerTo,
  claimHolds,
  currentSession,
  domainsOf,
  isReturned,
  searchedDomains,
  sessionKey,
  usedUp,
} from '#lib/core/session.ts';
import { choose } from '#lib/core/session-choice.ts';

const LIMITS = { searches_per_domain: 1, fruitless_limit: 3, top_k: 3 };

const session = (more: Partial<SessionRow> = {}): SessionRow => ({
  key: 'k',
  searches: {},
  fruitless: {},
  returned: [],
  answers: [],
  expires_at: 2000,
  ...more,
});
const returned = (id: string, domain: string) => ({
  id,
  path: `${domain}/${id}.md`,
  title: id,
  domain,
  request_id: 'r0',
});
const claim = (more: Partial<SessionClaim> = {}): SessionClaim => ({
  request_id: 'r1',
  returned: [],
  domains: [],
  cap: 1,
  fruitless_limit: 3,
  reply: '{}',
  now: 1000,
  expires_at: 3000,
  ...more,
});
const match = (id: string, domain: string, keyword = false) => ({ id, domain, keyword });

test('R6.7 the key tells principals and session ids apart, however they are cut', () => {
  const keys = [
    ['a', 'bc'],
    ['ab', 'c'],
    ['a","b', 'c'],
    ['a', 'b","c'],
  ].map(([principal, id]) => sessionKey(principal!, id!));
  expect(new Set(keys).size).toBe(4);
  expect(sessionKey('a', 'bc')).toBe(keys[0]);
});

test('R6.7 a row past its time counts as none', () => {
  const row = session();
  expect(currentSession(row, 1999)).toBe(row);
  expect(currentSession(row, 2000)).toBeUndefined();
  expect(currentSession(undefined, 0)).toBeUndefined();
});

test('R6.6 a domain is used up by its successful searches, or by three fruitless ones', () => {
  const row = session({ searches: { a: 1 }, fruitless: { b: 3, c: 2 } });
  expect(['a', 'b', 'c', 'constructor'].map((domain) => usedUp(row, domain, LIMITS))).toEqual([
    'searched',
    'fruitless',
    undefined,
    undefined,
  ]);
  expect(usedUp(undefined, 'a', LIMITS)).toBeUndefined();
});

test('R6.5 R6.6 a claim repeats everything that the choice read', () => {
  const row = session({
    searches: { a: 1 },
    fruitless: { b: 3 },
    returned: [returned('x', 'a')],
    answers: [{ request_id: 'r0', reply: 'first' }],
  });
  const holds = (more: Partial<SessionClaim>) => claimHolds(row, claim(more));
  expect(holds({ success: 'c', domains: ['c'], returned: [returned('y', 'c')] })).toBe(true);
  expect(holds({ request_id: 'r0' })).toBe(false);
  expect(holds({ success: 'c', domains: ['c'], returned: [returned('x', 'c')] })).toBe(false);
  expect(holds({ success: 'a', domains: ['a'] })).toBe(false);
  expect(holds({ success: 'c', domains: ['c', 'a'] })).toBe(false);
  expect(holds({ success: 'b', domains: ['b'] })).toBe(false);
  expect(holds({ fruitless: 'b', domains: ['b'] })).toBe(false);
  expect(holds({ success: 'c', domains: ['c', 'b'] })).toBe(false);
  expect(holds({ fruitless: '*' })).toBe(true);
  expect(holds({ fruitless: 'a', domains: ['a'] })).toBe(false);
  expect(claimHolds(undefined, claim({ success: 'a', domains: ['a'] }))).toBe(true);
});

test('R6.6 a claim counts once, adds what it returned, and keeps the last 32 answers', () => {
  let row = afterClaim(undefined, 'k', claim({ success: 'a', returned: [returned('x', 'a')] }));
  expect(row.answers).toEqual([{ request_id: 'r1', reply: '{}' }]);
  for (let n = 0; n < 32; n++)
    row = afterClaim(row, 'k', claim({ request_id: `f${n}`, fruitless: '__proto__' }));
  expect(row.searches).toEqual({ a: 1 });
  expect(Object.entries(row.fruitless)).toEqual([['__proto__', 32]]);
  expect(row.returned).toEqual([returned('x', 'a')]);
  expect(row.answers).toHaveLength(32);
  expect([answerTo(row, 'r1'), answerTo(row, 'f31')]).toEqual([undefined, '{}']);
  expect(row.expires_at).toBe(3000);
});

test('R6.6 an answer is kept while 31 came after it, and a claim for another domain leaves the counts as they are', () => {
  let row = session({ searches: { a: 1 }, fruitless: { b: 2 } });
  row = afterClaim(row, 'k', claim({ request_id: 'first', reply: 'one' }));
  for (let n = 0; n < 31; n++) row = afterClaim(row, 'k', claim({ request_id: `r${n}` }));
  expect(answerTo(row, 'first')).toBe('one');
  row = afterClaim(row, 'k', claim({ request_id: 'last', success: 'a', fruitless: 'b' }));
  expect(answerTo(row, 'first')).toBeUndefined();
  expect([row.searches, row.fruitless]).toEqual([{ a: 2 }, { b: 3 }]);
});

test('R6.6 what a session knows is read from its row, and a session without a row knows nothing', () => {
  const row = session({ searches: { b: 1, a: 2 }, returned: [returned('x', 'a')] });
  expect([searchedDomains(row), searchedDomains(undefined)]).toEqual([['b', 'a'], []]);
  expect([isReturned(row, 'x'), isReturned(row, 'y'), isReturned(undefined, 'x')]).toEqual([
    true,
    false,
    false,
  ]);
  expect(answerTo(undefined, 'r1')).toBeUndefined();
});

test('R6.6 a claim concerns the domain of its search and those it hands items of, each once', () => {
  expect(domainsOf(claim({ success: 'a', domains: ['a', 'b'] }))).toEqual(['a', 'b']);
  expect(domainsOf(claim({ fruitless: '*' }))).toEqual(['*']);
  expect(domainsOf(claim({ domains: ['b', 'b'] }))).toEqual(['b']);
});

test('R6.6 limits above one are reached and not passed', () => {
  const limits = { searches_per_domain: 2, fruitless_limit: 2 };
  const row = session({ searches: { a: 1, b: 2 }, fruitless: { c: 1, d: 2 } });
  expect(['a', 'b', 'c', 'd'].map((domain) => usedUp(row, domain, limits))).toEqual([
    undefined,
    'searched',
    undefined,
    'fruitless',
  ]);
  const holds = (domain: string) =>
    claimHolds(row, claim({ success: domain, domains: [domain], cap: 2, fruitless_limit: 2 }));
  expect(['a', 'b', 'c', 'd'].map(holds)).toEqual([true, false, true, false]);
});

test('R6.1 of what was held back ten are named, the best first, whatever came of the search', () => {
  const many = Array.from({ length: 12 }, (_, n) => match(`x${n}`, 'a'));
  const row = session({ returned: many.map(({ id }) => returned(id, 'a')) });
  const suppressed = many.slice(0, 10).map((each) => ({ match: each, reason: 'already_returned' }));
  expect(choose(many, undefined, row, LIMITS)).toEqual({ outcome: 'nothing_new', domain: 'a', suppressed });
  const fresh = match('y', 'a');
  expect(choose([...many, fresh], undefined, row, LIMITS)).toEqual({
    outcome: 'found',
    domain: 'a',
    documents: [fresh],
    suppressed,
  });
  // Of other domains nothing is named, though it is held back, too.
  const stopped = { ...row, searches: { c: 1 }, fruitless: { a: 3 } };
  expect(choose([match('z', 'b'), match('w', 'c'), ...many], 'a', stopped, LIMITS)).toEqual({
    outcome: 'stopped',
    domain: 'a',
    cause: 'fruitless',
    suppressed,
  });
});

test('R6.5 without a session the first matches are handed over in order', () => {
  const matches = ['w', 'x', 'y', 'z'].map((id) => match(id, id));
  expect(choose(matches, undefined, undefined, LIMITS)).toEqual({
    outcome: 'found',
    domain: 'w',
    documents: matches.slice(0, 3),
    suppressed: [],
  });
});

test('R6.6 nothing found counts under the domain asked for, else under *', () => {
  const nothing = { outcome: 'nothing_found', suppressed: [] };
  expect(choose([], 'a', session(), LIMITS)).toEqual({ ...nothing, domain: 'a' });
  expect(choose([], undefined, session(), LIMITS)).toEqual({ ...nothing, domain: '*' });
  const tired = session({ fruitless: { '*': 3 } });
  const stopped = { outcome: 'stopped', domain: '*', cause: 'fruitless', suppressed: [] };
  expect(choose([], undefined, tired, LIMITS)).toEqual(stopped);
  expect(choose([match('x', 'a')], undefined, tired, LIMITS)).toMatchObject({
    outcome: 'found',
    domain: 'a',
  });
});

test('R6.6 the best match decides the domain, though it was returned already: a searched one stops the call', () => {
  const row = session({ searches: { a: 1 }, returned: [returned('x', 'a')] });
  const matches = [match('x', 'a'), match('y', 'b'), match('z', 'a')];
  expect(choose(matches, undefined, row, LIMITS)).toEqual({
    outcome: 'stopped',
    domain: 'a',
    cause: 'searched',
    suppressed: [
      { match: matches[0], reason: 'already_returned' },
      { match: matches[2], reason: 'domain_searched' },
    ],
  });
});

test('R6.6 hits of searched domains are not handed over by a search of another', () => {
  const row = session({ searches: { b: 1 }, fruitless: { c: 3 } });
  const matches = [match('x', 'a'), match('y', 'b'), match('z', 'c'), match('w', 'd')];
  expect(choose(matches, undefined, row, LIMITS)).toEqual({
    outcome: 'found',
    domain: 'a',
    documents: [matches[0], matches[3]],
    suppressed: [
      { match: matches[1], reason: 'domain_searched' },
      { match: matches[2], reason: 'domain_fruitless' },
    ],
  });
});

test('R6.5 the next best of the domain takes the place of what was returned, before all else', () => {
  const row = session({ searches: { a: 1 }, returned: [returned('x', 'a')] });
  const others = ['p', 'q', 'r'].map((id) => match(id, 'b'));
  const matches = [match('x', 'a'), ...others, match('z', 'a')];
  const choice = choose(matches, undefined, row, { ...LIMITS, searches_per_domain: 10 });
  expect(choice).toEqual({
    outcome: 'found',
    domain: 'a',
    documents: [matches[4], others[0], others[1]],
    suppressed: [{ match: matches[0], reason: 'already_returned' }],
  });
});

test('R6.5 R6.6 when the domain has nothing new, nothing far-off is served instead, but a keyword match is', () => {
  const row = session({ searches: { a: 1 }, returned: [returned('x', 'a')] });
  const limits = { ...LIMITS, searches_per_domain: 10 };
  const x = match('x', 'a');
  const suppressed = [{ match: x, reason: 'already_returned' }];
  expect(choose([x, match('y', 'b')], undefined, row, limits)).toEqual({
    outcome: 'nothing_new',
    domain: 'a',
    suppressed,
  });
  expect(choose([x, match('y', 'b', true)], undefined, row, limits)).toEqual({
    outcome: 'found',
    domain: 'a',
    documents: [match('y', 'b', true)],
    suppressed,
  });
});
