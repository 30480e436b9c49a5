import { expect, test } from 'vitest';
import { quarantineKeys } from '#lib/core/inbox.ts';
import { sha256 } from '#lib/core/normalise.ts';

test.each([
  ['inbox/payment/a.md', 'quarantine/payment/a.md'],
  ['inbox/a.md', 'quarantine/a.md'],
  ['inbox/payment/inbox/a.md', 'quarantine/payment/inbox/a.md'],
  ['inbox/支付/超时.txt', 'quarantine/支付/超时.txt'],
])('R3.1 %s goes to %s, and why lies beside it', (key, file) => {
  expect(quarantineKeys(key)).toEqual({ file, report: `${file}.error.json` });
});

test('R3.1 a name that S3 would refuse with the ending of the report is hashed, by its bytes', () => {
  // The key of the report is quarantine/{name}.error.json: 22 bytes and the name, of at most 1,024.
  const longest = 'x'.repeat(1002);
  expect(quarantineKeys(`inbox/${longest}`)).toEqual({
    file: `quarantine/${longest}`,
    report: `quarantine/${longest}.error.json`,
  });
  for (const name of [`${longest}x`, '文'.repeat(335)]) {
    const file = `quarantine/long-names/${sha256(name)}`;
    expect(quarantineKeys(`inbox/${name}`)).toEqual({ file, report: `${file}.error.json` });
  }
});
