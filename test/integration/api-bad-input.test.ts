import { expect, test } from 'vitest';
import type { Call } from '#lib/adapters/memory/gate.ts';
import { ErrorBody } from '#lib/runtime/errors.ts';
import { apiOf, gatewayEvent, type Request } from '#test/support/api.ts';
import { knowledgeBase } from '#test/support/instance.ts';
import { idOf } from '#test/support/ledger.ts';

const ID = idOf(1);
const entry = { task: 'a task', content: 'text' };
const document = { category: 'payment', filename: 'a.md', content: 'text' };

const WRITE =
  /^(queue|mirror\.(put|remove)|inbox\.(remove|quarantine|ticket)|ledger\.(put|erase)|items\.(insert|raiseSeq|accept|dropReceived|claim|release|postpone|completeFields|applyDecision)|bodies\.(put|erase)|vectors\.(save|erase)|paths\.(advance|forget)|projections\.(takeLease|rebase|advance)|relations\.put|evaluations\.(credit|erase)|domains\.(markDirty|claim|save)|index\.(create|drop|bulk)|sessions\.(claim|forget)|model)/;
const written = (calls: readonly Call[]) =>
  calls.map(({ port, method }) => `${port}.${method}`).filter((name) => WRITE.test(name));

/** The JSON error of a refused request, once it is sure that nothing was written and nothing shown of the inside. */
async function refusal(method: string, path: string, request: Request = {}) {
  const base = knowledgeBase();
  const api = apiOf(base.instance);
  const { status, body, text, headers } = await api.call(method, path, request);
  const { error, request_id } = ErrorBody.parse(body);
  expect([request_id, api.faults, written(base.calls)]).toEqual([headers['x-request-id'], [], []]);
  expect(text).not.toMatch(/\bat .*:\d+:\d+|node_modules|\.ts\b/);
  return { status, code: error.code, field: error.field };
}

const long = (characters: number) => 'a'.repeat(characters);
const nested = (levels: number) => `${'['.repeat(levels)}${']'.repeat(levels)}`;

