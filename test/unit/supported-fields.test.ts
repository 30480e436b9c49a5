import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { supportIn } from '#lib/core/supported-fields.ts';
import { cpuMs } from '#test/support/cpu-ms.ts';

const english = () =>
  supportIn(
    'Retrying payments failed because connections time out. Raise maximumPoolSize of HikariCP to 20; see ERR_TIMEOUT, HTTP500. Nodes were drained, then stopped.',
  );
const chinese = () =>
  supportIn(
    '# 支付超时排查手册\n支付网关返回 ERR_TIMEOUT 时先看日志。扣款成功但没有收到回调。连接池已满。改 HikariCP 的参数。',
  );

test.each([
  'payment retries',
  'Connection timeout',
  'connection time-out',
  'payment failure',
  'failure of the payments',
  'how to drain a node',
  'stopping nodes',
  'maximum pool size',
  'maximumPoolSize',
  'err timeout',
  'ERR_TIMEOUT',
  'HTTP 500',
  'HikariCP runbook',
  'ＨｉｋａｒｉＣＰ',
  '20',
])('R3.2 an English document supports %j', (label) => {
  expect(english().label(label)).toBe(true);
});

test.each([
  'redis',
  'payment refunds',
  'pool of Redis',
  'maximum pool size 30',
  'ERR_REFUSED',
  'HTTP 502',
  'runbook',
  '付款失败',
  '!',
  '',
])('R3.2 an English document does not support %j', (label) => {
  expect(english().label(label)).toBe(false);
});

test.each([
  '支付超时',
  '超时支付',
  '网关日志',
  '扣款无回调',
  '连接池满',
  '如何排查支付超时问题',
  '支付超时处理流程',
  'HikariCP参数',
  'err_timeout 日志',
  '排查',
  '支',
])('R3.2 a Chinese document supports %j', (label) => {
  expect(chinese().label(label)).toBe(true);
});

test.each(['退款失败', '数据库连接池满', '订单', 'redis 日志', 'payment timeout', '问题', '锁'])(
  'R3.2 a Chinese document does not support %j',
  (label) => {
    expect(chinese().label(label)).toBe(false);
  },
);

test.each([
  ['Raise the pool of HikariCP to 30 when Redis is down, via SQL.', ['Redis', 'SQL', '30']],
  ['Payment Timeout Of Redis', []],
  ['Raise maximumPoolSize to 20 in HikariCP after an HTTP500.', []],
  ['Ask about err_other or minimumIdle.', ['err_other', 'minimumIdle']],
  ['Payments fail.', []],
])('R3.2 names and figures that are not in the English document: %s', (sentence, strangers) => {
  expect(english().strangers(sentence)).toEqual(strangers);
});

test.each([
  ['支付网关返回 ERR_TIMEOUT 时看 Redis 和 30 个 HikariCP', ['Redis', '30']],
  ['用户问到 kafka 时检索', ['kafka']],
  ['支付超时 retrieve this when asked about the order 支付网关返回连接池没有收到回调', []],
])('R3.2 names and figures that are not in the Chinese document: %s', (sentence, strangers) => {
  expect(chinese().strangers(sentence)).toEqual(strangers);
});

test.each([
  ['Employees submit travel expenses monthly.', true],
  ['Employees retry the payments when travel expenses are due.', false],
  ['Travel expenses monthly.', false],
  ['What the connections do when nodes retry.', false],
])('R3.2 %j says what is not in the document: %s', (sentence, is) => {
  expect(english().isForeign(sentence)).toBe(is);
});

test.each([
  ['员工每月提交差旅报销', true],
  ['支付超时的员工差旅报销', false],
  ['差旅费', false],
])('R3.2 %j says what is not in the Chinese document: %s', (sentence, is) => {
  expect(chinese().isForeign(sentence)).toBe(is);
});

const word = fc.oneof(
  fc.constantFrom('支付超时', '回调', 'HikariCP', 'ERR_TIMEOUT', 'max2Pool', 'résumé', 'データ', '한국어'),
  fc.stringMatching(/^[A-Za-z0-9_àéñøß支付超时回调]{1,8}$/u),
);

test('R3.2 whatever stands in a text, word for word, the text supports', () => {
  fc.assert(
    fc.property(fc.array(word, { minLength: 1, maxLength: 12 }), fc.nat(), fc.nat(), (words, from, count) => {
      const start = from % words.length;
      const label = words.slice(start, start + 1 + (count % 3)).join(' ');
      const support = supportIn(words.join(' '));
      if (label.trim() !== '') expect(support.label(label)).toBe(true);
      expect(support.strangers(label)).toEqual([]);
    }),
  );
});

test('R3.2 whatever text there is, it is read', () => {
  const text = fc.string({ unit: 'binary', maxLength: 80 });
  fc.assert(
    fc.property(text, text, (document, label) => {
      const support = supportIn(document);
      expect(typeof support.label(label)).toBe('boolean');
      expect(Array.isArray(support.strangers(label))).toBe(true);
    }),
  );
});

test('R3.2 a large text is read at once', () => {
  const text = 'Payment gateways time out. 支付网关超时。'.repeat(300);
  const read = () => {
    const support = supportIn(text);
    for (let n = 0; n < 50; n += 1) support.label(`label ${n} 支付网关日志`);
  };
  expect(cpuMs(read)).toBeLessThan(1000);
});

