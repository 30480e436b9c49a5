import { clearLine, cursorTo } from 'node:readline';
import type { WriteStream } from 'node:tty';

/** How far a long piece of work is: a bar on a terminal, else a line at every quarter. */
export interface Progress {
  step(): void;
  /** Takes the bar away. */
  end(): void;
}

const BAR = 30;
const REDRAW_MS = 60;

export function createProgress(stream: WriteStream, label: string, total: number): Progress {
  return stream.isTTY ? bar(stream, label, total) : quarters(stream, label, total);
}

function bar(stream: WriteStream, label: string, total: number): Progress {
  let done = 0;
  let drawn_at = 0;
  const clear = () => {
    cursorTo(stream, 0);
    clearLine(stream, 0);
  };
  return {
    step() {
      done += 1;
      const now = Date.now();
      if (now - drawn_at < REDRAW_MS && done < total) return;
      drawn_at = now;
      const full = Math.round((BAR * done) / Math.max(1, total));
      clear();
      stream.write(`${label} ${'█'.repeat(full)}${'░'.repeat(BAR - full)} ${done}/${total}`);
    },
    end: clear,
  };
}

function quarters(stream: WriteStream, label: string, total: number): Progress {
  let done = 0;
  return {
    step() {
      const before = Math.floor((4 * done) / total);
      done += 1;
      if (total >= LONG && Math.floor((4 * done) / total) > before)
        stream.write(`${label} ${done}/${total}\n`);
    },
    end: () => undefined,
  };
}

/** Shorter work is done before anybody wonders. */
const LONG = 40;