test.each<[string, string, string, Request, number, string | undefined]>([
  ['malformed JSON', 'POST', '/api/knowledge', { body: '{"task": ' }, 400, 'body'],
  ['no JSON object', 'POST', '/api/knowledge', { body: '["task"]' }, 400, 'body'],
  ['no body', 'POST', '/api/knowledge', {}, 400, 'task'],
  ['null', 'POST', '/api/lookup', { body: 'null' }, 400, 'body'],
  ['an unknown field', 'POST', '/api/knowledge', { body: { ...entry, colour: 1 } }, 400, 'colour'],
  ['a status', 'POST', '/api/knowledge', { body: { ...entry, status: 'approved' } }, 400, 'status'],
  ['an eval', 'POST', '/api/knowledge', { body: { ...entry, eval: { helpful: 9 } } }, 400, 'eval'],
  ['an id', 'POST', '/api/documents', { body: { ...document, id: ID } }, 400, 'id'],
  ['a wrong type', 'POST', '/api/knowledge', { body: { ...entry, content: 7 } }, 400, 'content'],
  ['a wrong type inside', 'POST', '/api/knowledge', { body: { ...entry, tags: { a: 1 } } }, 400, 'tags.a'],
  ['blank text', 'POST', '/api/knowledge', { body: { ...entry, task: ' \u200b' } }, 400, 'task'],
  ['a blank document', 'POST', '/api/documents', { body: { ...document, content: '\n' } }, 400, 'content'],
  [
    'half a character',
    'POST',
    '/api/knowledge',
    { body: '{"task":"t","content":"c","owner":"\\ud83d"}' },
    400,
    'owner',
  ],
  ['half a character as a name', 'POST', '/api/knowledge', { body: '{"\\ud83d":1}' }, 400, 'body'],
  [
    'a number beyond all',
    'POST',
    '/api/knowledge',
    { body: '{"task":"t","content":"c","source":{"n":1e999}}' },
    400,
    'n',
  ],
  [
    'JSON nested deeply',
    'POST',
    '/api/knowledge',
    { body: `{"task":"t","content":"c","source":{"n":${nested(40)}}}` },
    400,
    'body',
  ],
  ['JSON nested to exhaust', 'POST', '/api/knowledge', { body: nested(100_000) }, 400, 'body'],
  [
    'a large entry',
    'POST',
    '/api/knowledge',
    { body: { ...entry, content: long(32 * 1024 + 1) } },
    400,
    'content',
  ],
  ['a huge entry', 'POST', '/api/knowledge', { body: { ...entry, content: long(300_000) } }, 413, 'body'],
  [
    'a large document',
    'POST',
    '/api/documents',
    { body: { ...document, content: long(1024 * 1024 + 1) } },
    400,
    'content',
  ],
  [
    'a huge document',
    'POST',
    '/api/documents',
    { body: { ...document, content: long(7 * 1024 * 1024) } },
    413,
    'body',
  ],
  [
    'a long name',
    'POST',
    '/api/documents',
    { body: { ...document, filename: `${long(200)}.md` } },
    400,
    'filename',
  ],
  ['no Markdown', 'POST', '/api/documents', { body: { ...document, filename: 'a.exe' } }, 400, 'filename'],
  ['a path trick', 'POST', '/api/documents', { body: { ...document, category: '..' } }, 400, 'category'],
  [
    'a path trick inside',
    'POST',
    '/api/documents',
    { body: { ...document, filename: '../a.md' } },
    400,
    'filename',
  ],
  [
    'a control character',
    'POST',
    '/api/documents',
    { body: { ...document, filename: 'a\u0000.md' } },
    400,
    'filename',
  ],
  [
    'a path trick for a form',
    'POST',
    '/api/documents/uploads',
    { body: { category: 'a', filename: '..\\a.md' } },
    400,
    'filename',
  ],
  ['a path trick in the path', 'GET', '/api/documents/..%2F..%2Fetc%2Fpasswd', {}, 400, 'category'],
  ['a folder in the path', 'GET', '/api/documents/a/b/c.md', {}, 400, 'filename'],
  ['a control character in the path', 'GET', '/api/documents/a/%00.md', {}, 400, 'filename'],
  ['a folder alone', 'GET', '/api/documents/payment', {}, 400, 'path'],
  ['broken percent-encoding', 'GET', '/api/documents/a/%E6%94.md', {}, 400, 'path'],
  ['a percent alone', 'DELETE', '/api/documents/a/100%.md', {}, 400, 'path'],
  ['percent-encoded halves of a character', 'GET', '/api/documents/a/%ED%A0%BD.md', {}, 400, 'path'],
  ['broken percent-encoding in the query', 'GET', '/api/knowledge', { query: 'domain=%E6%94' }, 400, 'query'],
  ['an unknown parameter', 'GET', '/api/knowledge', { query: 'colour=red' }, 400, 'colour'],
  ['a parameter where none is known', 'GET', '/api/domains', { query: 'limit=1' }, 400, 'limit'],
  ['a parameter twice', 'GET', '/api/knowledge', { query: 'owner=a&owner=b' }, 400, 'owner'],
  ['a limit that is none', 'GET', '/api/knowledge', { query: 'limit=-1' }, 400, 'limit'],
  ['a limit beyond', 'GET', '/api/knowledge', { query: 'limit=101' }, 400, 'limit'],
  ['a limit of zero', 'GET', '/api/documents', { query: 'limit=0' }, 400, 'limit'],
  ['a cursor of somebody else', 'GET', '/api/knowledge', { query: 'cursor=abc' }, 400, 'cursor'],
  [
    'a cursor of a wrong shape',
    'GET',
    '/api/documents',
    { query: `cursor=${btoa('{"before":-1}')}` },
    400,
    'cursor',
  ],
  ['a flag that is none', 'GET', '/api/knowledge', { query: 'related=yes' }, 400, 'related'],
  ['no question', 'GET', '/api/knowledge/search', {}, 400, 'q'],
  ['an empty question', 'GET', '/api/knowledge/search', { query: 'q=' }, 400, 'q'],
  [
    'a question that is a document',
    'GET',
    '/api/knowledge/search',
    { query: `q=${'a'.repeat(4001)}` },
    400,
    'q',
  ],
  ['an id that is none', 'GET', '/api/knowledge/nothing', {}, 400, 'id'],
  ['an id with a path in it', 'GET', '/api/knowledge/a%2Fb', {}, 400, 'id'],
  ['an unknown id', 'GET', `/api/knowledge/${ID}`, {}, 404, undefined],
  ['an unknown id for its status', 'GET', `/api/knowledge/status/${ID}`, {}, 404, undefined],
  ['an unknown id to delete', 'DELETE', `/api/knowledge/${ID}`, {}, 404, undefined],
  [
    'an unknown id to review',
    'POST',
    `/api/knowledge/${ID}/review`,
    { body: { action: 'check' } },
    404,
    undefined,
  ],
  [
    'a rejection without a reason',
    'POST',
    `/api/knowledge/${ID}/review`,
    { body: { action: 'reject' } },
    400,
    'reason',
  ],
  ['an unknown act', 'POST', `/api/knowledge/${ID}/review`, { body: { action: 'shred' } }, 400, 'action'],
  ['nothing to import', 'POST', '/api/knowledge/import', { body: ' \n' }, 400, 'body'],
  ['too much to import', 'POST', '/api/knowledge/import', { body: '{}\n'.repeat(101) }, 400, 'body'],
  ['a blank query', 'POST', '/api/lookup', { body: { query: ' ' } }, 400, 'query'],
  ['a domain that is none', 'POST', '/api/lookup', { body: { query: 'a', domain: '*' } }, 400, 'domain'],
  [
    'a strange request id',
    'POST',
    '/api/lookup',
    { body: { query: 'a', request_id: 'a b' } },
    400,
    'request_id',
  ],
  ['scopes that are none', 'POST', '/api/lookup', { body: { query: 'a', scopes: [''] } }, 400, 'scopes'],
  ['scopes of a wrong type', 'POST', '/api/lookup', { body: { query: 'a', scopes: 'org:a' } }, 400, 'scopes'],
  [
    'scopes in a header that are none',
    'GET',
    '/api/domains',
    { headers: { 'x-knowhub-scopes': 'a,,b' } },
    400,
    'x-knowhub-scopes',
  ],
  ['scopes in a query that are none', 'GET', '/api/domains', { query: 'scopes=' }, 400, 'scopes'],
  ['a long session id', 'DELETE', `/api/sessions/${long(257)}`, {}, 400, 'id'],
  ['an unknown role', 'GET', '/api/prompts/boss', {}, 400, 'role'],
  ['a relation type that is none', 'GET', '/api/relations/UPPER', {}, 400, 'type'],
  ['a domain with a slash', 'POST', '/api/domains/a%2Fb/recompute', {}, 400, 'id'],
  ['a body where none is known', 'POST', '/api/domains/a/recompute', { body: { now: true } }, 400, 'now'],
  ['an unknown route', 'GET', '/api/nothing', {}, 404, undefined],
  ['an unknown route outside', 'GET', '/', {}, 404, undefined],
  ['a route with a slash at its end', 'GET', '/api/domains/', {}, 404, undefined],
  ['a wrong method', 'DELETE', '/api/lookup', {}, 405, undefined],
  ['a method nobody knows', 'BREW', '/api/knowledge', {}, 405, undefined],
  ['nobody’s signature', 'GET', '/api/domains', { arn: null }, 401, undefined],
])('R3.7 API bad input: %s', async (_, method, path, request, status, field) => {
  expect(await refusal(method, path, request)).toMatchObject({ status, field });
});

test('API: a wrong method is told the right ones', async () => {
  const { headers, body } = await apiOf(knowledgeBase().instance).call('PUT', '/api/knowledge');
  expect([headers.allow, ErrorBody.parse(body).error]).toEqual([
    'GET, POST',
    { code: 'method_not_allowed', message: 'PUT is not allowed here; allowed: GET, POST' },
  ]);
});

test('R3.7 API: a body that is not UTF-8 is refused, one that is may come in base64', async () => {
  const base = knowledgeBase();
  const api = apiOf(base.instance);
  const send = (bytes: Uint8Array) =>
    api.send({
      ...gatewayEvent('POST', '/api/knowledge'),
      body: Buffer.from(bytes).toString('base64'),
      isBase64Encoded: true,
    });
  const latin1 = Buffer.from('{"task":"caf\xe9","content":"c"}', 'latin1');
  expect((await send(latin1)).body).toMatchObject({ error: { code: 'invalid_input', field: 'body' } });
  expect(written(base.calls)).toEqual([]);
  expect((await send(Buffer.from('{"task":"café","content":"c"}'))).status).toBe(202);
});
