import { expect, test } from 'vitest';
import { coverage, coverages, tellingTerms, terms } from '#lib/core/terms.ts';

test.each([
  ['HikariCP 参数调优', ['hikaricp', '参数', '数调', '调优']],
  ['ERR_TIMEOUT, wait 30s', ['err_timeout', 'wait', '30s']],
  ['AI模型v2发布', ['ai', '模型', 'v2', '发布']],
  ['锁 lock', ['锁', 'lock']],
  ['データ', ['デー', 'ータ']],
  ['か\u3099く', ['がく']],
  ['𠮷野家', ['𠮷野', '野家']],
  ['ＡＰＩ', ['api']],
  ['?! …', []],
] as const)('R6.3 the terms of %j', (text, expected) => {
  expect(terms(text)).toEqual(expected);
});

test('R6.3 a combining mark stays with the character before it', () => {
  expect(terms('あ\u3099いう')).toEqual(['あ\u3099い', 'いう']);
  expect(terms('x\u0302模型')).toEqual(['x\u0302', '模型']);
});

test.each([
  ['how to bake bread', 'how to configure the pool', 0],
  ['connection pool size', 'The pool: its size', 2 / 3],
  ['怎么配置连接池', '连接池的配置', 0.6],
  ['the', 'the', 0],
  ['', 'anything', 0],
  ['max_connections', 'set MAX_CONNECTIONS to 100', 1],
])('R6.3 of the telling terms of %j the text %j has %d', (query, text, share) => {
  expect(coverage(query, text)).toBeCloseTo(share, 10);
});

test.each([
  ['黑豹队的 Jared Allen 有多少次擒杀', 'Jared Allen had 136 sacks', 2 / 10, 1],
  ['how large is the Kafka queue', 'Kafka 队列的大小', 1 / 3, 1 / 3],
  ['how large is the queue', '队列的大小', 0, 0],
  ['队列大小', 'the size of the queue', 0, 0],
  ['pool size', 'the pool 连接池', 1 / 2, 1 / 2],
  ['队列 积压', 'Kafka 队列', 1 / 2, 1 / 2],
  ['', 'anything', 0, 0],
])('R6.3 of %j the text %j has %d, and of what its language can have %d', (query, text, all, possible) => {
  expect(coverages(tellingTerms(query), text)).toEqual({
    all: expect.closeTo(all, 10),
    possible: expect.closeTo(possible, 10),
  });
});
