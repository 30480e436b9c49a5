import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import * as z from 'zod';
import { type CommandLine, commandLine, files, KNOWHUB, MAILER } from '#test/support/command-line.ts';
import { type HttpMemoryServer, startHttpMemoryServer } from '#test/support/http-memory-server.ts';

let folder: string;
let server: HttpMemoryServer;
let knowhub: CommandLine['knowhub'];
let pushJson: CommandLine['pushJson'];

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'knowhub-cli-'));
  await files(join(folder, 'good'), { 'ops/plain.md': MAILER, 'ops/copy.md': MAILER });
});
afterAll(() => rm(folder, { recursive: true, force: true }));
beforeEach(async () => {
  server = await startHttpMemoryServer();
  ({ knowhub, pushJson } = commandLine(server.url));
});
afterEach(() => server.stop());

const at = (name: string): string => join(folder, name);

test('R6.5 R6.6 lookups of one session: the first is answered, the second is stopped, until the session ends', async () => {
  await pushJson(at('good'));
  const ask = ['lookup', 'restart', 'the', 'mailer', '--domain', 'ops', '--session', 'one/1'];
  const first = await knowhub(ask);
  expect({ code: first.code, err: first.err }).toEqual({ code: 0, err: '' });
  expect(first.out).toContain('Run `mailctl restart` on one node after the other.');
  const again = await knowhub([...ask, '--json']);
  const Reply = z.object({ level: z.string(), documents: z.array(z.unknown()), message: z.string() });
  const stopped = Reply.parse(JSON.parse(again.out));
  expect([again.code, stopped.level, stopped.documents]).toEqual([0, 'none', []]);
  expect(stopped.message).toContain('was searched already');
  expect((await knowhub(ask)).out).toMatch(/^nothing handed over\n/);

  expect(await knowhub(['session', 'end', 'one/1'])).toEqual({
    code: 0,
    out: 'Session one/1 is forgotten.\n',
    err: '',
  });
  expect((await knowhub(ask)).out).toContain('Run `mailctl restart`');
  const json = await knowhub(['session', 'end', 'one/1', '--json']);
  expect([json.code, JSON.parse(json.out)]).toEqual([0, { session_id: 'one/1', ended: true }]);
});

