import { spawnSync } from 'node:child_process';
import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { LIMIT } from '../../bench/bundles.ts';
import { bundleFunction, FUNCTIONS_FOLDER } from '../../bench/support/bundle-function.ts';
import { importTimes } from '../../bench/support/import-times.ts';

// Far from any node_modules: what a bundle does not bring along is not there.
const folder = mkdtempSync(join(tmpdir(), 'knowhub-bundles-test-'));
afterAll(() => rmSync(folder, { recursive: true }));

test.each(readdirSync(FUNCTIONS_FOLDER))(
  'FIGURES the bundle of %s is at most 1 MB, and needs nothing beside it to be imported',
  async (name) => {
    const { file, bytes } = await bundleFunction(name, folder);
    expect(bytes).toBeLessThanOrEqual(LIMIT.bytes);
    expect((await importTimes([file], 1)).get(file)).toEqual([expect.any(Number)]);
  },
);

const bench = (...args: string[]) => {
  const { status, stdout, stderr } = spawnSync(process.execPath, ['bench/run.ts', ...args], {
    encoding: 'utf8',
  });
  return { status, stdout: stdout.split('\n')[0], stderr: stderr.split('\n')[0] };
};

test('FIGURES a bench that is not there, or an option that it does not know, is a wrong use', () => {
  expect(bench('bundels')).toEqual({ status: 2, stdout: '', stderr: 'unknown bench "bundels"' });
  expect(bench('toString')).toEqual({ status: 2, stdout: '', stderr: 'unknown bench "toString"' });
  expect(bench('bundles', '--runs', '0')).toEqual({
    status: 2,
    stdout: '',
    stderr: '--runs: "0" is no number from 1 to 999',
  });
});

test('FIGURES each bench tells how it is used', () => {
  expect(bench('--help')).toEqual({
    status: 0,
    stdout: 'Usage: npm run bench -- NAME [options]',
    stderr: '',
  });
  expect(bench('bundles', '--help')).toEqual({
    status: 0,
    stdout: 'Usage: npm run bench -- bundles [--runs N] [--verbose] [--json]',
    stderr: '',
  });
});
