import { expect, test } from 'vitest';
import { sideBySide } from '#lib/usecases/side-by-side.ts';

test('FIGURES sixteen calls are under way at most, and all are made', async () => {
  let under_way = 0;
  let most = 0;
  const done: number[] = [];
  await sideBySide(
    Array.from({ length: 50 }, (_, n) => n),
    async (n) => {
      under_way += 1;
      most = Math.max(most, under_way);
      await Promise.resolve();
      under_way -= 1;
      done.push(n);
    },
  );
  expect([most, done.length, new Set(done).size]).toEqual([16, 50, 50]);
});

test('FIGURES after a fault nothing is begun, and it is thrown when what was begun has ended', async () => {
  const begun: number[] = [];
  const ended: number[] = [];
  const work = sideBySide(
    Array.from({ length: 40 }, (_, n) => n),
    async (n) => {
      begun.push(n);
      await Promise.resolve();
      if (n === 3) throw new Error('the third');
      await Promise.resolve();
      await Promise.resolve();
      ended.push(n);
    },
  );
  await expect(work).rejects.toThrow('the third');
  expect(begun).toHaveLength(16);
  expect(ended).toHaveLength(15);
});
