import type { WriteStream } from 'node:tty';

const REDRAW_MS = 100;
const LINE_MS = 10_000;

/** Says on `stream` what is being done: in place on a terminal, else a line every ten seconds. `end` takes it away. */
export function tellProgress(stream: WriteStream): { tell(progress: string): void; end(): void } {
  let told_at = Date.now();
  let width = 0;
  const clear = () => stream.write(`\r${' '.repeat(width)}\r`);
  return {
    tell(progress) {
      if (Date.now() - told_at < (stream.isTTY ? REDRAW_MS : LINE_MS)) return;
      told_at = Date.now();
      if (!stream.isTTY) stream.write(`${progress}\n`);
      else {
        clear();
        stream.write(progress);
        width = progress.length;
      }
    },
    end() {
      if (stream.isTTY && width > 0) clear();
    },
  };
}
