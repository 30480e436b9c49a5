import { afterAll, beforeAll, expect, test } from 'vitest';
import type { BedrockStub } from '#test/support/bedrock-stub.ts';
import { TicketReply } from '../../bin/support/cli-replies.ts';
import { becomes, client, document } from './api.ts';
import { startBedrock } from './bedrock.ts';
import { keysUnder, put, textAt } from './bucket.ts';

let bedrock: BedrockStub;
beforeAll(async () => {
  bedrock = await startBedrock();
});
afterAll(() => bedrock?.stop());

const aboutPrinter = (floor: number): string =>
  `---\ntitle: Printer on floor ${floor}\nkeywords: [printer-${floor}]\n---\n\nPaper lies in drawer ${floor}.\n`;

/** A document is there, with this text, once it is admitted. */
const admitted = (path: string, content: string): Promise<void> =>
  becomes(
    () =>
      document(path).then(
        (found) => found.content,
        () => 'not there',
      ),
    content,
  );

// S3 form-encodes keys in its notifications.
test.each(['printer.md', '打印机 +1 (三楼).md'])(
  'R3.1 a file dropped into the inbox is admitted and leaves it: %s',
  async (filename) => {
    const path = `office/${filename}`;
    const text = aboutPrinter(filename.length);
    await put(`inbox/${path}`, text);
    await admitted(path, text);
    expect(await keysUnder('inbox/office/')).toEqual([]);
    expect(await keysUnder('quarantine/office/')).toEqual([]);
    expect(await textAt(`knowledge_base/${path}`)).toBe(text);
  },
);

test('R3.1 a file that cannot be read moves to quarantine, beside the reason', async () => {
  const latin1 = Uint8Array.from([0x23, 0x20, 0x63, 0x61, 0x66, 0xe9, 0x0a]);
  await put('inbox/menu/café.md', latin1);
  await becomes(() => keysUnder('inbox/menu/'), []);
  expect(await keysUnder('quarantine/menu/')).toEqual([
    'quarantine/menu/café.md',
    'quarantine/menu/café.md.error.json',
  ]);
  expect(JSON.parse((await textAt('quarantine/menu/café.md.error.json'))!)).toEqual({
    key: 'inbox/menu/café.md',
    field: 'content',
    why: expect.stringContaining('not UTF-8'),
    at: expect.stringMatching(/^\d{4}-\d\d-\d\dT/),
    request_id: expect.stringMatching(/\S/),
  });
});

test('R3.1 a large document comes in by a presigned form', async () => {
  const { reply } = await client.json(
    {
      method: 'POST',
      path: '/api/documents/uploads',
      body: { category: 'archive', filename: 'large.md' },
    },
    TicketReply,
  );
  const line = 'A line of a very long log that nobody will ever read again.\n';
  const text = `---\ntitle: A long log\nkeywords: [longlog]\n---\n\n${line.repeat(30_000)}`;
  await client.form(reply.url, reply.fields, text);
  await admitted('archive/large.md', text);
  expect(await keysUnder('inbox/archive/')).toEqual([]);
});
