import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import * as z from 'zod';
import { call, until } from '#test/support/local-process.ts';
import { localRun } from '#test/support/local-run.ts';

const Page = z.object({ items: z.array(z.object({ path: z.string(), status: z.string() })) });
const Ticket = z.object({ url: z.url(), fields: z.record(z.string(), z.string()) });

const local = localRun();

async function drop(path: string, content: string | Uint8Array): Promise<void> {
  const file = join(local.data, 'inbox', path);
  await mkdir(join(file, '..'), { recursive: true });
  await writeFile(file, content);
}

const filesIn = async (folder: string): Promise<string[]> => {
  const entries = await readdir(join(local.data, folder), { recursive: true, withFileTypes: true }).catch(
    () => [],
  );
  return entries
    .filter((entry) => entry.isFile())
    .map(({ parentPath, name }) => join(parentPath, name).slice(join(local.data, folder).length + 1))
    .sort();
};

const documents = async () =>
  Page.parse((await call(`${local.url}/api/documents?limit=100`)).body)
    .items.map(({ path }) => path)
    .sort();

test('R3.1 files in the folder are taken in and leave it; what cannot be is put aside with the reason', async () => {
  await drop('支付/退款 到账+100%.md', '# 退款到账\n\n退款在五个工作日内到账。\n');
  await drop('network/dns.md', '# Flush DNS\n\nFlush the resolver after a change of records.\n');
  await drop('network/.dns.md.swp', 'an editor keeps this');
  await drop('network/bytes.md', Uint8Array.from([0xff, 0xfe, 0x00]));
  await drop('network/notes.txt', 'not Markdown');
  await drop('stray.md', '# No folder\n');
  await drop('network/blank.md', ' \n');
  await drop('network/huge.md', 'x'.repeat(10 * 1024 * 1024 + 1));

  await until(
    () => filesIn('inbox'),
    (files) => files.length === 1,
  );
  expect(await filesIn('inbox')).toEqual(['network/.dns.md.swp']);
  const quarantined = [
    'network/blank.md',
    'network/bytes.md',
    'network/huge.md',
    'network/notes.txt',
    'stray.md',
  ];
  expect(await filesIn('quarantine')).toEqual(
    quarantined.flatMap((path) => [path, `${path}.error.json`]).sort(),
  );
  const report = await readFile(join(local.data, 'quarantine/network/bytes.md.error.json'), 'utf8');
  expect(JSON.parse(report)).toEqual({
    key: 'inbox/network/bytes.md',
    why: 'the file is not UTF-8',
    field: 'content',
    at: expect.any(String),
    request_id: expect.any(String),
  });
  expect(await readFile(join(local.data, 'quarantine/network/bytes.md'))).toEqual(
    Buffer.from([0xff, 0xfe, 0x00]),
  );
  const found = await until(documents, (paths) => paths.length === 2);
  expect(found).toEqual(['network/dns.md', '支付/退款 到账+100%.md']);
});

test('R3.1 a corrected file takes its way, whatever became of the one before', async () => {
  await drop('network/bytes.md', '# Bytes\n\nEvery byte of a frame is counted.\n');
  const found = await until(documents, (paths) => paths.includes('network/bytes.md'));
  expect(found).toContain('network/bytes.md');
  await until(
    () => filesIn('inbox'),
    (files) => !files.includes('network/bytes.md'),
  );
  expect(await filesIn('quarantine')).toContain('network/bytes.md');
});

test('R3.1 a document too large for the API comes by its presigned form, byte by byte', async () => {
  const content = `# Long\n\n${'Every line of this runbook is a step.\n'.repeat(60_000)}`;
  expect(content.length).toBeGreaterThan(2 * 1024 * 1024);
  const name = { category: 'long', filename: 'steps.md' };
  const ticket = await call(`${local.url}/api/documents/uploads`, 'POST', name);
  expect(ticket.status).toBe(201);
  const { url, fields } = Ticket.parse(ticket.body);
  const form = new FormData();
  for (const [field, value] of Object.entries(fields)) form.append(field, value);
  form.append('file', new Blob([content]), 'steps.md');
  expect((await fetch(url, { method: 'POST', body: form })).status).toBe(204);

  const Piece = z.object({ content: z.string(), next_offset: z.number().optional() });
  await until(documents, (paths) => paths.includes('long/steps.md'));
  let text = '';
  for (let offset: number | undefined = 0; offset !== undefined; ) {
    const { body } = await call(`${local.url}/api/documents/long/steps.md?offset=${offset}`);
    const piece: z.infer<typeof Piece> = Piece.parse(body);
    text += piece.content;
    offset = piece.next_offset;
  }
  expect(text === content).toBe(true);
});
