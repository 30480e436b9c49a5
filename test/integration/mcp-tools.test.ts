import { expect, test } from 'vitest';
import { PIECE } from '#lib/runtime/mcp/tools/get-document.ts';
import { file } from '#test/support/instance.ts';
import { callTool, connect } from '#test/support/mcp.ts';
import { startMcpBase } from '#test/support/mcp-base.ts';

test('R6.4 get_document gives a document verbatim, whatever the session was given; a long one in pieces', async () => {
  const { base, gateway } = await startMcpBase();
  const short = file('timeout', 'alpha beta');
  await base.published('payment/timeout.md', short);
  const long = file('long', `${'知识🧠 text.\n'.repeat(4000)}end`);
  await base.published('payment/long one.md', long);
  const { client } = await connect(gateway);
  await callTool(client, 'lookup_knowledge', { query: 'timeout' });
  const whole = await callTool(client, 'get_document', { path: 'payment/timeout.md' });
  expect(whole.texts).toEqual([short]);
  expect(whole.structured).toMatchObject({ path: 'payment/timeout.md', content: short, status: 'approved' });
  expect(whole.structured).not.toHaveProperty('next_offset');

  let text = '';
  let offset: number | undefined = 0;
  let calls = 0;
  while (offset !== undefined) {
    const piece = await callTool(client, 'get_document', { path: 'payment/long one.md', offset });
    const { content, next_offset } = piece.structured as { content: string; next_offset?: number };
    expect([piece.texts[0], content.isWellFormed()]).toEqual([content, true]);
    expect([...content].length).toBeLessThanOrEqual(PIECE);
    expect(piece.texts.length).toBe(next_offset === undefined ? 1 : 2);
    text += content;
    offset = next_offset;
    calls += 1;
  }
  expect(text).toBe(long);
  expect(calls).toBe(3);
});

test('API a path is told as it is to be given: here it is not percent-encoded', async () => {
  const { gateway } = await startMcpBase();
  const { client } = await connect(gateway);
  const { texts } = await callTool(client, 'get_document', { path: 'timeout.md' });
  expect(texts[0]!.split('\n')[0]).toBe('path is not {category}/{filename}, as lookup_knowledge gave it');
});

test('R6.4 R6.8 the rest of a long entry is there by its id, for who may see it', async () => {
  const { base, gateway } = await startMcpBase();
  const content = `${'alpha beta. '.repeat(300)}the end`;
  const id = await base.admitted('what alpha means', content, { domain: 'ops', scopes: ['org:a'] });
  const { client } = await connect(gateway, 'arn:one', ['org:a']);
  const found = await callTool(client, 'lookup_knowledge', { query: 'what alpha means', domain: 'ops' });
  // A section of it is shown, under the name by which the rest is to be had.
  expect(found.texts[0]).toContain(`\nid: ${id}\n`);
  expect(found.texts[0]).not.toContain('the end');
  const whole = await callTool(client, 'get_document', { path: id });
  expect([whole.texts, whole.structured]).toMatchObject([
    [content],
    { id, path: '', content, domain: 'ops' },
  ]);
  const rest = await callTool(client, 'get_document', { path: id, offset: content.length - 7 });
  expect(rest.texts).toEqual(['the end']);
  const { client: other } = await connect(gateway, 'arn:one', ['org:b']);
  const refused = await callTool(other, 'get_document', { path: id });
  expect([refused.isError, refused.texts[0]]).toEqual([true, expect.stringContaining('code: not_found')]);
  expect(refused.texts[0]).not.toContain('alpha');
});

test('R3.1 save_knowledge takes an entry in as the API does: pending at once, judged later, then found', async () => {
  const { base, gateway } = await startMcpBase();
  const { client } = await connect(gateway);
  const args = {
    task: 'restart the mailer',
    content: 'alpha beta',
    domain: 'ops',
    tags: { service: 'mail' },
  };
  const saved = await callTool(client, 'save_knowledge', args);
  const id = String(saved.structured?.knowledge_id);
  expect(saved).toEqual({
    isError: false,
    structured: { status: 'pending', knowledge_id: id, message: expect.stringContaining('judged later') },
    texts: [expect.stringContaining(`${id}: Saved as pending. It is judged later`)],
  });
  expect(await base.row(id)).toMatchObject({
    ...{ status: 'pending', kind: 'entry', domain: 'ops', task: 'restart the mailer', owner: 'arn:one' },
    tags: { service: 'mail' },
  });
  const twin = await callTool(client, 'save_knowledge', args);
  await base.work();
  expect(await base.status(id)).toBe('approved');
  expect(await base.status(String(twin.structured?.knowledge_id))).toMatch(/^rejected/);
  const found = await callTool(client, 'lookup_knowledge', { query: 'restart the mailer', domain: 'ops' });
  expect(found.structured).toMatchObject({ documents: [{ id, kind: 'entry', path: '' }] });
  expect(found.texts[0]).toMatch(
    /<document>\ntitle: restart the mailer\nid: knowledge-[\w-]+\ndomain: ops\n[\s\S]*alpha beta\n<\/document>/,
  );
});

test.each([
  ['lookup_knowledge', {}, 'query'],
  ['lookup_knowledge', { query: '  ' }, 'query'],
  ['lookup_knowledge', { query: 7 }, 'query'],
  ['lookup_knowledge', { query: 'a', domain: '../b' }, 'domain'],
  ['lookup_knowledge', { query: 'a', session_id: 'mine' }, 'session_id'],
  ['get_document', {}, 'path'],
  ['get_document', { path: 'no-folder.md' }, 'path'],
  ['get_document', { path: 'a/../b.md' }, 'filename'],
  ['get_document', { path: 'payment/timeout.md', offset: -1 }, 'offset'],
  ['get_document', { path: 'payment/timeout.md', offset: 9999 }, 'offset'],
  ['get_document', { path: 'payment/none.md' }, undefined],
  ['save_knowledge', { task: 'a' }, 'content'],
  ['save_knowledge', { task: 'a', content: ' ' }, 'content'],
  ['save_knowledge', { task: 'a', content: 'x'.repeat(33_000) }, 'content'],
  ['save_knowledge', { task: 'a', content: 'b', tags: { a: 1 } }, 'tags.a'],
  ['save_knowledge', { task: 'a', content: 'b', status: 'approved' }, 'status'],
])('R3.7 %s with %j is a tool error that names %s', async (name, args, field) => {
  const { base, gateway } = await startMcpBase();
  await base.published('payment/timeout.md', file('timeout', 'alpha beta'));
  const { client } = await connect(gateway);
  const { isError, texts, structured } = await callTool(client, name, args);
  expect([isError, structured]).toEqual([true, undefined]);
  const lines = texts[0]!.split('\n').slice(-3);
  expect(lines.at(-1)).toMatch(/^request_id: [0-9a-f]{8}$/);
  if (field === undefined) expect(lines[1]).toBe('code: not_found');
  else expect(lines.slice(0, 2)).toEqual(['code: invalid_input', `field: ${field}`]);
});
