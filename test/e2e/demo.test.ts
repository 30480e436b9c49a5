import { readdirSync } from 'node:fs';
import { mkdir, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type * as z from 'zod';
import { DEMO, type DemoRun, demo, FolderRun, Story } from '#test/support/demo-process.ts';
import { displayWidth } from '../../bin/support/terminal.ts';

const ESCAPE = '\u001b';
/** Three stories at once, on a busy machine. */
const PATIENCE_MS = 120_000;

let told: DemoRun;
let story: z.infer<typeof Story>;
let in_memory: z.infer<typeof Story>;
let folder: string;
let temporary: string;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'knowhub-demo-'));
  const files: Record<string, string | Buffer> = {
    'ops/plain.md': '# Restart the mailer\n\nRun `mailctl restart` on one node after the other.\n',
    'ops/deep/er/still.md': '# Rotate the mail key\n\nUse mailctl rotate, then wait an hour.\n',
    'ops/deep/c.md': '# One\n\nThe first of two files that want one name.\n',
    'ops/deep__c.md': '# Another\n\nA queue of invoices that is stuck is drained by hand.\n',
    'ops/100% [a] + b#1.md': '---\ntitle: Odd: name\n---\nPercent and plus stay as they are written.\n',
    'ops/blank.md': ' \n\t\n',
    'ops/empty.md': '',
    'ops/latin1.md': Buffer.from('# Caf\xe9\n', 'latin1'),
    'ops/rows.tsv': 'a\tb\n',
    '支付/退款.md': '\ufeff# 退款多久到账\r\n\r\n借记卡一到三个工作日，信用卡三到七个工作日。\r\n',
  };
  for (const [path, content] of Object.entries(files)) {
    await mkdir(dirname(join(folder, path)), { recursive: true });
    await writeFile(join(folder, path), content);
  }
  await mkdir(join(folder, 'ops/deep/none'));
  temporary = await mkdtemp(join(tmpdir(), 'knowhub-demo-'));
  const [text, json, memory] = await Promise.all([
    demo([], { temporary }),
    demo(['--json'], { temporary }),
    demo(['--json', '--memory']),
  ]);
  told = text;
  expect([json.err, memory.err]).toEqual(['', '']);
  story = Story.parse(JSON.parse(json.out));
  in_memory = Story.parse(JSON.parse(memory.out));
}, PATIENCE_MS);
afterAll(async () => {
  await rm(folder, { recursive: true, force: true });
  await rm(temporary, { recursive: true, force: true });
});

test('the story is told in plain text through a pipe, names its emulators and stand-ins, and ends with 0', () => {
  expect({ code: told.code, err: told.err }).toEqual({ code: 0, err: '' });
  expect(told.out).not.toContain(ESCAPE);
  expect(told.out).toContain('The models here are STAND-INS: rules and hashed words, no AI');
  expect(told.out.replaceAll(/\s+/g, ' ')).toContain(
    'for DynamoDB, S3 and SQS, on EMULATORS (dynalite, fauxqs) in a throw-away folder. In place of OpenSearch a STAND-IN',
  );
  for (const words of [
    'duplicate of api/30-renew-gateway-certificate.md',
    'subset: everything in it is said in infrastructure/10-mysql-connection-pool.md',
    'superset: says all of infrastructure/30-kafka-consumer-lag.md, and more; both stay',
    'conflict: contradicts infrastructure/10-mysql-connection-pool.md; both stay',
    'complement: another side of payment/10-payment-timeout.md; both stay',
    '"summary" comes twice: the last one counts',
    'title, summary, keywords, covers, when_to_retrieve: written by stand-in-rules',
    'available_knowledge_domains:',
    '1 admitted, 19 rejected as duplicates of it',
  ])
    expect(told.out).toContain(words);
  for (const line of told.out.split('\n')) expect(displayWidth(line)).toBeLessThanOrEqual(100);
});

test('R2.4 the examples show every relation once, with the right decision', () => {
  const related = story.decisions.filter(({ relations }) => relations.length > 0);
  expect(related.map(({ path, decision, relations }) => [path, decision, relations])).toEqual([
    [
      'api/40-gateway-tls-renewal.md',
      'rejected',
      [{ type: 'duplicate', to: 'api/30-renew-gateway-certificate.md' }],
    ],
    [
      'infrastructure/20-mysql-connection-pool-brief.md',
      'rejected',
      [{ type: 'subset', to: 'infrastructure/10-mysql-connection-pool.md' }],
    ],
    [
      'infrastructure/50-mysql-connection-pool-peak.md',
      'admitted',
      [{ type: 'conflict', to: 'infrastructure/10-mysql-connection-pool.md' }],
    ],
    [
      'infrastructure/70-kafka-consumer-lag-full.md',
      'admitted',
      [{ type: 'superset', to: 'infrastructure/30-kafka-consumer-lag.md' }],
    ],
    [
      'payment/30-payment-timeout-database.md',
      'admitted',
      [{ type: 'complement', to: 'payment/10-payment-timeout.md' }],
    ],
  ]);
  expect(
    story.decisions.every(({ decision, relations }) => decision === 'admitted' || relations.length > 0),
  ).toBe(true);
  expect(story.map.tokens).toBeLessThanOrEqual(story.map.budget_tokens);
  expect(story.map.yaml).toContain('支付超时排查');
});

