import { expect } from 'vitest';

/** The same call `count` times at once: what a condition must let through once. */
export const together = <Answer>(count: number, call: (n: number) => Promise<Answer>): Promise<Answer[]> =>
  Promise.all(Array.from({ length: count }, (_, n) => call(n)));

/** Reads until the answer is the expected one: for listings that are only eventually consistent. */
export const eventually = async (read: () => Promise<unknown>, expected: unknown): Promise<void> =>
  expect.poll(read, { timeout: 10_000, interval: 20 }).toEqual(expected);

/** A limit that nothing on a store of tests reaches. */
export const MANY = 5000;
