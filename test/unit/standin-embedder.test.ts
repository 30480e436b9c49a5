import fc from 'fast-check';
import { expect, test } from 'vitest';
import {
  embedByHash,
  STANDIN_EMBEDDER,
  STANDIN_RELEVANCE_FLOOR,
  STANDIN_SIMILARITY_FLOOR,
} from '#lib/adapters/standin/embedder.ts';
import { cpuMs } from '#test/support/cpu-ms.ts';

const cosine = (a: string, b: string): number => {
  const [x, y] = [embedByHash(a), embedByHash(b)];
  return x.reduce((sum, value, at) => sum + value * y[at]!, 0);
};

test('R3.4 the same text always gives the same vector, of float32 values', () => {
  const text = 'MySQL 连接池配置: HikariCP maximumPoolSize 20';
  const vector = embedByHash(text);
  expect(vector).toEqual(embedByHash(text));
  expect(vector).toHaveLength(STANDIN_EMBEDDER.dimensions);
  expect(vector).toEqual(vector.map(Math.fround));
  // The values themselves: vectors are stored, so an accidental change of the embedder must be seen.
  expect(
    embedByHash('支付').flatMap((value, at) => (value === 0 ? [] : [[at, value]])),
  ).toMatchInlineSnapshot(`
    [
      [
        202,
        0.31367748975753784,
      ],
      [
        240,
        0.31367748975753784,
      ],
      [
        248,
        -0.8962214589118958,
      ],
    ]
  `);
});

test('R4.1 cosines lie in [-1, 1], equal texts give 1, and no text is without direction', () => {
  const text = fc.oneof(fc.string(), fc.constantFrom('', '?!', '的', 'the', '支付超时', 'a b'), fc.lorem());
  fc.assert(
    fc.property(text, text, (a, b) => {
      const between = cosine(a, b);
      return Math.abs(between) <= 1 + 1e-6 && Math.abs(cosine(a, a) - 1) < 1e-6 && !Number.isNaN(between);
    }),
  );
});

test('R4.1 the same task in near words passes the floor, another task does not', () => {
  const same: [string, string][] = [
    ['Restart the payment gateway', 'How to restart the gateway for payments'],
    ['Rotate the TLS certificate of the API gateway', 'How to renew API gateway TLS certs'],
    ['Handling payment timeouts', 'Payment timeout troubleshooting'],
    ['支付超时怎么排查', '支付超时排查'],
    ['如何重启支付网关', '支付网关重启步骤'],
    ['MySQL 连接池耗尽处理', 'MySQL 连接池耗尽的处理方法'],
  ];
  const other: [string, string][] = [
    ['支付超时排查', 'Kubernetes 节点扩容'],
    ['MySQL 连接池配置', '退款未到账排查'],
    ['Restart the payment gateway', 'What the customer eats'],
    ['Nightly benchmark of the parser', 'Vendor terms'],
    ['支付超时排查', 'Restart the payment gateway'],
  ];
  for (const [a, b] of same) expect(cosine(a, b), `${a} | ${b}`).toBeGreaterThan(STANDIN_SIMILARITY_FLOOR);
  for (const [a, b] of other) expect(cosine(a, b), `${a} | ${b}`).toBeLessThan(0.15);
});

test('R6.3 a query lies nearer to a section on its subject than the relevance floor, and others do not', () => {
  const section =
    'MySQL 连接池配置 > 连接池耗尽时\n\n看监控 hikaricp_connections_pending，持续大于 0 说明在排队。找出长事务。';
  expect(cosine('连接池耗尽排查步骤', section)).toBeGreaterThan(STANDIN_RELEVANCE_FLOOR);
  expect(cosine('今天天气怎么样', section)).toBeLessThan(STANDIN_RELEVANCE_FLOOR);
  expect(cosine('how to bake bread at home', section)).toBeLessThan(STANDIN_RELEVANCE_FLOOR);
});

test('synonyms and translations are out of reach, as documented', () => {
  expect(cosine('MySQL 连接池配置', 'HikariCP 参数调优')).toBeLessThan(0.15);
  expect(cosine('支付超时排查', 'Payment timeout troubleshooting')).toBeLessThan(0.15);
});

test('a thousand tasks are embedded in a second', () => {
  const thousand = () => {
    for (let n = 0; n < 1000; n += 1)
      embedByHash(`支付超时排查 ${n}: gateway logs, retries and the connection pool`);
  };
  expect(cpuMs(thousand)).toBeLessThan(1000);
});
