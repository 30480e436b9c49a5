import { defineConfig } from 'vitest/config';

/** Needs a server: `npm run test:opensearch` starts one and runs this; plain `npm test` does not. */
export default defineConfig({
  test: {
    name: 'opensearch',
    include: ['test/opensearch/**/*.test.ts'],
    testTimeout: 60_000,
    hookTimeout: 60_000,
  },
});
