import { mkdir, rename, rm, stat } from 'node:fs/promises';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { programPath } from '../opensearch/command.ts';
import { runProgram } from './programs.ts';

const VERSION = '1.5.33';
/** boto3: functions of CDK's own that are written in Python import it. */
const PACKAGES = [`ministack==${VERSION}`, 'boto3==1.43.106'];
const PATIENCE_MS = 300_000;

/**
 * The folder of a Python environment with MiniStack, made by pip on the first call and kept in
 * `~/.cache/knowhub/ministack-1.5.33` (`KNOWHUB_MINISTACK_CACHE`). Its programs are run by `bin/python -m`.
 */
export async function miniStackHome(abort: AbortSignal): Promise<string> {
  const home =
    process.env.KNOWHUB_MINISTACK_CACHE ?? join(homedir(), '.cache/knowhub', `ministack-${VERSION}`);
  if (await exists(home)) return home;
  const python = await programPath('python3');
  if (!python) throw new Error('MiniStack is written in Python, and there is no python3 on the PATH.');
  const work = `${home}.${process.pid}`;
  const options = { cwd: process.cwd(), env: process.env, timeout_ms: PATIENCE_MS, abort };
  try {
    await mkdir(work, { recursive: true });
    await runProgram(python, ['-m', 'venv', work], options);
    await runProgram(join(work, 'bin/python'), ['-m', 'pip', 'install', '--quiet', ...PACKAGES], options);
    // In one step, so that a folder of that name is whole; another run may have been first.
    await rename(work, home).catch(async (error: unknown) => {
      if (!(await exists(home))) throw error;
    });
    return home;
  } finally {
    await rm(work, { recursive: true, force: true });
  }
}

const exists = (path: string): Promise<boolean> =>
  stat(path).then(
    () => true,
    () => false,
  );
