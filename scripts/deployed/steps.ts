/** One line for whoever waits. */
export type Progress = (line: string) => void;

const HEARTBEAT_MS = 10_000;

export const inSeconds = (ms: number): string => `${(ms / 1000).toFixed(1)} s`;

export interface Steps {
  /** Does something that takes its time: tells when it begins, that it goes on, and how long it took. */
  run<Result>(name: string, work: () => Promise<Result>): Promise<Result>;
  /** A line for each step that ended, with its time. */
  summary(): string[];
}

export function createSteps(progress: Progress): Steps {
  const times: { name: string; ms: number; failed: boolean }[] = [];
  return {
    async run(name, work) {
      const began = Date.now();
      const elapsed = () => Date.now() - began;
      progress(`${name} …`);
      const heartbeat = setInterval(() => progress(`${name}: ${inSeconds(elapsed())} so far`), HEARTBEAT_MS);
      let failed = true;
      try {
        const result = await work();
        failed = false;
        return result;
      } finally {
        clearInterval(heartbeat);
        times.push({ name, ms: elapsed(), failed });
        progress(`${name}: ${failed ? 'failed after' : 'done in'} ${inSeconds(elapsed())}`);
      }
    },
    summary() {
      const longest = Math.max(0, ...times.map(({ name }) => name.length));
      return times.map(
        ({ name, ms, failed }) =>
          `  ${name.padEnd(longest)}  ${inSeconds(ms).padStart(8)}${failed ? '  failed' : ''}`,
      );
    },
  };
}
