import type { ChildProcess } from 'node:child_process';
import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import { type CommandLine, commandLine, files, MAILER } from '#test/support/command-line.ts';
import { type HttpMemoryServer, startHttpMemoryServer } from '#test/support/http-memory-server.ts';

let folder: string;
let server: HttpMemoryServer;
let knowhub: CommandLine['knowhub'];
let pushJson: CommandLine['pushJson'];

const ESCAPE = '\u001b';

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'knowhub-cli-'));
  await files(join(folder, 'odd'), {
    'ops/plain.md': MAILER,
    'ops/deep/c.md': '# One\n\nThe first of two files that want one name.\n',
    'ops/deep__c.md': '# Another\n\nA queue of invoices that is stuck is drained by hand.\n',
    "ops/100% [a] + b#1's.md": '---\ntitle: Odd: name\n---\nPercent and plus stay as they are written.\n',
    'ops/blank.md': ' \n\t\n',
    'ops/latin1.md': Buffer.from('# Caf\xe9\n', 'latin1'),
    'ops/huge.md': Buffer.alloc(10 * 1024 * 1024 + 1, 'x'),
    'ops/rows.tsv': 'a\tb\n',
    '支付/退款.md': '\ufeff# 退款多久到账\r\n\r\n借记卡一到三个工作日，信用卡三到七个工作日。\r\n',
  });
  await files(join(folder, 'good'), { 'ops/plain.md': MAILER, 'ops/copy.md': MAILER });
  await mkdir(join(folder, 'none'));
});
afterAll(() => rm(folder, { recursive: true, force: true }));
beforeEach(async () => {
  server = await startHttpMemoryServer();
  ({ knowhub, pushJson } = commandLine(server.url));
});
afterEach(() => server.stop());

const at = (name: string): string => join(folder, name);

test('R3.7 a folder with odd files: what cannot be taken has failed, with exit 1; the others are decided', async () => {
  const { code, files: count, results, skipped, kinds, interrupted } = await pushJson(at('odd'));
  expect({ code, count, skipped, kinds, interrupted }).toEqual({
    code: 1,
    count: 8,
    skipped: [{ origin: 'ops/rows.tsv', why: 'not Markdown' }],
    kinds: { admitted: 5, failed: 3 },
    interrupted: false,
  });
  expect(
    results.map(({ path, decision, why, code: fault, field }) => [path, decision, why, fault, field]),
  ).toEqual([
    ["ops/100% [a] + b#1's.md", 'admitted', undefined, undefined, undefined],
    ['ops/blank.md', 'failed', 'content is blank', 'invalid_input', 'content'],
    [expect.stringMatching(/^ops\/deep__c/), 'admitted', undefined, undefined, undefined],
    [expect.stringMatching(/^ops\/deep__c/), 'admitted', undefined, undefined, undefined],
    ['ops/huge.md', 'failed', 'too large: 10485761 bytes; the limit is 10485760', undefined, undefined],
    ['ops/latin1.md', 'failed', 'not UTF-8 text', undefined, undefined],
    ['ops/plain.md', 'admitted', undefined, undefined, undefined],
    ['支付/退款.md', 'admitted', undefined, undefined, undefined],
  ]);
  expect(new Set(results.map(({ path }) => path)).size).toBe(8);
});

test('R3.5 a second push of the same folder finds everything unchanged, and waits for nothing', async () => {
  const first = await pushJson(at('good'), '--concurrency', '1');
  expect(first.results.map(({ path, decision, relations }) => [path, decision, relations])).toEqual([
    ['ops/copy.md', 'admitted', []],
    ['ops/plain.md', 'rejected', [{ type: 'duplicate', to: 'ops/copy.md' }]],
  ]);
  expect(first.code).toBe(0);
  server.hold(true);
  const { code, results, kinds } = await pushJson(at('good'));
  expect({ code, kinds }).toEqual({ code: 0, kinds: { unchanged: 2 } });
  expect(results.map(({ id }) => id)).toEqual(first.results.map(({ id }) => id));
});

test('API a push is told as a table in plain text through a pipe', async () => {
  const { code, out, err } = await knowhub(['push', at('good'), '--concurrency', '1']);
  expect({ code, err }).toEqual({ code: 0, err: '' });
  expect(out).not.toContain(ESCAPE);
  expect(out.replace(/in \d+\.\d s/, 'in 0.0 s').split('\n')).toEqual([
    'DECISION   PATH          WHY',
    'admitted   ops/copy.md   nothing stored is near it',
    'rejected   ops/plain.md  duplicate of copy.md: task and content are identical, no model was asked',
    '',
    '      1  admitted',
    '      1  rejected: duplicate',
    '',
    '2 files in 0.0 s.',
    '',
  ]);
});

