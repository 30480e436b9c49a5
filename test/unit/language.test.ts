import { expect, test } from 'vitest';
import { isCjk, languageOf } from '#lib/core/language.ts';

test.each([
  ['网关超时怎么排查', 'zh'],
  ['hikaricp 参数调优', 'zh'],
  ['AI模型', 'zh'],
  ['锁', 'zh'],
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

test('R6.1 a Chinese runbook full of commands is Chinese, an English one with a Chinese name is English', () => {
  expect(
    languageOf('先用 `kubectl get pods -n payment` 查看支付服务的状态，再检查网关日志，确认是否超时。'),
  ).toBe('zh');
  expect(languageOf('Ask 王伟 before you restart the payment gateway; it drops open sessions.')).toBe('en');
});

test.each([...'漢字々ひカター한ﾊ𠮷'])('R6.2 %s needs no word bounds', (character) => {
  expect(isCjk(character.codePointAt(0) ?? 0)).toBe(true);
});

test.each([...'aZ9é_ 。，・Ω😀'])('R6.2 %s is no CJK letter', (character) => {
  expect(isCjk(character.codePointAt(0) ?? 0)).toBe(false);
});
