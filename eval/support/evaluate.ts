import { INTERRUPTED, interruptible } from '../../bin/support/command.ts';
import type { Running } from './measure-cosines.ts';
import { tellProgress } from './tell-progress.ts';

/** What is under way with a server is not waited for. */
const GRACE_MS = 300;

/** Evaluates with its progress told, until Ctrl-C; `command` is how its figures are made again. Resolves with the exit code. */
export function evaluate(
  name: string,
  args: readonly string[],
  work: (command: string, running: Running) => Promise<number>,
): Promise<number> {
  const command = [`npm run eval -- ${name}`, ...args.filter((arg) => !/^--(write|json)$/.test(arg))].join(
    ' ',
  );
  return interruptible(async (signal) => {
    const progress = tellProgress(process.stderr);
    const interrupted = new Promise<never>((_, reject) => {
      signal.addEventListener('abort', () => reject(new Error('interrupted')));
    });
    try {
      return await Promise.race([work(command, { signal, tell: progress.tell }), interrupted]);
    } catch (error) {
      if (signal.aborted) setTimeout(() => process.exit(INTERRUPTED), GRACE_MS).unref();
      throw error;
    } finally {
      progress.end();
    }
  });
}
