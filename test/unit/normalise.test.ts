import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { fingerprint, normalise, sha256 } from '#lib/core/normalise.ts';

const text = fc.string({ unit: 'binary' });

test('R4.1 width, case and white space do not tell texts apart', () => {
  expect(normalise('  ＥＲＲ＿Timeout\r\n\t 支付　网关 ')).toBe('err_timeout 支付 网关');
  expect(normalise('ｶﾞ')).toBe('ガ');
  expect(normalise('J\u030c')).toBe('\u01f0');
  expect(normalise(' \n')).toBe('');
});

test('R4.1 normalising again changes nothing', () => {
  fc.assert(
    fc.property(text, (input) => {
      expect(normalise(normalise(input))).toBe(normalise(input));
    }),
  );
  expect(normalise(normalise('İstanbul ΑΣ ΑΣ.'))).toBe(normalise('İstanbul ΑΣ ΑΣ.'));
});

test('R4.1 a hash is SHA-256 of the UTF-8 bytes in lower-case hex', () => {
  expect(sha256('')).toBe('e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855');
  expect(sha256('支付')).toBe('5d3ba34cc66cea451b2876a2376596d35be87773b5c668b0b209c79e9e7c9a54');
});

test('R4.1 equal after normalisation is equal by fingerprint', () => {
  expect(fingerprint('Restart Redis', 'First  drain.\n')).toBe(
    fingerprint(' restart redis', 'ｆirst drain.'),
  );
  expect(fingerprint('a', 'b')).toMatch(/^[0-9a-f]{64}$/);
});

test('R4.1 where the task ends and the content begins counts', () => {
  expect(fingerprint('a b', 'c')).not.toBe(fingerprint('a', 'b c'));
  expect(fingerprint('', 'ab')).not.toBe(fingerprint('ab', ''));
  expect(fingerprint('a","b', 'c')).not.toBe(fingerprint('a', 'b","c'));
  expect(fingerprint('\ud800', '')).not.toBe(fingerprint('\udfff', ''));
});

test('R4.1 fingerprints are equal exactly when both normalised parts are', () => {
  const near = fc.constantFrom('a', 'A', ' a', 'b', '', ' ', '"', ',', 'ａ', '\\');
  const part = fc.array(near, { maxLength: 3 }).map((pieces) => pieces.join(''));
  fc.assert(
    fc.property(part, part, part, part, (task, content, otherTask, otherContent) => {
      expect(fingerprint(task, content) === fingerprint(otherTask, otherContent)).toBe(
        normalise(task) === normalise(otherTask) && normalise(content) === normalise(otherContent),
      );
    }),
    { numRuns: 1000 },
  );
});
