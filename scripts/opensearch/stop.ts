import type { ChildProcess } from 'node:child_process';

const PATIENCE_MS = 15_000;

/** Asks a process of ours to end (SIGTERM), makes it end after 15 s (SIGKILL), and waits until it has. */
export function stopProcess(child: ChildProcess): Promise<void> {
  if (child.pid === undefined || child.exitCode !== null || child.signalCode !== null)
    return Promise.resolve();
  return new Promise((resolve) => {
    const impatient = setTimeout(() => child.kill('SIGKILL'), PATIENCE_MS);
    child.once('exit', () => {
      clearTimeout(impatient);
      resolve();
    });
    child.kill('SIGTERM');
  });
}