test('R6.6 the agent gets an L0 hit without an embedding, an L1 hit, and repeats that cost one read', () => {
  const session = story.session.map(({ domain, level, documents, cost }) => ({
    domain,
    level,
    paths: documents.map(({ path }) => path),
    embeddings: cost.embedded_texts,
  }));
  expect(session).toEqual([
    { domain: 'payment', level: 'L0', paths: ['payment/10-payment-timeout.md'], embeddings: 0 },
    { domain: 'payment', level: 'none', paths: [], embeddings: 0 },
    {
      domain: 'infrastructure',
      level: 'L1',
      // The second is what hashed words bring along.
      paths: ['infrastructure/40-drain-kubernetes-node.md', 'infrastructure/30-kafka-consumer-lag.md'],
      embeddings: 1,
    },
    { domain: 'infrastructure', level: 'none', paths: [], embeddings: 0 },
  ]);
  for (const stopped of [story.session[1], story.session[3]])
    expect(stopped?.cost).toEqual({
      ports: { 'sessions.get': 1 },
      aws: { DynamoDB: 1 },
      models: {},
      embedded_texts: 0,
    });
});

test('R6.6 the recorded session gives two useful answers, with and without domains', () => {
  const { with_domain, without_domain } = story.n2;
  expect([with_domain.served, with_domain.stopped]).toEqual([2, 18]);
  expect([without_domain.served, without_domain.stopped]).toEqual([2, 18]);
  const stopped = with_domain.calls.filter(({ returned }) => returned.length === 0);
  expect(stopped.every(({ store_calls, model_calls }) => store_calls === 1 && model_calls === 0)).toBe(true);
});

test('R4.7 of 20 twins sent at once one is admitted, 19 are its duplicates, and no judge is asked', () => {
  expect(story.twins).toEqual({
    sent: 20,
    workers: 8,
    admitted: [expect.stringMatching(/^knowledge-\d{8}-\d{6}-[0-9a-f]{8}$/)],
    rejected_as_duplicates: 19,
    others: 0,
    helpful: 20,
    judge_calls: 0,
  });
});

test('the story is the same on emulators and in memory; only the emulators are asked for anything', () => {
  const facts = ({ decisions, session, n2, twins, totals }: z.infer<typeof Story>) => ({
    decisions,
    domain_texts: totals.counts.models['domain-summary'],
    session: session.map(({ cost: { ports, embedded_texts }, ...asked }) => ({
      ports,
      embedded_texts,
      asked,
    })),
    n2,
    twins: { ...twins, admitted: twins.admitted.length },
  });
  expect([story.stores, in_memory.stores]).toEqual(['emulated', 'memory']);
  expect(facts(story)).toEqual(facts(in_memory));
  expect(in_memory.session.map(({ cost }) => cost.aws)).toEqual([{}, {}, {}, {}]);
  expect(Object.keys(story.totals.counts.aws)).toEqual(['DynamoDB', 'S3', 'SQS']);
  const { aws, ports } = story.totals.counts;
  // The text of the twins' domain is due after the end, and so never sent.
  expect(aws.SQS).toBe(ports['queue.send']! - 1);
});

test('R3.7 a folder with odd files: what cannot be taken is named, the rest is decided and reads back', async () => {
  const { code, out, err } = await demo([folder, '--json'], { input: '\n借记卡退款\n:q\nnever asked\n' });
  expect({ code, err }).toEqual({ code: 0, err: '' });
  const run = FolderRun.parse(JSON.parse(out));
  expect(run.skipped).toEqual([{ origin: 'ops/rows.tsv', why: 'not Markdown' }]);
  expect(run.refused).toEqual([
    { origin: 'ops/blank.md', why: 'content is blank' },
    { origin: 'ops/empty.md', why: 'content is blank' },
    { origin: 'ops/latin1.md', why: 'not UTF-8 text' },
  ]);
  expect(run.failed).toEqual([]);
  expect(run.decisions.map(({ path, decision }) => [path, decision])).toEqual([
    ['ops/100% [a] + b#1.md', 'admitted'],
    ['ops/deep__c.md', 'admitted'],
    ['ops/deep__er__still.md', 'admitted'],
    [expect.stringMatching(/^ops\/deep__c-[0-9a-f]{8}\.md$/), 'admitted'],
    ['ops/plain.md', 'admitted'],
    ['支付/退款.md', 'admitted'],
  ]);
  expect(run.kinds).toEqual({ admitted: 6 });
  expect(run.bodies).toEqual({ read_back: 6, same: 6 });
  expect(run.answers.map(({ query, documents }) => [query, documents.map(({ path }) => path)])).toEqual([
    ['借记卡退款', ['支付/退款.md']],
  ]);
});

