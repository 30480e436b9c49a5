import { expect, test } from 'vitest';
import { stillWanted } from '../../eval/support/still-wanted.ts';

test('an evaluation in memory hears an interrupt that comes between two steps', async () => {
  const interrupt = new AbortController();
  setImmediate(() => interrupt.abort(new Error('interrupted')));
  let steps = 0;
  const work = async () => {
    for (; steps < 1000; steps += 1) await stillWanted(interrupt.signal);
  };
  await expect(work()).rejects.toThrow('interrupted');
  expect(steps).toBeLessThan(3);
});
