import { writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import {
  type LocalProcess,
  newDataFolder,
  runLocal,
  START_MS,
  startLocal,
} from '#test/support/local-process.ts';

let data: Awaited<ReturnType<typeof newDataFolder>>;
beforeAll(async () => {
  data = await newDataFolder();
}, START_MS);
afterAll(() => data.remove());

test('API --help says what there is, and ends with 0', async () => {
  const { code, out, err } = await runLocal(['--help']);
  expect([code, err]).toEqual([0, '']);
  for (const option of ['--port', '--data', '--opensearch', '--bedrock', '--models', 'Exit codes'])
    expect(out).toContain(option);
});

test('API wrong options end with 2 and say what is wrong', async () => {
  const { code, out, err } = await runLocal(['--nope']);
  expect([code, out, err]).toEqual([2, '', "Unknown option '--nope'\nTry: npm start -- --help\n"]);
});

test('API a port that is taken is named, and the folder is left as it was', async () => {
  const server = createServer();
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  const { port } = server.address() as AddressInfo;
  const { code, err } = await runLocal(['--data', join(data.path, 'unused')], { PORT: String(port) });
  server.close();
  expect(code).toBe(1);
  expect(err).toBe(`port ${port} is taken; start with --port another-port, or --port 0 for a free one\n`);
});

test('API a folder that cannot be made ends with 1', async () => {
  const { code, err } = await runLocal(['--port', '0', '--data', '/proc/nope']);
  expect(code).toBe(1);
  expect(err).toMatch(/^KnowHub could not start: E[A-Z]+: .+, mkdir '\/proc.*'\n$/);
});

test('API a file in the place of the data folder, and models that do not answer, end with 1', async () => {
  const file = join(data.path, 'file');
  await writeFile(file, '');
  expect(await runLocal(['--port', '0', '--data', file])).toMatchObject({
    code: 1,
    err: `${file} is not a folder\n`,
  });
  const args = ['--port', '0', '--data', join(data.path, 'no-models'), '--models', 'http://127.0.0.1:1/v1'];
  const { code, err } = await runLocal(args);
  expect(code).toBe(1);
  expect(err).toMatch(
    /^KnowHub could not start: --models: http:\/\/127\.0\.0\.1:1\/v1\/models does not answer/,
  );
});

test("API a second run on the same data is refused; after a kill the lock is nobody's", async () => {
  let local: LocalProcess = await startLocal(data.path);
  const { code, err } = await runLocal(['--port', '0', '--data', data.path]);
  expect(code).toBe(1);
  expect(err).toMatch(
    /^the data folder \S+ is in use by process \d+, since \S+; stop it, or start with --data another-folder\n$/,
  );
  await local.end('SIGKILL');
  local = await startLocal(data.path);
  expect(local.out()).toContain('The last run was killed; what it left under way goes on.');
  expect((await local.end('SIGHUP')).code).toBe(0);
});
