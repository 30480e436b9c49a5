import type { Context, SQSEvent, SQSRecord } from 'aws-lambda';
import { expect, test } from 'vitest';
import { createMemoryInbox } from '#lib/adapters/memory/inbox.ts';
import { IndexUnavailable, KnowHubError, Unclear } from '#lib/core/errors.ts';
import type { RuntimeLog } from '#lib/runtime/logger.ts';
import { ROUTES } from '#lib/runtime/routes.ts';
import type { Runtime } from '#lib/runtime/runtime.ts';
import { byTrigger, httpStack, queueStack, scheduleStack } from '#lib/runtime/stacks.ts';
import { admitMessage, inboxMessage, recomputeMessage, sweepOnce } from '#lib/runtime/work.ts';
import type { Instance } from '#lib/usecases/instance.ts';
import { gatewayEvent } from '#test/support/api.ts';
import { MINUTE, SECOND } from '#test/support/clock.ts';
import { file, knowledgeBase } from '#test/support/instance.ts';

const context = {
  awsRequestId: 'aws-1',
  functionName: 'f',
  getRemainingTimeInMillis: () => 30_000,
} as Context;

function running(options: Parameters<typeof knowledgeBase>[0] = {}) {
  const base = knowledgeBase(options);
  const inbox = createMemoryInbox(base.clock);
  const instance: Instance = { ...base.instance, inbox };
  const metered: [string, number, string | undefined][] = [];
  const logged: string[] = [];
  const note = (level: string) => (message: string) => logged.push(`${level} ${message}`);
  const log: RuntimeLog = { debug: () => 0, info: () => 0, warn: note('warn'), error: note('error') };
  const meter: Runtime['meter'] = (name, value, by) => metered.push([name, value, by]);
  let prepared = 0;
  const prepare = async () => {
    prepared += 1;
  };
  const runtime: Runtime = {
    instance,
    auth: { mode: 'iam' },
    path_encoding: 'decoded',
    log,
    meter,
    max_receives: 3,
    inbox_rules: [],
    mcp_session_key: undefined,
    prepare,
  };
  return { base, inbox, runtime, metered, logged, prepared: () => prepared };
}

const record = (id: string, body: unknown, receives = 1, sent = 0): SQSRecord => ({
  messageId: id,
  receiptHandle: id,
  body: typeof body === 'string' ? body : JSON.stringify(body),
  attributes: {
    ApproximateReceiveCount: `${receives}`,
    SentTimestamp: `${sent}`,
    SenderId: 's',
    ApproximateFirstReceiveTimestamp: '0',
  },
  messageAttributes: {},
  md5OfBody: '',
  eventSource: 'aws:sqs',
  eventSourceARN: 'arn',
  awsRegion: 'eu-west-1',
});
const batch = (...Records: SQSRecord[]): SQSEvent => ({ Records });
const failed = (...ids: string[]) => ({
  batchItemFailures: ids.map((itemIdentifier) => ({ itemIdentifier })),
});

test('R4.8 a batch: only the messages that failed come again, passing faults and lasting ones alike', async () => {
  const { runtime, metered, logged } = running();
  const stack = queueStack(
    () => runtime,
    'admission',
    async (_, body) => {
      if (body === 'passing') throw new Unclear('no answer');
      if (body === 'lasting') throw new Error('broken');
    },
  );
  const event = batch(
    record('1', 'good'),
    record('2', 'passing'),
    record('3', 'lasting', 3),
    record('4', 'good'),
  );
  expect(await stack(event, context)).toEqual(failed('2', '3'));
  expect(logged).toEqual(['warn message failed, it comes again', 'error message failed']);
  expect(metered.filter(([name]) => name === 'DeadLetters')).toEqual([['DeadLetters', 1, 'admission']]);
});

test('R4.8 a batch of which every message failed is an answer too, not an error of the function', async () => {
  const { runtime } = running();
  const stack = queueStack(
    () => runtime,
    'admission',
    async () => {
      throw new IndexUnavailable('down');
    },
  );
  expect(await stack(batch(record('1', ''), record('2', '')), context)).toEqual(failed('1', '2'));
});

test('the age of a message and the decision about its item are counted', async () => {
  const { base, runtime, metered } = running();
  const sent = base.clock.now();
  const stack = queueStack(() => runtime, 'admission', admitMessage);
  const first = await base.entry('Timeout', 'a b');
  const second = await base.entry('Timeout', 'a');
  base.clock.pass(7 * SECOND);
  const message = (item_id: string) => record(item_id, { type: 'admit', item_id }, 1, sent);
  expect(await stack(batch(message(first)), context)).toEqual(failed());
  expect(await stack(batch(message(second)), context)).toEqual(failed());
  expect(metered).toEqual([
    ['QueueAge', 7000, 'admission'],
    ['Admissions', 1, 'approved'],
    ['QueueAge', 7000, 'admission'],
    ['Admissions', 1, 'rejected'],
  ]);
});

