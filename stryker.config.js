/**
 * `npm run test:mutation`: how many small changes of `lib/core` the tests notice. What survives is explained in
 * docs/mutation.md.
 *
 * @type {import('@stryker-mutator/api/core').PartialStrykerOptions}
 */
export default {
  mutate: ['lib/core/**/*.ts'],
  testRunner: 'vitest',
  vitest: { configFile: 'vitest.mutation.config.ts' },
  coverageAnalysis: 'perTest',
  // What only runs while a module is loaded would need all tests for each mutant.
  ignoreStatic: true,
  concurrency: 2,
  timeoutMS: 15_000,
  // Tests read the cases beside the checkout.
  buildCommand: 'ln -sfn ../../shared ../shared',
  // Stryker rewrites a tsconfig by TypeScript's API, which version 7 does not have; Node needs none.
  tsconfigFile: 'none.json',
  incremental: true,
  incrementalFile: 'reports/stryker-incremental.json',
  reporters: ['progress-append-only', 'clear-text', 'json'],
  clearTextReporter: { allowColor: false, reportTests: false },
  jsonReporter: { fileName: 'reports/mutation.json' },
  ignorePatterns: ['cdk.out', '.knowhub', 'coverage', 'reports', 'docs'],
  thresholds: { high: 90, low: 85, break: 85 },
};
