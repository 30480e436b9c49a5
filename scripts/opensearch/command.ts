import { spawn } from 'node:child_process';
import { access, constants } from 'node:fs/promises';
import { delimiter, join } from 'node:path';

const TAIL = 2000;

/** Runs a program to its end and gives what it wrote; throws with the end of that when it fails. */
export function run(program: string, args: readonly string[], options: { cwd?: string } = {}) {
  return new Promise<string>((resolve, reject) => {
    const child = spawn(program, args, { ...options, stdio: ['ignore', 'pipe', 'pipe'] });
    let output = '';
    child.stdout.on('data', (chunk) => (output += chunk));
    child.stderr.on('data', (chunk) => (output += chunk));
    child.on('error', (cause) => reject(new Error(`cannot run ${program}: ${cause.message}`, { cause })));
    child.on('close', (code) => {
      if (code === 0) resolve(output);
      else reject(new Error(`${program} ${args[0]} ended with ${code}:\n${output.slice(-TAIL)}`));
    });
  });
}

/** Where a program lies on the PATH. */
export async function programPath(name: string): Promise<string | undefined> {
  for (const folder of (process.env.PATH ?? '').split(delimiter).filter(Boolean)) {
    const path = join(folder, name);
    const there = await access(path, constants.X_OK).then(
      () => true,
      () => false,
    );
    if (there) return path;
  }
  return undefined;
}
