import { defineConfig } from 'vitest/config';

/** Needs a deployment: `npm run test:deployed` makes one and runs this; plain `npm test` does not. */
export default defineConfig({
  test: {
    name: 'deployed',
    include: ['test/deployed/**/*.test.ts'],
    globalSetup: ['test/deployed/first-sweep.ts'],
    // One deployment, and one port for the stand-in of Bedrock, which each file holds in turn.
    fileParallelism: false,
    testTimeout: 120_000,
    hookTimeout: 120_000,
  },
});
