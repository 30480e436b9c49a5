import { expect, test } from 'vitest';
import { checkDomainText, checkFields, type WrittenFields } from '#lib/core/checked-fields.ts';
import { FieldName } from '#lib/core/item.ts';
import { cpuMs } from '#test/support/cpu-ms.ts';

const ALL = FieldName.options;
const BODY =
  '# Pool exhausted\n\nRaise `maximumPoolSize` of HikariCP when the connection pool is exhausted.\n';
const good: WrittenFields = {
  title: 'Pool exhausted',
  summary: 'How to raise the pool of HikariCP.',
  keywords: ['HikariCP', 'maximumPoolSize'],
  covers: ['connection pool exhausted'],
  when_to_retrieve: 'When the connection pool is exhausted.',
};
const check = (written: Partial<WrittenFields>, missing: readonly FieldName[] = ALL, body = BODY) =>
  checkFields({ ...good, ...written }, missing, body, body);

test('R3.2 what the document supports is kept as written', () => {
  expect(check({})).toEqual({ kept: good, dropped: 0, problems: [] });
  const spaced = { ...good, summary: '\nHow to raise the pool. ' };
  expect(check(spaced)).toEqual({ kept: spaced, dropped: 0, problems: [] });
});

test('R3.2 a keyword and a cover that the document does not support are dropped, without another call', () => {
  expect(
    check({ keywords: ['Redis', 'HikariCP'], covers: ['连接池耗尽', 'connection pool exhausted', 'refund'] }),
  ).toEqual({ kept: { ...good, keywords: ['HikariCP'] }, dropped: 3, problems: [] });
});

test('R3.2 a list of which nothing is left is sent back', () => {
  expect(check({ keywords: ['Redis'], covers: [] })).toEqual({
    kept: { ...good, keywords: [], covers: [] },
    dropped: 1,
    problems: [
      '"keywords" has nothing that the document contains: use its own words.',
      '"covers" has nothing that the document contains: use its own words.',
    ],
  });
});

test('R3.2 a sentence that names what the document does not contain is dropped, and sent back', () => {
  expect(
    check({
      summary: 'How to raise the pool. It also restarts Redis in 30 seconds! Then it is done.',
      when_to_retrieve: 'When Kafka is down.',
    }),
  ).toEqual({
    kept: { ...good, summary: 'How to raise the pool. Then it is done.', when_to_retrieve: '' },
    dropped: 2,
    problems: [
      '"summary" names what is not there: Redis, 30.',
      '"when_to_retrieve" names what is not there: Kafka.',
    ],
  });
  const names = 'a b c d e f g'.split(' ').map((name) => `x_${name}`);
  expect(check({ summary: names.join(' ') }).problems).toEqual([
    `"summary" names what is not there: ${names.slice(0, 5).join(', ')}.`,
  ]);
});

test('R3.2 what is in another language is sent back, and kept: telling languages apart is a guess', () => {
  const written = { ...good, title: '连接池耗尽', summary: '如何调大 HikariCP 连接池。' };
  expect(check(written)).toEqual({
    kept: written,
    dropped: 0,
    problems: [
      '"title" is not in the language of what it describes.',
      '"summary" is not in the language of what it describes.',
    ],
  });
});

test('R3.2 a Chinese document may be called by the name of a thing, and be described in words of both languages', () => {
  const body = '# HikariCP\n\n先看日志，连接池耗尽时调大 maximumPoolSize，再重启服务。\n';
  const written: WrittenFields = {
    title: 'HikariCP',
    summary: '连接池耗尽时调大 maximumPoolSize。',
    keywords: ['HikariCP'],
    covers: ['连接池耗尽'],
    when_to_retrieve: '连接池耗尽时检索。',
  };
  expect(checkFields(written, ALL, body, body).problems).toEqual([]);
  expect(checkFields({ ...written, summary: 'HikariCP' }, ALL, body, body).problems).toEqual([
    '"summary" is not in the language of what it describes.',
  ]);
  const english = { ...written, title: 'Pool trouble', when_to_retrieve: 'When it is exhausted.' };
  expect(checkFields(english, ALL, body, body).problems).toEqual([
    '"title" is not in the language of what it describes.',
    '"when_to_retrieve" is not in the language of what it describes.',
  ]);
});

test('R3.2 a sentence of the summary that shares next to nothing with the document is dropped, and sent back', () => {
  const foreign = 'Employees submit their travel expenses before the month ends.';
  expect(check({ summary: `How to raise the pool. ${foreign}`, when_to_retrieve: foreign })).toEqual({
    kept: { ...good, summary: 'How to raise the pool.', when_to_retrieve: foreign },
    dropped: 1,
    problems: ['"summary" says what is not there: use its own words.'],
  });
  expect(check({ summary: foreign }).kept.summary).toBe('');
});

test.each([
  ['Raise it.\nThen ask Redis.\n\nThen wait.', 'Raise it.\n\n\nThen wait.'],
  ['Then ask Redis!? Raise it.', 'Raise it.'],
  ['Raise version 1.2.3 to v9', ''],
])('R3.2 of %j the sentences are kept that name nothing foreign', (summary, kept) => {
  expect(check({ summary }).kept.summary).toBe(kept);
});

test('R3.2 a text of blanks and marks is read at once', () => {
  const summary = `${' '.repeat(20_000)}${'.'.repeat(20_000)}${'! '.repeat(2_000)}`;
  expect(cpuMs(() => check({ summary }))).toBeLessThan(1000);
});

test('R3.2 an empty sentence is sent back', () => {
  expect(check({ title: ' ', summary: '' })).toEqual({
    kept: { ...good, title: '', summary: '' },
    dropped: 0,
    problems: ['"title" is empty.', '"summary" is empty.'],
  });
});

test('R3.2 fields that the author wrote are not held against anything', () => {
  const own = {
    title: '',
    summary: 'Redis 说明',
    keywords: ['Redis'],
    covers: ['refund'],
    when_to_retrieve: '退款',
  };
  expect(check(own, [])).toEqual({ kept: own, dropped: 0, problems: [] });
  expect(check(own, ['keywords']).kept).toEqual({ ...own, keywords: [] });
});

test('R5.2 of a domain’s text the sentences that name what its items do not contain are dropped, and sent back', () => {
  const source = 'payment\nPool exhausted\nHikariCP is full\nGateway time-outs';
  const text = (description: string, when_to_retrieve: string) =>
    checkDomainText({ description, when_to_retrieve }, source);
  expect(text('12 runbooks about HikariCP and the gateway.', 'On time-outs.')).toEqual({
    kept: { description: '12 runbooks about HikariCP and the gateway.', when_to_retrieve: 'On time-outs.' },
    dropped: 0,
    problems: [],
  });
  expect(text('About the pool. All about Stripe; and more.', '支付超时时检索')).toEqual({
    kept: { description: 'About the pool. and more.', when_to_retrieve: '支付超时时检索' },
    dropped: 1,
    problems: [
      '"description" names what is not there: Stripe.',
      '"when_to_retrieve" is not in the language of what it describes.',
    ],
  });
  expect(
    text('All about Stripe; and more.', 'On time-outs. When Kafka is down. When Redis is full.').dropped,
  ).toBe(3);
});
