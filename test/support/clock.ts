import type { Clock } from '#lib/ports.ts';

export const SECOND = 1000;
export const MINUTE = 60 * SECOND;
export const HOUR = 60 * MINUTE;
export const DAY = 24 * HOUR;

/** 2026-03-17 14:30:22 UTC. */
export const START = Date.UTC(2026, 2, 17, 14, 30, 22);

export interface FakeClock extends Clock {
  /** Lets time pass; a negative number is a clock that steps back. */
  pass(ms: number): void;
}

/** A clock that stands until it is told to go on; who sleeps lets time pass. */
export function fakeClock(start = START): FakeClock {
  let now = start;
  return {
    now: () => now,
    sleep: async (ms) => {
      now += ms;
    },
    pass: (ms) => {
      now += ms;
    },
  };
}
