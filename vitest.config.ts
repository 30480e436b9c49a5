import { defineConfig } from 'vitest/config';

const project = (name: string, include: string[]) => ({ test: { name, include, testTimeout: 60_000 } });

export default defineConfig({
  test: {
    // Vitest leaves a core to itself, which on two cores is half of them; many tests wait for processes of their own.
    maxWorkers: 3,
    projects: [
      project('unit', ['test/unit/**/*.test.ts', 'test/prompts/**/*.test.ts']),
      project('contract', ['test/contract/**/*.test.ts']),
      project('infra', ['test/infra/**/*.test.ts']),
      project('integration', ['test/integration/**/*.test.ts']),
      project('crash', ['test/crash/**/*.test.ts']),
      project('e2e', ['test/e2e/**/*.test.ts']),
    ],
  },
});
