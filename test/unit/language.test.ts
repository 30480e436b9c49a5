import { expect, test } from 'vitest';
import { isCjk, isWrittenIn, languageOf, languageOfQuestion, languagesOf } from '#lib/core/language.ts';

test.each([
  ['网关超时怎么排查', 'zh'],
  ['hikaricp 参数调优', 'zh'],
  ['AI模型', 'zh'],
  ['锁', 'zh'],
  ['Redis与锁Kafka', 'en'],
  ['ERR_TIMEOUT 支付网关超时', 'zh'],
  ['今日はしりとりをした', 'zh'],
  ['why does the payment gateway time out', 'en'],
  ['the table 订单 is locked and every insert waits', 'en'],
  ['hikaricp', 'en'],
  ['', 'en'],
  ['  \n…', 'en'],
  ['12 34', 'en'],
] as const)('R6.1 %j is answered in %s', (text, language) => {
  expect(languageOf(text)).toBe(language);
});

test.each([
  ['payment timeout 怎么办', 'zh'],
  ['Redis cluster failover 怎么处理', 'zh'],
  ['kafka consumer lag 太高', 'zh'],
  ['网关超时', 'zh'],
  ['how to handle 支付的回调 in the refund flow', 'en'],
  ['database table 订单 locked', 'en'],
  ['hikaricp', 'en'],
] as const)(
  'R6.1 the question %j is answered in %s, though names outweigh its grammar',
  (question, language) => {
    expect(languageOfQuestion(question)).toBe(language);
  },
);

test('R6.1 a long text is in the language of its beginning', () => {
  expect(languageOf('支付'.repeat(10_000) + ' payment'.repeat(30_000))).toBe('zh');
});

test('R6.1 a Chinese runbook full of commands is Chinese, an English one with a Chinese name is English', () => {
  expect(
    languageOf('先用 `kubectl get pods -n payment` 查看支付服务的状态，再检查网关日志，确认是否超时。'),
  ).toBe('zh');
  expect(languageOf('Ask 王伟 before you restart the payment gateway; it drops open sessions.')).toBe('en');
});

test.each([...'漢字々ひカター한ᄀﾊ𠮷'])('R6.2 %s needs no word bounds', (character) => {
  expect(isCjk(character.codePointAt(0) ?? 0)).toBe(true);
});

test.each([...'aZ9é_ 。，・Ω😀'])('R6.2 %s is no CJK letter', (character) => {
  expect(isCjk(character.codePointAt(0) ?? 0)).toBe(false);
});

const CODE = `\`\`\`sh\n${'kubectl get pods\n'.repeat(20)}\`\`\`\n`;

test.each([
  ['先检查支付网关的日志，再重启服务。', ['zh']],
  ['Check the log of the payment gateway, then restart it.', ['en']],
  [`先检查支付网关。\n${CODE}`, ['zh']],
  [`先检查支付网关。\n${CODE.slice(0, -5)}`, ['zh']],
  ['先看 `kubectl get pods -n payment -o wide --show-labels` 与 https://example.com/a/b/c/d', ['zh']],
  ['先检查日志 then restart the gateway', ['en', 'zh']],
  ['先检查支付网关日志再重启 then restart the gateway', ['zh', 'en']],
  [`${CODE}先检查支付网关。`, ['zh']],
  [`${CODE.replaceAll('```', '  ```')}先检查支付网关。`, ['zh']],
  [`${CODE.replace('get', '``` get').replaceAll('`', '~')}先检查支付网关。`, ['zh']],
  ['先检查日志 ``` then restart the gateway', ['en', 'zh']],
  ['先看 http://example.com/a/b/c/d/e', ['zh']],
  ['', ['zh', 'en']],
] as const)('R3.2 %j may be described in %j', (document, languages) => {
  expect(languagesOf(document)).toEqual(languages);
});

test.each([
  ['支付超时', ['zh'], true],
  ['HikariCP 连接池 exhausted when too many clients connect', ['zh'], true],
  ['Payments time out', ['zh'], false],
  ['Payments time out', ['en'], true],
  ['Ask 王伟 about payments that time out', ['en'], true],
  ['支付超时', ['en'], false],
  ['支付超时', ['en', 'zh'], true],
] as const)('R3.2 %j in %j: %s', (sentence, languages, is) => {
  expect(isWrittenIn(sentence, languages)).toBe(is);
});
