import { defineConfig } from 'vitest/config';

/** The tests that mutation testing of lib/core runs: those that need no process, port or bundle of their own. */
export default defineConfig({
  test: {
    include: ['test/unit/**/*.test.ts', 'test/prompts/**/*.test.ts'],
    exclude: ['test/unit/bundles.test.ts', 'test/unit/push-folder.test.ts'],
    testTimeout: 60_000,
  },
});