const figures = () =>
  supportIn(
    'Replace the VM when its ID is lost. Drop the DBs. Retry three times within five minutes. Kafka 3.6 serves up to 1000 requests on ports 80,443 or 1,500,000 in all. TLSv1.3 is on.',
  );
const figures_zh = () =>
  supportIn('重试三次，间隔三十秒，共十五分钟。分十分复杂的两步，统一处理。Kafka 3.6 与 VM。');

test.each(['VMs', 'IDs of VMs', 'DB', 'Kafka v3.6', 'TLS 1.3', 'TLSv1.3', 'port 443'])(
  'R3.2 %j is what the document writes in another form',
  (label) => {
    expect(figures().label(label)).toBe(true);
  },
);

test.each([
  ['Use it when the VMs lose their IDs.', []],
  ['Retry 3 times within 5 minutes, for 1,000 requests or 1500000.', []],
  ['It asks for ports 80,443 and Kafka v3.6 with TLSv1.3.', []],
  ['A user asks How to replace a VM: see the Runbook.', []],
  ['Retry 4 times for 2,000 requests of the PVCs on Kafka v4.', ['PVCs', '4', '2', 'v4']],
])('R3.2 figures and short forms are compared by what they say: %s', (sentence, strangers) => {
  expect(figures().strangers(sentence)).toEqual(strangers);
});

test.each([
  ['重试 3 次，间隔 30 秒，共 15 分钟', []],
  ['分 2 步升级 Kafka v3.6 的 VMs', []],
  ['重试 4 次，间隔 10 秒，共 1 步', ['4', '10', '1']],
])('R3.2 figures in Chinese words are figures: %s', (sentence, strangers) => {
  expect(figures_zh().strangers(sentence)).toEqual(strangers);
});

test.each([
  ['Connections time out.', 'timeout'],
  ['Wait for the timeout.', 'time out'],
  ['It fails with ERR_TIMEOUT.', 'timeout'],
  ['Raise the maximum pool size.', 'maximumPoolSize'],
  ['Raise the maximum pool size.', 'maximum_pool_size'],
  ['Kafka 30 is there.', 'Kafka v30'],
  ['TLS 1.3 is on.', 'TLSv1.3'],
  ['नमस्ते दुनिया', 'नमस्ते'],
  ['锁表 Lock: 表、库、锁', '表与锁'],
])('R3.2 %j supports %j, the same in another spelling', (document, label) => {
  expect(supportIn(document).label(label)).toBe(true);
});

test.each([
  ['Replace the VM.', 'subVMs'],
  ['Replace the VM.', 'VMsafe'],
  ['Kafka 3.6 is there.', 'Redisv3'],
  ['Kafka 3.6 is there.', 'x9v3'],
  ['Kafka 3.6 is there.', 'v3beta'],
  ['Kafka 3.6 is there.', ' '],
  ['ख़बर नमकीन', 'नमस्ते'],
  ['支付没有收到回调。改 HikariCP 的参数。', '调回'],
  ['支付没有收到回调。改 HikariCP 的参数。', '数收改'],
])('R3.2 %j does not support %j, of which it has parts', (document, label) => {
  expect(supportIn(document).label(label)).toBe(false);
});

test('R3.2 a figure is no stranger, however one of the two groups its digits', () => {
  const strangers = (document: string, sentence: string) => supportIn(document).strangers(sentence);
  expect(strangers('Up to 5000 requests.', 'It serves 5,000 requests.')).toEqual([]);
  expect(strangers('Up to 5,000 requests.', 'It serves 5000 requests.')).toEqual([]);
  expect(strangers('On ports 80,443.', 'It serves 80 and 443.')).toEqual([]);
  expect(strangers('Up to 5000 requests.', 'It serves 6,000 requests.')).toEqual(['6000']);
});

test.each([
  ['half of its words are capitalised', 'Trouble with Stripe Payments', []],
  ['less than half of its words are', 'When payments fail at Stripe', ['Stripe']],
  ['small English words are not', 'Ask the broker', []],
  [
    'four Latin words in a row are a phrase',
    '支付超时 ask about the order 支付网关返回连接池没有收到回调',
    [],
  ],
  ['fewer are names', '支付超时 ask the order 支付网关返回连接池没有收到回调', ['ask', 'order']],
])('R3.2 what names something: %s', (_rule, sentence, strangers) => {
  expect(supportIn('支付网关').strangers(sentence)).toEqual(strangers);
});

const WORDS = 'ant bee cow dog elk fox gnu hen jay koi lynx mole newt owl pig ram seal toad vole wren'.split(
  ' ',
);

test.each([
  [0, 3, false],
  [0, 4, true],
  [1, 6, false],
  [1, 7, true],
  [2, 20, true],
  [3, 20, false],
])(
  'R3.2 with %i of its %i telling words in the document a sentence is foreign to it: %s',
  (shared, of, is) => {
    const document = `Known: ${WORDS.slice(0, shared).join(', ')}.`;
    const sentence = `What of the ${WORDS.slice(0, of).join(' and the ')} as it is?`;
    expect(supportIn(document).isForeign(sentence)).toBe(is);
  },
);