test('API what was rejected is listed with the decision behind it; nothing waits for a word', async () => {
  await pushJson(at('good'));
  const { code, out, err } = await knowhub(['review', '--rejected', '--json']);
  const Listed = z.object({
    items: z.array(z.object({ path: z.string(), status: z.string(), decision: z.string() })),
    more: z.boolean(),
  });
  const listed = Listed.parse(JSON.parse(out));
  expect([code, err, listed.more, listed.items.length]).toEqual([0, '', false, 1]);
  const [item] = listed.items;
  expect(item).toMatchObject({ path: expect.stringMatching(/^ops\//), status: 'rejected' });
  const told = await knowhub(['review', '--rejected', '--domain', 'ops']);
  expect(told.out).toContain(`${item!.path}\n`);
  expect(told.out).toContain(item!.decision.slice(0, 20));
  expect(await knowhub(['review'])).toEqual({ code: 0, out: 'Nothing waits for a word.\n', err: '' });
});

test('R6.1 a lookup whose answer is lost is asked again under its own name, and gets the same answer', async () => {
  await pushJson(at('good'));
  let cut = false;
  server.fault = ({ url }) => {
    if (url !== '/api/lookup' || cut) return undefined;
    cut = true;
    return 'cut_after';
  };
  const { code, out } = await knowhub(['lookup', 'restart the mailer', '--session', 's']);
  expect([code, cut, out.includes('Run `mailctl restart`')]).toEqual([0, true, true]);
});

test('R6.1 a lookup without a result is no failure', async () => {
  const { code, out, err } = await knowhub(['lookup', 'nothing of the kind']);
  expect({ code, err, first: out.split('\n')[0] }).toEqual({
    code: 0,
    err: '',
    first: 'nothing handed over',
  });
});

test('API a status tells the decision, and names what it rests on by its path', async () => {
  const { results } = await pushJson(at('good'), '--concurrency', '1');
  const id = results[1]!.id!;
  const { code, out } = await knowhub(['status', id]);
  const rows = out.trimEnd().split('\n');
  expect(code).toBe(0);
  expect(rows.slice(0, 4)).toEqual([
    `id          ${id}`,
    'kind        document',
    'path        ops/plain.md',
    'status      rejected',
  ]);
  expect(rows.at(-1)).toBe('relation    duplicate ops/copy.md');
  const json = await knowhub(['status', id, '--json']);
  expect(JSON.parse(json.out)).toMatchObject({ id, status: 'rejected', basis: 'identical' });
});

test('R5.3 the map is printed as the API gives it, and as JSON', async () => {
  await pushJson(at('good'));
  const yaml = await (await fetch(`${server.url}/api/knowledge-map`)).text();
  expect(yaml).toContain('domain_id: "ops"');
  expect(await knowhub(['map'])).toEqual({ code: 0, out: yaml, err: '' });
  const { out } = await knowhub(['map', '--json']);
  expect(JSON.parse(out)).toMatchObject({ available_knowledge_domains: [{ domain_id: 'ops' }] });
});

test('API what the server refuses is told with code, field and message, without a trace, and with exit 1', async () => {
  const refused = await knowhub(['lookup', ' ']);
  expect({ ...refused, err: refused.err.replace(/[0-9a-f]{8}/, 'ID') }).toEqual({
    code: 1,
    out: '',
    err: 'knowhub: query is blank (invalid_input, field query, request ID)\n',
  });
  const absent = await knowhub(['status', 'knowledge-20260101-aaaa', '--json']);
  expect(absent.code).toBe(1);
  expect(JSON.parse(absent.out)).toMatchObject({ error: { code: 'not_found' } });
});

test.each([[['map']], [['lookup', 'x']], [['push', 'good']]])(
  'API without a server %j says how to start one, with exit 1',
  async (given) => {
    const [command = '', ...rest] = given;
    await server.stop();
    const { code, out, err } = await knowhub([
      command,
      ...rest.map((each) => (each === 'good' ? at(each) : each)),
    ]);
    expect({ code, out, err }).toEqual({
      code: 1,
      out: '',
      err: `knowhub: nobody answers at ${server.url} (ECONNREFUSED)\nStart KnowHub here with: npm start      (or name another server: KNOWHUB_URL)\n`,
    });
  },
);

test('API --sign signs for API Gateway with the credentials of the environment', async () => {
  const env = { AWS_REGION: 'eu-west-1', AWS_ACCESS_KEY_ID: 'AKIDEXAMPLE', AWS_SECRET_ACCESS_KEY: 'secret' };
  const { code } = await knowhub(['lookup', 'x', '--sign', '--scopes', 'org:a'], { env });
  expect(code).toBe(0);
  const { headers } = server.requests[0]!;
  expect(headers.authorization).toMatch(
    /^AWS4-HMAC-SHA256 Credential=AKIDEXAMPLE\/\d{8}\/eu-west-1\/execute-api\/aws4_request, SignedHeaders=content-type;host;x-amz-content-sha256;x-amz-date;x-knowhub-scopes, Signature=[0-9a-f]{64}$/,
  );
  expect(headers['x-knowhub-scopes']).toBe('org:a');
});

test('API without credentials a call that is to be signed is not made', async () => {
  const env = { AWS_REGION: 'eu-west-1', AWS_EC2_METADATA_DISABLED: 'true', HOME: at('none') };
  const { code, err } = await knowhub(['map', '--sign'], { env });
  expect([code, server.requests]).toEqual([1, []]);
  expect(err).toBe('knowhub: the call cannot be signed: Could not load credentials from any providers\n');
});

test.each([
  [[], 'no command'],
  [['psuh'], 'unknown command "psuh"'],
  [['map', '--nope'], "Unknown option '--nope'"],
  [['push', '/no/such/folder'], 'there is no folder /no/such/folder'],
  [['push', KNOWHUB], `${KNOWHUB} is not a folder`],
  [['map', '--sign'], '--sign needs AWS_REGION: the address '],
])('API %j is wrong use: a message and exit 2', async (given, message) => {
  const { code, out, err } = await knowhub(given);
  expect({ code, out }).toEqual({ code: 2, out: '' });
  expect(err).toMatch(/^knowhub: /);
  expect(err.slice('knowhub: '.length)).toContain(message);
});

test('API --help tells all commands, and the options of each', async () => {
  const [all, one] = await Promise.all([knowhub(['--help']), knowhub(['push', '--help'])]);
  expect([all.code, one.code]).toEqual([0, 0]);
  expect(all.out).toContain('npm run knowhub -- session end S');
  expect(one.out).toContain('--concurrency N');
});

test('API who stops reading, like head, gets no trace', async () => {
  await pushJson(at('good'));
  const { err } = await knowhub(['map'], { started: ({ stdout }) => stdout!.destroy() });
  expect(err).toBe('');
});
