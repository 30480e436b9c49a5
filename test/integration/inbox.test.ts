import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { createMemoryInbox, type MemoryInbox } from '#lib/adapters/memory/inbox.ts';
import { InvalidInput, ModelUnavailable, Unclear } from '#lib/core/errors.ts';
import { LIMITS } from '#lib/core/limits.ts';
import { fromEventBridge, fromS3Notification, fromUrl } from '#lib/core/names.ts';
import type { Inbox } from '#lib/ports.ts';
import { createInstance, type Instance } from '#lib/usecases/instance.ts';
import { sweepInbox } from '#lib/usecases/sweep-inbox.ts';
import { type InboxRule, takeFromInbox } from '#lib/usecases/take-from-inbox.ts';
import { ticketForUpload } from '#lib/usecases/ticket-for-upload.ts';
import { MINUTE } from '#test/support/clock.ts';
import { curator, file, type KnowledgeBase, knowledgeBase, stranger } from '#test/support/instance.ts';

interface Case {
  id: string;
  from: 's3-notification' | 'eventbridge' | 'http' | 'body';
  key?: string;
  url?: string;
  path?: string;
}
const cases: Case[] = JSON.parse(readFileSync('../shared/cases/names.json', 'utf8'));
const named = (id: string): Case => cases.find((one) => one.id === id) ?? expect.fail(`no case ${id}`);

const REQUEST = 'a1b2c3d4';
const bytesOf = (text: string): Uint8Array => new TextEncoder().encode(text);
const GOOD = file('Pool exhausted', 'raise the pool');

interface World {
  base: KnowledgeBase;
  inbox: MemoryInbox;
  instance: Instance;
  drop(key: string, content: string | Uint8Array): void;
  take(key: string, rules?: InboxRule[]): ReturnType<ReturnType<typeof takeFromInbox>>;
}

/** A knowledge base with an inbox; `faulty` replaces some of its calls. */
function world(faulty: Partial<Inbox> = {}): World {
  const base = knowledgeBase();
  const inbox = createMemoryInbox(base.clock);
  const instance = createInstance({ ...base.ports, inbox: { ...inbox, ...faulty } });
  return {
    base,
    inbox,
    instance,
    drop: (key, content) => inbox.drop(key, typeof content === 'string' ? bytesOf(content) : content),
    take: (key, rules) => takeFromInbox(instance, rules)(fromEventBridge(key), REQUEST),
  };
}

const left = (inbox: Inbox) => inbox.list('', Number.POSITIVE_INFINITY, 100);

test.each(['N1', 'N2', 'N3', 'N4', 'N5'])('R3.1 %s a dropped file is taken in at its path', async (id) => {
  const { from, key = '', path = '' } = named(id);
  const { base, inbox, instance, drop } = world();
  drop(`inbox/${path}`, GOOD);
  const name = from === 'eventbridge' ? fromEventBridge(key) : fromS3Notification(key);
  const outcome = await takeFromInbox(instance)(name, REQUEST);
  expect(outcome).toMatchObject({ kind: 'taken', upload: { path, status: 'pending' }, left: false });
  expect(await left(inbox)).toEqual([]);
  const { latest_id } = (await base.ports.paths.get(path))!;
  expect(await base.ports.bodies.get(latest_id!, 'document')).toBe(GOOD);
});

test('R3.1 N6 the path that a URL names can be dropped', async () => {
  const path = fromUrl(named('N6').url ?? '');
  const { drop, take } = world();
  drop(`inbox/${path}`, GOOD);
  expect(await take(`inbox/${path}`)).toMatchObject({ kind: 'taken', upload: { path: named('N6').path } });
});

test.each<[string, string | Uint8Array, string, string]>([
  ['N11', GOOD, 'category', 'the file lies in no category folder'],
  ['N12', GOOD, 'filename', 'folders inside a category are not read'],
  ['N13', GOOD, 'filename', 'filename does not end in .md or .markdown'],
  ['N15', Uint8Array.from([0x63, 0x61, 0x66, 0xe9]), 'content', 'the file is not UTF-8'],
  ['N16', ' \r\n\u3000', 'content', 'content is blank'],
])('R3.1 %s goes into quarantine, beside it why', async (id, content, field, why) => {
  const { base, inbox, instance, drop } = world();
  const { key = '' } = named(id);
  drop(key, content);
  const report = { key, why, field, at: '2026-03-17T14:30:22.000Z', request_id: REQUEST };
  expect(await takeFromInbox(instance)(fromS3Notification(key), REQUEST)).toEqual({
    kind: 'quarantined',
    report,
    left: false,
  });
  expect(await left(inbox)).toEqual([]);
  const bytes = typeof content === 'string' ? bytesOf(content) : content;
  expect([...inbox.quarantined]).toEqual([[key.replace('inbox/', 'quarantine/'), { bytes, report }]]);
  expect(base.calls.filter(({ port }) => port === 'items' || port === 'bodies')).toEqual([]);
});