test('API --no-wait ends when all is uploaded, --timeout when nothing was decided in time', async () => {
  server.hold(true);
  const uploaded = await pushJson(at('good'), '--no-wait');
  expect([uploaded.code, uploaded.kinds]).toEqual([0, { waiting: 2 }]);
  const late = await pushJson(at('good'), '--timeout', '1');
  expect([late.code, late.kinds, late.results.map(({ why }) => why)]).toEqual([
    1,
    { waiting: 2 },
    ['not decided in time', 'not decided in time'],
  ]);
  server.fault = ({ url }) => {
    if (url.startsWith('/api/knowledge/status/')) server.hold(false);
    return undefined;
  };
  // What an earlier push left waiting is no news, but its decision is.
  const decided = await pushJson(at('good'));
  expect([decided.code, decided.kinds]).toEqual([0, { admitted: 1, 'rejected: duplicate': 1 }]);
});

test('R3.1 a document over 1 MB goes through a presigned form; the same one again does not', async () => {
  await files(at('large'), {
    'ops/large.md': `# Tapes\n\n${'Tapes are kept for ten years 磁带. '.repeat(40_000)}\n`,
  });
  const first = await pushJson(at('large'));
  expect([first.code, first.kinds]).toEqual([0, { admitted: 1 }]);
  const forms = () => server.requests.filter(({ url }) => url === '/inbox-form').length;
  expect(forms()).toBe(1);
  const second = await pushJson(at('large'));
  expect([second.code, second.kinds, forms()]).toEqual([0, { unchanged: 1 }, 1]);
  expect(second.results[0]?.id).toBe(first.results[0]?.id);
});

test('API a server that is busy or breaks off is asked again, and what it had done already is not "unchanged"', async () => {
  const faults = [{ status: 503 }, 'cut', 'cut_after', { status: 429 }] as const;
  let n = 0;
  server.fault = ({ url }) => (url === '/api/documents' ? faults[n++] : undefined);
  await files(at('one'), { 'ops/plain.md': MAILER });
  const { code, results } = await pushJson(at('one'));
  expect([code, results.map(({ decision }) => decision), n]).toEqual([0, ['admitted'], 5]);
});

test('API Ctrl-C ends a push with 130, and says what was done', async () => {
  const contents = Object.fromEntries(
    Array.from({ length: 30 }, (_, n) => [`ops/file-${n}.md`, `# File ${n}\n\nThe note number ${n}.\n`]),
  );
  await files(at('many'), contents);
  let child: ChildProcess | undefined;
  const uploads = () => server.requests.filter(({ url }) => url === '/api/documents').length;
  server.fault = () => {
    if (uploads() < 5) return undefined;
    child?.kill('SIGINT');
    return new Promise(() => undefined);
  };
  const { code, out, err } = await knowhub(['push', at('many'), '--concurrency', '1'], {
    started: (started) => {
      child = started;
    },
  });
  expect({ code, err }).toEqual({ code: 130, err: '' });
  expect(out.replaceAll(/\s+/g, ' ')).toContain(
    'Interrupted: 4 of 30 files uploaded, 0 of them seen decided. Those go on by themselves; push again for the rest.',
  );
  expect(out.match(/^waiting .*not decided yet$/gm)).toHaveLength(4);
});

test('API a server that goes away in the middle of a push: what was not uploaded has failed, with exit 1', async () => {
  let uploads = 0;
  server.fault = ({ url }) => {
    if (url === '/api/documents' && ++uploads === 2) void server.stop();
    return undefined;
  };
  const { code, kinds, results } = await pushJson(at('odd'), '--concurrency', '1', '--no-wait');
  expect([code, kinds.waiting]).toEqual([1, 1]);
  expect(results.filter(({ code: fault }) => fault === 'unreachable').length).toBeGreaterThan(0);
});

test('API a folder without Markdown is said to be one, with exit 1', async () => {
  const { code, out, err } = await knowhub(['push', at('none')]);
  expect({ code, out, err }).toEqual({
    code: 1,
    out: '',
    err: `knowhub: there is no Markdown in ${at('none')} (files and folders skipped: 0)\n`,
  });
});
