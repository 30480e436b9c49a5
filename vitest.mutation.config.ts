import { defineConfig } from 'vitest/config';

/** The tests that mutation testing of lib/core runs: those that need no process, port, bundle or quiet machine. */
export default defineConfig({
  test: {
    include: ['test/unit/**/*.test.ts', 'test/prompts/**/*.test.ts'],
    exclude: [
      'test/unit/bundles.test.ts',
      'test/unit/push-folder.test.ts',
      'test/unit/standin-*.test.ts',
      // It loads the functions within a test: what runs while a module is loaded would then count as reached by it alone.
      'test/unit/env.test.ts',
    ],
    // Instrumented code takes its time.
    testNamePattern: /^(?!.*(linear time|within 20 ms|at once$|quickly)).*$/,
    setupFiles: ['test/support/quick-properties.ts'],
    testTimeout: 60_000,
  },
});