test('a folder goes through the emulators, too, odd names included', async () => {
  const { code, out } = await demo([folder, '--json', '--stores', 'emulated'], { temporary });
  const { stores, kinds, bodies, counts } = FolderRun.parse(JSON.parse(out));
  expect({ code, stores, kinds, bodies }).toEqual({
    code: 0,
    stores: 'emulated',
    kinds: { admitted: 6 },
    bodies: { read_back: 6, same: 6 },
  });
  expect(Object.keys(counts.aws)).toEqual(['DynamoDB', 'S3', 'SQS']);
  expect(await readdir(temporary)).toEqual([]);
});

test('a folder is told in plain text, and questions come through the pipe', async () => {
  const { code, out } = await demo([folder], {
    input: '@ops restart the mailer\n@ops again\n@nowhere x\n:new\n@ops restart the mailer',
  });
  expect(code).toBe(0);
  expect(out).not.toContain(ESCAPE);
  for (const words of [
    '3 refused',
    '6 of 6 stored bodies read back byte for byte as their files.',
    '? @ops restart the mailer',
    'The domain "ops" was searched already in this session. It gave: ops/plain.md (Restart the mailer).',
    'No such domain. There are: ops, 支付.',
    'A new session: nothing was searched yet.',
  ])
    expect(out.replaceAll(/\s+/g, ' ')).toContain(words);
  expect(out.split('1 document; the domain "ops" counts as searched.')).toHaveLength(3);
});

test.each([
  [['--nope'], "demo: Unknown option '--nope'"],
  [['a', 'b'], 'demo: one folder at most, not 2'],
  [['/no/such/folder'], 'demo: there is no folder /no/such/folder'],
  [[DEMO], `demo: ${DEMO} is not a folder`],
  [['--stores', 'disk'], 'demo: --stores: one of emulated, memory, not disk'],
  [['--memory', '--stores', 'emulated'], 'demo: --memory and --stores emulated: one of them'],
])('%j is wrong use: a message and exit 2', async (given, message) => {
  const { code, out, err } = await demo(given);
  expect({ code, out, first: err.split('\n')[0] }).toEqual({ code: 2, out: '', first: message });
});

test('--help says how, and that the models are stand-ins', async () => {
  const { code, out } = await demo(['--help']);
  expect(code).toBe(0);
  expect(out).toContain('npm run demo -- DIR');
  expect(out).toContain('stand-ins');
});

test('a folder below that cannot be read is a failure and exit 1; the rest is decided', async () => {
  const root = join(folder, '.git', 'odd');
  await mkdir(join(root, 'ops'), { recursive: true });
  await writeFile(join(root, 'ops/a.md'), '# A\n\nSomething to keep.\n');
  // A name that is not UTF-8 cannot be opened by the text that stands for it.
  await mkdir(Buffer.concat([Buffer.from(`${root}/`), Buffer.from('caf\xe9', 'latin1')]));
  const { code, out } = await demo([root]);
  expect(code).toBe(1);
  expect(out).toContain('1 FAILED\n     caf\ufffd/  cannot be read: ENOENT');
  expect(out).toContain('1 of 1 stored bodies read back');
});

test('a folder without Markdown is said to be one, with exit 1', async () => {
  const { code, out, err } = await demo([join(folder, 'ops/deep/none')]);
  expect({ code, out }).toEqual({ code: 1, out: '' });
  expect(err).toContain('there is no Markdown in');
});

test('who stops reading, like head, gets no trace', async () => {
  const { code, err } = await demo([folder], { ready: ({ stdout }) => stdout!.destroy() });
  expect({ code, err }).toEqual({ code: 0, err: '' });
});

test.each([
  ['SIGINT', 130],
  ['SIGTERM', 143],
] as const)('%s ends it with %i and no trace, its folder included', async (signal, expected) => {
  let there: string[] = [];
  const { code, err } = await demo([], {
    temporary,
    ready: (child) => {
      there = readdirSync(temporary);
      child.kill(signal);
    },
  });
  expect({ code, trace: err.includes('Error'), there, left: await readdir(temporary) }).toEqual({
    code: expected,
    trace: false,
    there: [expect.stringMatching(/^knowhub-demo-stores-/)],
    left: [],
  });
});