test('R3.1 N14 the folder marker of the console is left where it is', async () => {
  const { inbox, instance, drop } = world();
  const { key = '' } = named('N14');
  drop(key, '');
  expect(await takeFromInbox(instance)(fromS3Notification(key), REQUEST)).toEqual({ kind: 'ignored', key });
  expect(await left(inbox)).toEqual([key]);
});

test('R3.7 a file of 10 MB is taken in, a larger one is not', async () => {
  const { inbox, drop, take } = world();
  const document = GOOD.padEnd(LIMITS.document_bytes_inbox, '.');
  drop('inbox/a/whole.md', document);
  drop('inbox/a/more.md', `${document}.`);
  expect(await take('inbox/a/whole.md')).toMatchObject({ kind: 'taken' });
  expect(await take('inbox/a/more.md')).toMatchObject({
    kind: 'quarantined',
    report: { field: 'content', why: 'the file has 10485761 bytes; the limit is 10485760' },
  });
  expect([...inbox.quarantined.keys()]).toEqual(['quarantine/a/more.md']);
});

test('R3.1 an event that comes twice finds nothing the second time', async () => {
  const { base, drop, take } = world();
  drop('inbox/a/b.md', GOOD);
  await take('inbox/a/b.md');
  expect(await take('inbox/a/b.md')).toEqual({ kind: 'gone', key: 'inbox/a/b.md' });
  expect((await base.ports.paths.get('a/b.md'))?.seq).toBe(1);
});

test.each([
  ['good', GOOD, 'taken'],
  ['bad', '', 'quarantined'],
])('R3.1 a newer file dropped while a %s one is taken in is never lost', async (_, content, kind) => {
  const newer = file('Pool exhausted', 'lower the pool');
  let dropped = false;
  const faulty: Partial<Inbox> = {
    async read(key, limit) {
      const read = await under_test.inbox.read(key, limit);
      if (!dropped) under_test.drop(key, newer);
      dropped = true;
      return read;
    },
  };
  const under_test = world(faulty);
  under_test.drop('inbox/a/b.md', content);
  expect(await under_test.take('inbox/a/b.md')).toMatchObject({ kind, left: true });
  expect(await left(under_test.inbox)).toEqual(['inbox/a/b.md']);
  expect(under_test.inbox.quarantined.size).toBe(0);
  expect(await under_test.take('inbox/a/b.md')).toMatchObject({ kind: 'taken', left: false });
  const { latest_id } = (await under_test.base.ports.paths.get('a/b.md'))!;
  expect(await under_test.base.ports.bodies.get(latest_id!, 'document')).toBe(newer);
});

test('R3.1 on a passing fault the file stays, and is taken in when the fault has passed', async () => {
  const { base, inbox, drop, take } = world();
  drop('inbox/a/b.md', GOOD);
  const { put } = base.ports.bodies;
  base.ports.bodies.put = () => Promise.reject(new Unclear('S3 is away'));
  await expect(take('inbox/a/b.md')).rejects.toThrow(Unclear);
  expect([await left(inbox), inbox.quarantined.size]).toEqual([['inbox/a/b.md'], 0]);
  base.ports.bodies.put = put;
  expect(await take('inbox/a/b.md')).toMatchObject({ kind: 'taken' });
});

test('R3.1 a fault of ours is never taken for one of the file', async () => {
  const { base, inbox, drop, take } = world();
  drop('inbox/a/b.md', GOOD);
  base.ports.bodies.put = () => Promise.reject(new TypeError('a bug'));
  await expect(take('inbox/a/b.md')).rejects.toThrow(TypeError);
  expect([await left(inbox), inbox.quarantined.size]).toEqual([['inbox/a/b.md'], 0]);
});

test('R3.2 with the model down a dropped file is taken in all the same', async () => {
  const { base, drop, take } = world();
  const down = () => new ModelUnavailable('down');
  base.model.script = { embed: down, frontmatter: down };
  drop('inbox/a/b.md', '# Pool exhausted\n\nraise the pool\n');
  expect(await take('inbox/a/b.md')).toMatchObject({
    kind: 'taken',
    upload: { missing: ['title', 'summary', 'keywords', 'covers', 'when_to_retrieve'] },
  });
});

test('R3.1 what quarantine cannot take yet stays in the inbox', async () => {
  const { inbox, drop, take } = world({ quarantine: () => Promise.reject(new Unclear('S3 is away')) });
  drop('inbox/a/b.md', '');
  await expect(take('inbox/a/b.md')).rejects.toThrow(Unclear);
  expect(await left(inbox)).toEqual(['inbox/a/b.md']);
});

const rules: InboxRule[] = [
  { prefix: 'payment/', scopes: ['org:a'], owner: 'team:payment' },
  { prefix: '', scopes: [], owner: 'team:all' },
  { prefix: 'payment/open-', scopes: [] },
];
const withKeys = (more: string) => GOOD.replace('---\n', `---\n${more}\n`);

