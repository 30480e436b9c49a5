import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { KNOWHUB } from '#test/support/command-line.ts';

/** What the SDK's client starts: the bridge to a server, as an agent's configuration has it. */
export const bridgeTo = (url: URL, given: readonly string[] = [], env: Record<string, string> = {}) => ({
  command: process.execPath,
  args: [KNOWHUB, 'mcp', ...given],
  env: { PATH: process.env.PATH ?? '', KNOWHUB_URL: url.origin, ...env },
  stderr: 'pipe' as const,
});

/** The bridge as a process of its own, its lines in hand. */
export function spawnBridge(url: URL) {
  const { command, args, env } = bridgeTo(url);
  const child = spawn(command, args, { env, stdio: 'pipe' });
  const said = { out: '', err: '' };
  child.stdout.on('data', (data) => {
    said.out += data;
  });
  child.stderr.on('data', (data) => {
    said.err += data;
  });
  const closed = once(child, 'close');
  return {
    said,
    /** Lines as they are; objects as JSON. */
    write: (...lines: (string | object)[]) => {
      for (const line of lines)
        child.stdin.write(`${typeof line === 'string' ? line : JSON.stringify(line)}\n`);
    },
    end: () => child.stdin.end(),
    kill: (signal: NodeJS.Signals) => child.kill(signal),
    /** Its exit code, and what it had said by then. */
    async ended(): Promise<{ code: number; messages: unknown[]; err: string }> {
      const [code] = await closed;
      const lines = said.out.split('\n').filter((line) => line !== '');
      return { code: Number(code), messages: lines.map((line) => JSON.parse(line)), err: said.err };
    },
  };
}
