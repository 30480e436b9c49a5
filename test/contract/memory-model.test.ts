import { expect, test } from 'vitest';
import { createStandinModel } from '#lib/adapters/standin/model.ts';
import { modelContract } from '#test/contract/model.contract.ts';

modelContract('stand-in model', async () => createStandinModel());

test('R4.2 the stand-in says in its name that it is one', () => {
  const { embedder, writer } = createStandinModel();
  expect([embedder.stand_in, writer.stand_in]).toEqual([true, true]);
  expect(embedder.name).toMatch(/stand-in/);
  expect(writer.name).toMatch(/stand-in/);
});