test('R4.1 an item that waits is done with for the queue: its row says when it is looked at again', async () => {
  const { base, runtime, metered } = running({
    before: ({ port }) => {
      if (port === 'index') throw new IndexUnavailable('down');
    },
  });
  base.options.before = undefined;
  await base.admitted('Refund', 'x');
  const id = await base.entry('Timeout', 'a');
  base.options.before = ({ port }) => {
    if (port === 'index') throw new IndexUnavailable('down');
  };
  const stack = queueStack(() => runtime, 'admission', admitMessage);
  expect(await stack(batch(record('1', { type: 'admit', item_id: id })), context)).toEqual(failed());
  expect(metered.at(-1)).toEqual(['Admissions', 1, 'waits']);
});

test.each(['', '{}', '{"type":"recompute","domain_id":"a"}', '{"type":"admit","item_id":"nothing"}'])(
  'a message that nobody of ours has sent, %j, fails and is never swallowed',
  async (body) => {
    const { runtime } = running();
    const stack = queueStack(() => runtime, 'admission', admitMessage);
    expect(await stack(batch(record('1', body)), context)).toEqual(failed('1'));
  },
);

test('R5.1 a domain that is too fresh is asked for again when it is due', async () => {
  const { base, runtime, metered } = running();
  await base.published('payment/a.md', file('Timeout', 'text'));
  base.clock.pass(MINUTE);
  await base.work();
  await base.admitted('Refund', 'x', { domain: 'payment' });
  const stack = queueStack(() => runtime, 'recompute', recomputeMessage);
  const message = { type: 'recompute', domain_id: 'payment' };
  expect(await stack(batch(record('1', message)), context)).toEqual(failed());
  expect(base.ports.queue.take(9)).toEqual([]);
  base.clock.pass(MINUTE);
  // The projector's own message, and the one sent again.
  expect(base.ports.queue.take(9)).toEqual([message, message]);
  expect(await stack(batch(record('1', message)), context)).toEqual(failed());
  expect(metered.at(-1)).toEqual(['RecomputeCalls', 1, undefined]);
});

test('R3.1 a notification: every file that it tells of is taken in, whatever becomes of the others', async () => {
  const { base, inbox, runtime } = running();
  const text = new TextEncoder().encode(file('Timeout', 'text'));
  for (const key of ['inbox/支付/a b.md', 'inbox/payment/b.md']) inbox.drop(key, text);
  const created = (key: string) => ({ eventName: 'ObjectCreated:Put', s3: { object: { key } } });
  const body = {
    Records: [
      created('inbox/gone/x.md'),
      created(`inbox/${encodeURIComponent('支付')}/a+b.md`),
      { ...created('inbox/payment/b.md'), eventName: 'ObjectRemoved:Delete' },
    ],
  };
  const upload = byTrigger({
    http: httpStack(() => runtime, ROUTES),
    queue: queueStack(() => runtime, 'inbox', inboxMessage),
  });
  expect(await upload(batch(record('1', body), record('2', { Event: 's3:TestEvent' })), context)).toEqual(
    failed(),
  );
  expect(await inbox.list('', base.clock.now() + 1, 9)).toEqual(['inbox/payment/b.md']);
  await base.work();
  expect(await base.ports.mirror.list('', 9)).toEqual(['支付/a b.md']);
  const event = gatewayEvent('GET', '/api/documents');
  expect(await upload(event as never, context)).toMatchObject({ statusCode: 200 });
});

test('R3.1 a file that cannot be taken in just now makes its message come again, the others of it are in', async () => {
  const { base, inbox, runtime } = running();
  const text = new TextEncoder().encode(file('Timeout', 'text'));
  for (const key of ['inbox/payment/a.md', 'inbox/payment/b.md']) inbox.drop(key, text);
  const { read } = inbox;
  inbox.read = async (key, limit) => {
    if (key === 'inbox/payment/a.md') throw new Unclear('no answer');
    return read(key, limit);
  };
  const created = (key: string) => ({ eventName: 'ObjectCreated:Put', s3: { object: { key } } });
  const body = { Records: [created('inbox/payment/a.md'), created('inbox/payment/b.md')] };
  const stack = queueStack(() => runtime, 'inbox', inboxMessage);
  expect(await stack(batch(record('1', body)), context)).toEqual(failed('1'));
  expect(await inbox.list('', base.clock.now() + 1, 9)).toEqual(['inbox/payment/a.md']);
});

test('R4.8 the schedule sweeps, files left in the inbox included, and prepares a new deployment once', async () => {
  let fresh = true;
  const { base, inbox, runtime, prepared } = running({
    before: ({ port, method }) => {
      if (port !== 'projections' || method !== 'pointer' || !fresh) return;
      fresh = false;
      throw new KnowHubError('not_prepared', 'no pointer yet');
    },
  });
  inbox.drop('inbox/payment/a.md', new TextEncoder().encode(file('Timeout', 'text')));
  await base.entry('Refund', 'x');
  base.ports.queue.take(9);
  base.clock.pass(6 * MINUTE);
  const stack = scheduleStack(() => runtime, sweepOnce);
  await stack({}, context);
  await stack({}, context);
  expect(prepared()).toBe(1);
  await base.work();
  expect(await base.ports.mirror.list('', 9)).toEqual(['payment/a.md']);
  expect([...base.instance.catalog.fold.live]).toHaveLength(2);
});
