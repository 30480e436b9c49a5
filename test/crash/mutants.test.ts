import { spawnSync } from 'node:child_process';
import { cpSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { expect, test } from 'vitest';
import { MUTANTS, type Mutant } from '#test/crash/mutants.ts';

const ROOT = resolve(import.meta.dirname, '../..');

/** Runs the harness over a copy of the tree in which the rule is missing. */
function runWithout({ edits, arguments: args }: Mutant): { status: number | null; output: string } {
  const copy = mkdtempSync(join(tmpdir(), 'knowhub-mutant-'));
  try {
    for (const part of ['lib', 'prompts', 'test/crash', 'test/support', 'package.json'])
      cpSync(join(ROOT, part), join(copy, part), { recursive: true });
    symlinkSync(join(ROOT, 'node_modules'), join(copy, 'node_modules'));
    for (const { file, from, to } of edits) {
      const source = readFileSync(join(copy, file), 'utf8');
      expect(source.split(from), `${file} no longer says: ${from}`).toHaveLength(2);
      writeFileSync(
        join(copy, file),
        source.replace(from, () => to),
      );
    }
    const run = spawnSync(process.execPath, [join(copy, 'test/crash/run.ts'), '--until-red', ...args], {
      encoding: 'utf8',
    });
    return { status: run.status, output: run.stdout + run.stderr };
  } finally {
    rmSync(copy, { recursive: true, force: true });
  }
}

test.for(MUTANTS)('the harness turns red without the rule: $rule', (mutant) => {
  const { status, output } = runWithout(mutant);
  expect({ status, violation: /invariant \d+ .*/.exec(output)?.[0] }, output).toEqual({
    status: 1,
    violation: expect.stringMatching(/^invariant ([1-9]|10) /),
  });
});