test.each<[string, string, string, { scopes: string[]; owner: string }]>([
  ['says nothing', 'payment/a.md', GOOD, { scopes: ['org:a'], owner: 'team:payment' }],
  ['lies elsewhere', 'api/a.md', GOOD, { scopes: [], owner: 'team:all' }],
  ['has a longer prefix', 'payment/open-a.md', GOOD, { scopes: [], owner: 'inbox' }],
  [
    'names its own',
    'payment/a.md',
    withKeys('scopes: [org:b]\nowner: me'),
    { scopes: ['org:b'], owner: 'me' },
  ],
  ['names no scope', 'payment/a.md', withKeys('scopes: []'), { scopes: ['org:a'], owner: 'team:payment' }],
])('R3.1 scopes and owner of a file that %s', async (_, path, content, expected) => {
  const { base, drop, take } = world();
  drop(`inbox/${path}`, content);
  expect(await take(`inbox/${path}`, rules)).toMatchObject({ kind: 'taken' });
  const { scopes, owner } = await base.row((await base.ports.paths.get(path))!.latest_id!);
  expect({ scopes, owner }).toEqual(expected);
});

test('R3.5 a scoped document can be replaced by the folder that made it, and not by another', async () => {
  const { base, inbox, drop, take } = world();
  for (const words of ['first', 'second']) {
    drop('inbox/payment/a.md', file('Pool exhausted', words));
    expect(await take('inbox/payment/a.md', rules)).toMatchObject({ kind: 'taken' });
    await base.work();
  }
  drop('inbox/payment/a.md', file('Pool exhausted', 'third'));
  expect(await take('inbox/payment/a.md')).toMatchObject({ kind: 'quarantined' });
  expect([...inbox.quarantined.keys()]).toEqual(['quarantine/payment/a.md']);
});

test('R3.5 a document that names its own scopes can be replaced by one that names them again', async () => {
  const { base, drop, take } = world();
  for (const words of ['first', 'second']) {
    drop('inbox/payment/a.md', `${withKeys('scopes: [org:b]')}${words}`);
    expect(await take('inbox/payment/a.md')).toMatchObject({ kind: 'taken' });
    await base.work();
  }
  expect((await base.ports.paths.get('payment/a.md'))?.seq).toBe(2);
});

test('R6.8 a file that came with a ticket sees what its caller sees, whatever scopes it names', async () => {
  const { base, inbox, take } = world();
  const secret = withKeys('scopes: [org:a]');
  await base.published('payment/a.md', secret);
  inbox.drop('inbox/payment/a.md', bytesOf(`${secret} more`), stranger);
  expect(await take('inbox/payment/a.md')).toMatchObject({
    kind: 'quarantined',
    report: { why: 'no document at payment/a.md' },
  });
  inbox.drop('inbox/payment/a.md', bytesOf(`${secret} more`), curator);
  expect(await take('inbox/payment/a.md')).toMatchObject({ kind: 'taken' });
});

test('R3.7 a ticket is for the inbox key of a checked path, up to 10 MB', async () => {
  const { instance } = world();
  const input = { category: '支付', filename: '\u30cf\u309a.md' };
  expect(await ticketForUpload(instance)(curator, input)).toEqual({
    url: 'memory:',
    fields: { key: 'inbox/支付/\u30d1.md', caller: JSON.stringify(curator), max_bytes: '10485760' },
    path: '支付/\u30d1.md',
    max_bytes: 10_485_760,
    expires_in: 900,
  });
  await expect(ticketForUpload(instance)(curator, { ...input, category: '..' })).rejects.toThrow(
    InvalidInput,
  );
  await expect(ticketForUpload(instance)(curator, { ...input, key: 'x' })).rejects.toThrow(InvalidInput);
});

test('R4.8 the sweep takes in files left for five minutes, and markers are no files', async () => {
  const { base, inbox, instance, drop } = world();
  drop('inbox/a/', '');
  drop('inbox/a/old.md', GOOD);
  drop('inbox/a/bad.md', '');
  base.clock.pass(5 * MINUTE + 1);
  drop('inbox/a/young.md', GOOD);
  base.clock.pass(4 * MINUTE);
  const outcomes = await sweepInbox(instance)(REQUEST);
  expect(outcomes.map(({ kind }) => kind).sort()).toEqual(['quarantined', 'taken']);
  expect(await left(inbox)).toEqual(['inbox/a/', 'inbox/a/young.md']);
});

test('R4.8 files that always fail keep no other file in the inbox for ever', async () => {
  const { base, instance, drop } = world();
  for (let n = 0; n < 12; n += 1) drop(`inbox/a/${String(n).padStart(2, '0')}.md`, GOOD);
  base.clock.pass(5 * MINUTE + 1);
  instance.paths.get = (path) => Promise.reject(new TypeError(path));
  const seen: string[] = [];
  instance.log.warn = (_, fields) => {
    seen.push(String(fields?.key));
  };
  let fraction = 0;
  instance.random.fraction = () => fraction;
  for (fraction of [0, 0.9]) expect(await sweepInbox(instance)(REQUEST)).toEqual([]);
  expect(seen).toHaveLength(20);
  expect(new Set(seen).size).toBe(12);
});
