import { expect, test } from 'vitest';
import { createMemoryInbox } from '#lib/adapters/memory/inbox.ts';
import { systemClock } from '#lib/adapters/memory/system.ts';
import { quarantineKeys } from '#lib/core/inbox.ts';
import { inboxContract } from '#test/contract/inbox.contract.ts';

inboxContract('inbox in memory', async () => {
  const inbox = createMemoryInbox(systemClock);
  return {
    inbox,
    drop: async (key, bytes) => inbox.drop(key, bytes),
    redeem: async ({ fields }, bytes) => inbox.drop(fields.key!, bytes, JSON.parse(fields.caller!)),
    quarantined: async (name) => inbox.quarantined.get(`quarantine/${name}`),
  };
});

test('R4.8 a file is listed once it is older than the given time, to the millisecond', async () => {
  const inbox = createMemoryInbox({ now: () => 1000 });
  inbox.drop('inbox/a/b.md', new Uint8Array());
  expect(await inbox.list('', 1000, 5)).toEqual([]);
  expect(await inbox.list('', 1001, 5)).toEqual(['inbox/a/b.md']);
});

test('R3.1 a report lies beside its file, under a hash where the name leaves no room', () => {
  expect(quarantineKeys('inbox/a/b.md')).toEqual({
    file: 'quarantine/a/b.md',
    report: 'quarantine/a/b.md.error.json',
  });
  const [room, none] = [1002, 1003].map((length) => quarantineKeys(`inbox/${'a'.repeat(length)}`));
  expect(room?.report).toHaveLength(1024);
  expect(none?.file).toMatch(/^quarantine\/long-names\/[0-9a-f]{64}$/);
  expect(none?.report).toBe(`${none?.file}.error.json`);
});
